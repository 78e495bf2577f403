// Requests to the server. A busy server is asked again after the time that it names.

import { parse } from "./dom.js";
import { busy } from "./notices.js";

const MAX_TRIES = 4; // of a busy server
let remind = null;

/** `act` gives the server the reference texts again when it does not keep them any more; then the
    question is asked again. */
export function onForgotten(act) {
  remind = act;
}

export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function get(path) {
  return (await request(path)).json();
}

export async function remove(path) {
  await request(path, { method: "DELETE" });
}

export async function post(path, body, { signal } = {}) {
  return (await request(path, jsonOptions(body, signal))).json();
}

/** The answer as nodes, rendered by the server. */
export async function postForNodes(path, body, { signal } = {}) {
  return parse(await (await request(path, jsonOptions(body, signal, "text/html"))).text());
}

/** Nodes where the server has rendered an answer, else JSON. */
export async function getNodes(path) {
  const response = await request(path, { headers: { Accept: "text/html" } });
  const isHtml = response.headers.get("Content-Type").startsWith("text/html");
  return isHtml ? { nodes: parse(await response.text()) } : response.json();
}

/** The texts that the server reads in a file: {texts, notes}. */
export async function readFile(file) {
  const headers = {
    "Content-Type": "application/octet-stream",
    "X-Name": encodeURIComponent(file.name),
  };
  return (await request("/api/read", { method: "POST", body: file, headers })).json();
}

/** Saves a file of the server where the browser saves files; returns its name. */
export async function download(path, body) {
  const response = await request(path, jsonOptions(body));
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}

function jsonOptions(body, signal, accept = "application/json") {
  const headers = { "Content-Type": "application/json", Accept: accept };
  return { method: "POST", body: JSON.stringify(body), signal, headers };
}

async function request(path, options = {}, tries = 0) {
  const headers = { "X-Adhominem": "1", ...options.headers };
  let response;
  try {
    response = await fetch(`.${path}`, { ...options, headers, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is “adhominem serve” still running?", 0);
  }
  if (response.status === 503 && tries < MAX_TRIES) {
    const seconds = Math.min(Math.max(Number(response.headers.get("Retry-After")) || 1, 0.2), 10);
    busy(seconds);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    options.signal?.throwIfAborted();
    return request(path, options, tries + 1);
  }
  if (response.status === 404 && options.body && !tries) {
    await remind();
    return request(path, options, tries + 1);
  }
  if (!response.ok) throw new ApiError(await reasonOf(response), response.status);
  return response;
}

async function reasonOf(response) {
  const answer = await response.json().catch(() => null);
  return answer?.error ?? `The server answered ${response.status}.`;
}
