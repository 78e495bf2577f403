// The view Compare: two sides in, the answer with both texts coloured out.

import { postForNodes } from "./api.js";
import { closeConcordance, openConcordance } from "./concordance.js";
import { button, fill, find, on } from "./dom.js";
import { complain, inform, quiet, say } from "./notices.js";
import { counted, wordsIn } from "./numbers.js";
import { listen, namesOf, replaceTexts, state, tell, textsOf, withSettings } from "./state.js";
import { startInputs } from "./text_inputs.js";
import { followWords } from "./words.js";

export const LABELS = { left: "Known", right: "Questioned" };
let running = null;

export function startCompare() {
  startInputs("left");
  startInputs("right");
  listen("texts", showInputs);
  listen("settings", () => state.answer && compare());
  on("texts", "submit", (event) => {
    event.preventDefault();
    compare();
  });
  on("texts", "keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) compare();
  });
  on("clear-button", "click", () => {
    replaceTexts([{ name: "", text: "" }], [{ name: "", text: "" }]);
    quiet();
    find("left-text-0").focus();
  });
  on("change-texts", "click", () => {
    showInputs();
    find("left-text-0").focus();
  });
  on("compare-cancel", "click", () => {
    running?.abort();
    showInputs();
    inform("The comparison was cancelled.");
  });
}

/** Asks the server; the answer is drawn and told to the other views. */
export async function compare() {
  const [left, right] = [textsOf("left"), textsOf("right")];
  if (!left.length || !right.length) {
    inform(left.length ? "The questioned text is empty." : "There is no known text yet.");
    find(left.length ? "right-text-0" : "left-text-0").focus();
    return;
  }
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  quiet();
  if (find("view-compare").hidden) inform("Both texts are read again…");
  showWaiting(left, right);
  try {
    const nodes = await postForNodes("/api/explain", withSettings({ left, right }), { signal });
    quiet();
    show(nodes, left, right);
    tell("answer");
    find("verdict").focus({ preventScroll: true });
    say(state.answer.changes.dataset.said);
    if (!find("view-compare").hidden) scrollTo({ top: 0 });
  } catch (error) {
    if (error.name === "AbortError") return;
    showInputs();
    complain(error);
  }
}

function showInputs() {
  find("ask").hidden = false;
  find("asked").hidden = true;
  find("waiting").hidden = true;
  fill(find("answer"));
  closeConcordance();
}

function showWaiting(left, right) {
  for (const [side, texts] of Object.entries({ left, right })) {
    const words = texts.reduce((n, text) => n + wordsIn(text), 0);
    find(`asked-${side}`).textContent =
      `${counted(texts.length, "text")}, ${counted(words, "word")}`;
  }
  fill(find("answer"));
  closeConcordance();
  find("ask").hidden = true;
  find("asked").hidden = false;
  find("waiting").hidden = false;
}

function show(nodes, left, right) {
  const [changes, result, heatmaps] = [".changes", ".result", ".heatmaps"].map((name) =>
    nodes.querySelector(name),
  );
  const names = { left: namesOf("left"), right: namesOf("right") };
  state.answer = { left, right, names, changes, result, heatmaps };
  changes.remove(); // for the view What if
  const sides = Object.entries({ left, right }).map(([side, texts], i) => {
    const card = heatmaps.querySelectorAll(".side")[i];
    card.querySelectorAll("h4").forEach((title, j) => {
      title.textContent = names[side][j];
    });
    return { label: LABELS[side], texts, heats: [...card.querySelectorAll(".heat")] };
  });
  const look = (phrase, node) => openConcordance(phrase, sides, node);
  const opener = button("Concordance…", () => look(""), { class: "quiet-button" });
  heatmaps.querySelector(".sides").before(opener);
  followWords(heatmaps, look);
  find("waiting").hidden = true;
  fill(find("answer"), [...nodes.childNodes]);
}
