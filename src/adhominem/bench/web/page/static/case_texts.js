// The texts of a case: dropped or opened, named, and one of them perhaps questioned.

import { copyOf, fill, find, on } from "./dom.js";
import { passagesOf, takeFiles } from "./files.js";
import { counted, grouped, wordsIn } from "./numbers.js";
import { listen, loadSample, state, tell } from "./state.js";

const MAX_SHOWN = 100;

export function startCaseTexts() {
  const options = { progress: showProgress, skip: true };
  takeFiles(find("case-drop"), ["case-files", "case-folder"], take, options);
  on("case-sample", "click", loadSample);
  on("case-clear", "click", () => {
    Object.assign(state, { caseTexts: [], questioned: null });
    tell("case-texts");
  });
  on("questioned-none", "change", () => {
    state.questioned = null;
  });
  listen("case-texts", draw);
  draw();
}

function take(texts) {
  find("case-status").textContent = "";
  state.caseTexts = withOwnNames([...state.caseTexts, ...texts]);
  tell("case-texts");
}

function showProgress(done, total) {
  find("case-status").textContent = `Read ${done} of ${counted(total, "file")}…`;
}

function draw() {
  const { caseTexts: texts } = state;
  const n = texts.length;
  const authors = new Set(texts.map((one) => one.author).filter(Boolean));
  find("case-filled").hidden = !n;
  find("case-count").textContent =
    `${counted(n, "text")} of ${counted(authors.size, "known author")}`;
  fill(find("case-rows"), texts.slice(0, MAX_SHOWN).map(row));
  find("case-more").textContent = n > MAX_SHOWN ? `and ${grouped(n - MAX_SHOWN)} more` : "";
  find("questioned-none").checked = state.questioned === null;
  find("case-too-few").hidden = n > 1;
  find("case-start").disabled = n < 2;
  const pairs = n > 1 ? ` ${grouped((n * (n - 1)) / 2)} pairs` : "";
  find("case-start").textContent = `Compare all${pairs}`;
}

function row(one, i) {
  const node = copyOf("case-row");
  const [name, excerpt, author, question, drop] = node.querySelectorAll(
    "strong, .excerpt, input, button",
  );
  name.textContent = one.name;
  excerpt.textContent = one.text.slice(0, 90);
  const passages = passagesOf(one, () => tell("case-texts"));
  if (passages) node.children[0].append(passages);
  node.children[2].textContent = grouped(wordsIn(one.text));
  author.value = one.author ?? "";
  author.setAttribute("aria-label", `Author of ${one.name}`);
  author.addEventListener("input", () => {
    one.author = author.value.trim() || null;
  });
  question.checked = state.questioned === one.name;
  question.setAttribute("aria-label", `${one.name} is questioned`);
  question.addEventListener("change", () => {
    state.questioned = one.name;
  });
  drop.setAttribute("aria-label", `Remove ${one.name}`);
  drop.addEventListener("click", () => {
    state.caseTexts.splice(i, 1);
    if (question.checked) state.questioned = null;
    tell("case-texts");
  });
  return node;
}

function withOwnNames(texts) {
  const taken = new Set();
  const numbers = new Map();
  return texts.map((one, i) => {
    const base = one.name || `text ${i + 1}`;
    let name = base;
    while (taken.has(name)) {
      const n = (numbers.get(base) ?? 1) + 1;
      numbers.set(base, n);
      name = `${base} (${n})`;
    }
    taken.add(name);
    return { ...one, name };
  });
}
