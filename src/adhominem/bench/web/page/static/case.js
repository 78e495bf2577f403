// The view Case: many texts, every one against every other.

import { post } from "./api.js";
import { startCaseTexts } from "./case_texts.js";
import { compare } from "./compare.js";
import { fill, find, make, on } from "./dom.js";
import { follow } from "./job.js";
import { complain, inform, quiet, say } from "./notices.js";
import { counted, grouped, signed } from "./numbers.js";
import { listen, replaceTexts, state, withSettings } from "./state.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function startCase() {
  startCaseTexts();
  on("case-start", "click", run);
  listen("case-texts", () => state.caseAsked || show(true));
  listen("settings", () => state.caseAsked && run());
}

async function run() {
  const texts = state.caseTexts.map(({ name, author, text }) => ({ name, author, text }));
  const { questioned } = state;
  const title = `Comparing ${grouped((texts.length * (texts.length - 1)) / 2)} pairs`;
  quiet();
  show(false);
  try {
    const { job } = await post("/api/cases", withSettings({ texts, questioned }));
    const nodes = await follow(job, find("case-progress"), title);
    quiet();
    if (!nodes) {
      show(true);
      inform("The case was cancelled. The texts are still here.");
      return;
    }
    state.caseAsked = { texts, questioned };
    fill(find("case-result"), [...nodes.childNodes]);
    followFigures(find("case-result"));
    say(`Done: ${counted(texts.length, "text")} compared.`);
  } catch (error) {
    show(true);
    complain(error);
  }
}

function show(isInput) {
  find("case-input").hidden = !isInput;
  fill(find("case-result"));
}

function followFigures(node) {
  on("case-change", "click", () => show(true));
  node.addEventListener("pointerover", ({ target }) => {
    if (target.closest("[data-index]")) point(target.closest("[data-index]").dataset.index);
  });
  for (const link of node.querySelectorAll("[data-pair]")) {
    link.addEventListener("click", () => openPair(...link.dataset.pair.split(" ")));
  }
  followMatrix(node.querySelector(".cluster"));
}

/** Marks a text in all figures. */
function point(index) {
  for (const one of find("case-result").querySelectorAll("[data-index]")) {
    one.classList.toggle("pointed", one.dataset.index === String(index));
  }
}

/** Tells of the pair under the pointer or the cursor, and opens it. */
function followMatrix(cluster) {
  const cells = JSON.parse(cluster.dataset.cells);
  const matrix = cluster.querySelector(".matrix");
  const n = cells.order.length;
  const cursor = make("span", { class: "cursor", hidden: true });
  let [row, column] = [0, Math.min(1, n - 1)];
  matrix.append(cursor);
  matrix.tabIndex = 0;
  matrix.setAttribute("role", "application");
  matrix.setAttribute(
    "aria-label",
    `Matrix of evidence, ${n} by ${n}. Arrow keys go from pair to pair, Enter compares the two texts.`,
  );

  function go(toRow, toColumn, aloud) {
    [row, column] = [toRow, toColumn].map((at) => Math.min(Math.max(at, 0), n - 1));
    cursor.style.setProperty("--row", row);
    cursor.style.setProperty("--column", column);
    const { names, llr, letters, words } = cells;
    const evidence = `log₁₀ LR ${signed(llr[row][column])}, ${words[letters[row][column]]}`;
    const pair = `${names[row]} and ${names[column]}: ${evidence}`;
    const told = row === column ? `${names[row]}: a text and itself` : pair;
    find("matrix-words").textContent = told;
    point(cells.order[row]);
    if (aloud) say(told);
  }
  function goToPointer({ clientX, clientY }) {
    const { left, top, width } = matrix.getBoundingClientRect();
    const at = (offset) => Math.floor((offset * n) / width);
    go(at(clientY - top), at(clientX - left), false);
  }
  const open = () => row !== column && openPair(cells.order[row], cells.order[column]);
  matrix.addEventListener("pointermove", goToPointer);
  matrix.addEventListener("pointerleave", () => point(null));
  matrix.addEventListener("click", (event) => {
    goToPointer(event);
    open();
  });
  matrix.addEventListener("focus", () => {
    cursor.hidden = !matrix.matches(":focus-visible");
    go(row, column, false);
  });
  matrix.addEventListener("blur", () => {
    cursor.hidden = true;
  });
  matrix.addEventListener("keydown", (event) => {
    if (event.key === "Enter") open();
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    cursor.hidden = false;
    go(row + step[0], column + step[1], true);
  });
}

/** A pair of the case in the view Compare, the questioned text on the right. */
function openPair(i, j) {
  const { texts, questioned } = state.caseAsked;
  const [one, other] = [texts[i], texts[j]];
  const [left, right] = one.name === questioned ? [other, one] : [one, other];
  replaceTexts([{ name: left.name, text: left.text }], [{ name: right.name, text: right.text }]);
  location.hash = "compare";
  compare();
}
