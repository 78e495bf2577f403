// The one door to the server. A busy server is asked again after the time that it names.

const PATIENCE = 4; // times that a busy server is asked again

export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** `busy` is told the seconds until the next try. */
export async function post(path, body, { signal, busy } = {}) {
  const response = await request(path, { method: "POST", body: JSON.stringify(body), signal, headers: { "Content-Type": "application/json" } }, busy);
  return response.json();
}

export async function get(path, { signal } = {}) {
  return (await request(path, { signal })).json();
}

export async function remove(path) {
  await request(path, { method: "DELETE" });
}

/** What the server reads out of a file: {texts, notes}. */
export async function readFile(file, { signal, busy } = {}) {
  const headers = { "Content-Type": "application/octet-stream", "X-Name": encodeURIComponent(file.name) };
  const response = await request("/api/read", { method: "POST", body: file, headers, signal }, busy);
  return response.json();
}

/** A file of the server, saved where the browser saves files. */
export async function download(path, body, fallback) {
  const response = await request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? fallback;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}

async function request(path, options, busy, tries = 0) {
  const headers = { "X-Adhominem": "1", ...options.headers };
  let response;
  try {
    response = await fetch(path, { ...options, headers, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is “adhominem serve” still running?", 0);
  }
  if (response.status === 503 && tries < PATIENCE) {
    const seconds = Math.min(Math.max(Number(response.headers.get("Retry-After")) || 1, 0.2), 10);
    busy?.(seconds);
    await pause(seconds * 1000, options.signal);
    return request(path, options, busy, tries + 1);
  }
  if (!response.ok) throw new ApiError(await reason(response), response.status);
  return response;
}

async function reason(response) {
  try {
    const { error } = await response.json();
    if (typeof error === "string") return error;
  } catch {
    // The answer was no JSON: its status has to do.
  }
  return response.status === 503 ? "The server is busy. Try again in a moment." : `The server answered ${response.status}.`;
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("given up", "AbortError"));
    });
  });
}
