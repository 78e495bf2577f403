// The sample case as a walk through the views, step by step.

import { compare } from "./compare.js";
import { find, on } from "./dom.js";
import { complain } from "./notices.js";
import { loadSample, state } from "./state.js";

const SEEN = "adhominem-welcomed";
const panel = find("guide");
const steps = [...find("guide-steps").children];
let at = 0;

export function startGuide() {
  find("welcome-title").textContent = state.sample.title;
  find("welcome-story").textContent = state.sample.story;
  find("welcome").hidden = localStorage.getItem(SEEN) !== null;
  on("welcome-start", "click", begin);
  on("sample-button", "click", begin);
  on("welcome-later", "click", () => {
    dismiss();
    find("left-text-0").focus();
  });
  on("guide-next", "click", () => (at < steps.length - 1 ? go(at + 1) : end()));
  on("guide-back", "click", () => go(at - 1));
  on("guide-end", "click", end);
}

function dismiss() {
  localStorage.setItem(SEEN, "yes");
  find("welcome").hidden = true;
}

function begin() {
  dismiss();
  loadSample();
  go(0);
}

async function go(to) {
  at = to;
  const { view, target, answered } = steps[to].dataset;
  location.hash = view;
  draw();
  if (answered !== undefined && !state.answer) await compare().catch(complain);
  await new Promise((resolve) => setTimeout(resolve, 60)); // the view follows the address
  if (at !== to || panel.hidden) return;
  unmark();
  const node = document.querySelector(target);
  node?.classList.add("guided");
  node?.scrollIntoView({ block: "start" });
}

function draw() {
  const isLast = at === steps.length - 1;
  steps.forEach((step, i) => {
    step.hidden = i !== at;
  });
  find("guide-count").textContent = `Sample case, ${at + 1} of ${steps.length}`;
  find("guide-next").textContent = at === 0 ? "Compare them" : isLast ? "Done" : "Next";
  find("guide-back").hidden = at === 0;
  find("guide-end").hidden = isLast;
  panel.hidden = false;
  find("guide-next").focus({ preventScroll: true });
}

function end() {
  panel.hidden = true;
  unmark();
}

function unmark() {
  for (const old of document.querySelectorAll(".guided")) old.classList.remove("guided");
}
