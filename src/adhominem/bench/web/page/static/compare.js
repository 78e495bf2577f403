// The view Compare: two sides in, the answer with both texts coloured out.

import { button, fill, find, make } from "./dom.js";
import { busy, complain, inform, quiet, say } from "./notices.js";
import { post } from "./api.js";
import { namesOf, on, state, tell, textsOf, withSettings } from "./state.js";
import { textInputs } from "./text_inputs.js";
import { resultCard } from "./result.js";
import { heatOf, peaksOf, ATTENTION } from "./heat.js";
import { colourKey, layerSwitch } from "./layers.js";
import { followWords } from "./detail.js";
import { close, openConcordance } from "./concordance.js";
import { habitsSection } from "./habits.js";
import { habitNumbers } from "./marks.js";
import { counted, wordsIn } from "./numbers.js";
import { LABELS } from "./sides.js";
import { kindChoice } from "./kind.js";

const MOST_RANKED = 8;
let running = null;

export function startCompare() {
  const inputs = ["left", "right"].map((side) => textInputs(find(`${side}-input`), side, () => tell("texts")));
  on("texts-replaced", () => {
    inputs.forEach((input) => input.draw());
    showInputs();
  });
  find("texts").addEventListener("submit", (event) => {
    event.preventDefault();
    compare();
  });
  find("texts").addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && compare());
  find("clear-button").addEventListener("click", () => {
    for (const side of ["left", "right"]) state[side] = [{ name: "", text: "" }];
    state.answer = null;
    tell("texts-replaced");
    tell("answer");
    quiet();
    find("left-text-0").focus();
  });
  on("settings", () => state.answer && compare());
  find("kind-place").replaceWith(kindChoice("kind"));
}

/** Asks the server; the answer is drawn and told to the other views. */
export async function compare() {
  const left = textsOf("left");
  const right = textsOf("right");
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
  close();
  showAsked(left, right);
  fill(find("answer"), make("div", { class: "card waiting", role: "status" }, "Reading both texts…", button("Cancel", () => cancel(), { class: "link-button" })));
  try {
    const found = await post("/api/explain", withSettings({ left, right, contributions: true, habits: true }), { signal, busy });
    quiet();
    state.answer = { ...found, left, right, names: { left: namesOf("left"), right: namesOf("right") } };
    draw();
    tell("answer");
    find("verdict")?.focus({ preventScroll: true });
    say(`${found.words.verdict}. ${found.words.support}.`);
    if (!find("view-compare").hidden) scrollTo({ top: 0 });
  } catch (error) {
    if (error.name === "AbortError") return;
    showInputs();
    complain(error);
  }
}

function cancel() {
  running?.abort();
  showInputs();
  inform("The comparison was cancelled.");
}

function showInputs() {
  find("ask").hidden = false;
  find("asked").hidden = true;
  fill(find("answer"));
  close();
}

function showAsked(left, right) {
  const told = (texts) => `${counted(texts.length, "text")}, ${counted(texts.reduce((n, text) => n + wordsIn(text), 0), "word")}`;
  const again = () => {
    showInputs();
    find("left-text-0").focus();
  };
  find("ask").hidden = true;
  find("asked").hidden = false;
  fill(find("asked"),
    make("span", {}, make("b", {}, "Known "), told(left)), make("span", {}, make("b", {}, "Questioned "), told(right)),
    button("Change the texts", again),
    make("a", { class: "button", href: "#whatif" }, "What if…"), make("a", { class: "button", href: "#report" }, "Report"));
}

function draw() {
  const { explanation, words } = state.answer;
  fill(find("answer"), resultCard({ decision: explanation.decision, words }), heatmaps(explanation, words), habitsSection(explanation.habits, words));
}

function heatmaps(explanation, words) {
  const { method, habits } = explanation;
  const numbers = habitNumbers(habits);
  const sides = ["left", "right"].map((side) => {
    const peaks = peaksOf(explanation[side], method);
    const heats = heatOf(explanation[side], method, { hits: habits?.[side], numbers, peaks, label: `${LABELS[side]} text` });
    return { side, label: LABELS[side], peaks, heats: heats.map((heat) => heat.node), drawn: heats, texts: explanation[side].map((text) => text.text) };
  });
  const isSigned = method === ATTENTION && sides.some((side) => side.peaks.signed !== null);
  const section = make("section", { class: "heatmaps", "aria-label": "Both texts" });
  const look = (phrase, node) => openConcordance(phrase, sides, node);
  const layers = ["both", "words", "sentences", ...(isSigned ? ["signed"] : []), ...(habits ? ["habits"] : [])];
  fill(section,
    make("div", { class: "section-head" },
      make("h2", {}, method === ATTENTION ? "What the network looked at" : "What the answer rests on"),
      layerSwitch(section, "layer", layers),
      button("Concordance…", () => openConcordance("", sides), { class: "quiet-button" })),
    make("div", { class: "pair" }, sides.map((side) => sideCard(side, explanation, words, numbers, look))),
    readingNote(explanation, words, isSigned));
  followWords(section, look);
  return section;
}

function sideCard({ side, label, peaks, drawn, texts }, explanation, words, numbers, look) {
  const counts = (explanation.habits?.categories ?? []).map((row) => ({ name: row.name, number: numbers.get(row.name), count: row[side].count })).filter((row) => row.count);
  return make("article", { class: "card side" },
    make("h3", {}, texts.length > 1 ? `${label} texts` : `${label} text`),
    make("p", { class: "note" }, words.readings[side]),
    colourKey(explanation.method, peaks, counts),
    drawn.map(({ node, leftOut }, i) => [texts.length > 1 ? make("h4", {}, state.answer.names[side][i]) : null, node, leftOut]),
    heaviest(explanation[side], explanation.method, look));
}

/** The words that weigh most, each a way into its concordance. */
function heaviest(texts, method, look) {
  const all = texts.flatMap((text) => text.words.filter((word) => word.end > word.start).map((word) => ({ ...word, share: method === ATTENTION ? word.weight * text.sentences[word.sentence].weight : word.weight })));
  const seen = new Set();
  const isFirst = (word) => !seen.has(word.text.toLowerCase()) && seen.add(word.text.toLowerCase());
  const most = all.sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).filter(isFirst).slice(0, MOST_RANKED);
  return make("p", { class: "heaviest" }, make("span", { class: "note" }, "Weigh most: "), most.map((word) => button(word.text, () => look(word.text), { class: "word-chip", "aria-label": `${word.text}, show its concordance` })));
}

function readingNote(explanation, words, isSigned) {
  return make("details", { class: "card reading" },
    make("summary", {}, "How to read the colours"),
    make("p", {}, "Red shows words, blue shows sentences: no colour is 0, full colour the highest weight on that side. “Both” colours each word by the product of its own weight and that of its sentence. ¶ is the end of a sentence and ⏎ the end of a line: the network reads these as words too. Attention shows where the network looked. It is not proof of why it decided as it did."),
    isSigned ? make("p", {}, "“Signed” shows in which direction each word pulled, as a part of the log₁₀ likelihood ratio: blue pulls the texts together, vermilion pulls them apart. ", words.faithfulness ?? "") : null,
    make("p", {}, "“Habits” underlines what the rules found, apart from the network. The small number behind a place is that of its category in the key."));
}
