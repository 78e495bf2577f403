// The view Compare: two sides in, the answer with both texts coloured out.

import { postForNodes } from "./api.js";
import { closeConcordance, openConcordance } from "./concordance.js";
import { button, fill, find, on } from "./dom.js";
import { complain, inform, quiet, say } from "./notices.js";
import { counted, wordsIn } from "./numbers.js";
import { filled, listen, replaceTexts, state, tell, withSettings } from "./state.js";
import { startInputs } from "./text_inputs.js";
import { followWords } from "./words.js";

export const LABELS = { left: "Known", right: "Questioned" };
let running = null;

export function startCompare() {
  startInputs("left");
  startInputs("right");
  listen("texts", () => setStage("ask"));
  listen("settings", () => state.answer && compare());
  on("texts", "submit", (event) => {
    event.preventDefault();
    compare();
  });
  on("texts", "keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) compare();
  });
  on("clear-button", "click", () => {
    const { left, right } = state;
    replaceTexts([{ name: "", text: "" }], [{ name: "", text: "" }]);
    inform("Both sides are empty now.", { Undo: () => replaceTexts(left, right) });
    find("left-text-0").focus();
  });
  on("change-texts", "click", () => {
    setStage("ask");
    find("left-text-0").focus();
  });
  on("compare-cancel", "click", () => {
    running?.abort();
    setStage("ask");
    inform("The comparison was cancelled.");
  });
}

/** Asks the server; the answer is drawn and told to the other views. */
export async function compare() {
  const [left, right] = ["left", "right"].map((side) => filled(side).map((one) => one.text));
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
  find("asked-left").textContent = sizeWords(left);
  find("asked-right").textContent = sizeWords(right);
  setStage("waiting");
  try {
    await state.giving;
    const nodes = await postForNodes("/api/explain", withSettings({ left, right }), { signal });
    quiet();
    show(nodes, left, right);
    tell("answer");
    find("verdict").focus({ preventScroll: true });
    say(state.answer.changes.dataset.said);
    if (!find("view-compare").hidden) scrollTo({ top: 0 });
  } catch (error) {
    if (error.name === "AbortError") return;
    setStage("ask");
    complain(error);
  }
}

/** "ask" for the inputs, "waiting", or "answer". */
function setStage(name) {
  find("ask").hidden = name !== "ask";
  find("asked").hidden = name === "ask";
  find("waiting").hidden = name !== "waiting";
  if (name === "answer") return;
  fill(find("answer"));
  closeConcordance();
}

function sizeWords(texts) {
  const words = texts.reduce((n, text) => n + wordsIn(text), 0);
  return `${counted(texts.length, "text")}, ${counted(words, "word")}`;
}

function show(nodes, left, right) {
  const [changes, result, heatmaps] = [".changes", ".result", ".heatmaps"].map((name) =>
    nodes.querySelector(name),
  );
  const edited = ({ read, text }) => (read !== undefined && read !== text ? ", edited" : "");
  const named = (side) => filled(side).map((one, i) => (one.name || `Text ${i + 1}`) + edited(one));
  const names = { left: named("left"), right: named("right") };
  state.answer = { left, right, names, changes, result, heatmaps };
  changes.remove(); // for the view What if
  const sides = Object.entries({ left, right }).map(([side, texts], i) => {
    const card = heatmaps.querySelectorAll(".side")[i];
    const heats = [...card.querySelectorAll(".heat")];
    const read = heats.map((heat) => heat.textContent); // without texts that were left out
    card.querySelectorAll("h4").forEach((title, j) => {
      const at = texts.indexOf(read[j]);
      title.textContent = names[side][at < 0 ? j : at];
    });
    return { label: LABELS[side], texts: read, heats };
  });
  const look = (phrase, node) => openConcordance(phrase, sides, node);
  const opener = button("Concordance…", () => look(""), { class: "quiet-button" });
  heatmaps.querySelector(".sides").before(opener);
  followWords(heatmaps, look);
  setStage("answer");
  fill(find("answer"), nodes);
}
