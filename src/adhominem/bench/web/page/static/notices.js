// Messages beside the answers: errors, waiting, and words for screen readers.

import { button, fill, find, make } from "./dom.js";

export function complain(error) {
  if (error.name === "AbortError") return;
  if (error.status === undefined) console.error(error);
  const own = "Something went wrong on this page. Reload it and try again.";
  show(error.status === undefined ? own : error.message, "error");
}

/** `acts` are buttons by their words; each closes the message. */
export function inform(words, acts = {}) {
  show(words, "info", acts);
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

function show(words, kind, acts = {}) {
  const buttons = Object.entries(acts).map(([name, act]) =>
    button(name, () => {
      quiet();
      act();
    }),
  );
  const close = button("×", quiet, { class: "quiet-button", "aria-label": "Close this message" });
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  fill(
    find("notices"),
    make("div", { class: `notice ${kind}` }, make("p", {}, sentence), buttons, close),
  );
}
