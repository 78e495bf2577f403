// The sample case as a walk through the views, one thing at a time.

import { button, fill, find, make } from "./dom.js";
import { state } from "./state.js";
import { loadSample } from "./sample.js";
import { compare } from "./compare.js";
import { complain } from "./notices.js";

const SEEN = "adhominem-welcomed";
const panel = find("guide");

/** `at` is what to look at, `before` what must have happened. */
const STEPS = [
  { view: "compare", at: "#texts", title: "The texts", words: "On the left what Wren has signed, on the right the anonymous review. Read them first: what would you say yourself?" },
  { view: "compare", before: ensureAnswer, at: ".result", title: "The answer", words: "The verdict is only a word. What counts is the strength of the evidence on the scale, and how often the model was wrong about texts like these." },
  { view: "compare", before: ensureAnswer, at: ".heatmaps", title: "Both texts", words: "Switch the layers. “Signed” shows what pulls the texts together or apart, “Habits” what rules find without the network. Rest on a word for its numbers." },
  { view: "compare", before: ensureAnswer, at: ".heat", title: "A word in its places", words: "Click “cuz”, “tho” or “&”: the concordance shows each place in both texts. Are they used alike?" },
  { view: "whatif", before: ensureAnswer, at: ".undoable", title: "What if?", words: "Undo a habit, or type over the text. If two corrections are enough to turn the verdict, it hung on them." },
  { view: "case", at: "#case-input", title: "All texts", words: "Wren is not the only candidate. Press “Compare all pairs” to set all texts of the case against each other." },
  { view: "report", before: ensureAnswer, at: "#report-body", title: "Hand it over", words: "The report says it all on one page. The bundle lets somebody else repeat it, number by number. That was the walk; now try your own texts." },
];
let place = 0;

export function startGuide() {
  const { title, story } = state.sample;
  find("welcome-title").textContent = title;
  find("welcome-story").textContent = story;
  find("welcome").hidden = localStorage.getItem(SEEN) !== null;
  find("welcome-start").addEventListener("click", begin);
  find("welcome-later").addEventListener("click", dismiss);
  find("sample-button").addEventListener("click", begin);
}

function dismiss() {
  localStorage.setItem(SEEN, "yes");
  find("welcome").hidden = true;
  find("left-text-0").focus();
}

function begin() {
  localStorage.setItem(SEEN, "yes");
  find("welcome").hidden = true;
  loadSample();
  go(0);
}

async function go(to) {
  place = to;
  const step = STEPS[to];
  location.hash = step.view;
  draw();
  try {
    await step.before?.();
  } catch (error) {
    complain(error);
  }
  await new Promise((resolve) => setTimeout(resolve, 60)); // the view is drawn after the address has changed
  if (place !== to || panel.hidden) return;
  for (const old of document.querySelectorAll(".guided")) old.classList.remove("guided");
  const target = document.querySelector(step.at);
  target?.classList.add("guided");
  target?.scrollIntoView({ block: "start" });
}

function draw() {
  const { title, words } = STEPS[place];
  const last = place === STEPS.length - 1;
  const next = last ? button("Done", end, { class: "primary" }) : button(place === 0 ? "Compare them" : "Next", () => go(place + 1), { class: "primary" });
  panel.hidden = false;
  fill(panel,
    make("p", { class: "kicker" }, `Sample case, ${place + 1} of ${STEPS.length}`),
    make("h2", {}, title), make("p", {}, words),
    make("p", { class: "actions tight" }, next, place ? button("Back", () => go(place - 1)) : null, last ? null : button("End", end, { class: "quiet-button" })));
  next.focus({ preventScroll: true });
}

function end() {
  panel.hidden = true;
  for (const old of document.querySelectorAll(".guided")) old.classList.remove("guided");
}

async function ensureAnswer() {
  if (!state.answer) await compare();
}
