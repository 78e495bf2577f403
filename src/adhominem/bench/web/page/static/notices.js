// What the page has to say beside its answers: errors, waiting, and words for those who listen.

import { button, fill, find, make } from "./dom.js";

export function complain(error) {
  if (error.name === "AbortError") return;
  if (error.status === undefined) console.error(error);
  show(error.status === undefined ? "Something went wrong on this page. Reload it and try again." : error.message, "error");
}

export function inform(words) {
  show(words, "info");
}

export function busy(seconds) {
  show(`The server is busy; asking again in ${Math.ceil(seconds)} s.`, "busy");
}

export function quiet() {
  fill(find("notices"));
}

/** For screen readers alone. */
export function say(words) {
  find("said").textContent = words;
}

function show(words, kind) {
  const close = button("×", quiet, { class: "quiet-button", "aria-label": "Close this message" });
  fill(find("notices"), make("div", { class: `notice ${kind}` }, make("p", {}, words.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase())), close));
}
