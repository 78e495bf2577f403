// The texts of a case: dropped or opened, named, and one of them perhaps questioned.

import { button, fill, find, make, on } from "./dom.js";
import { readAll, takeFiles } from "./files.js";
import { complain, say } from "./notices.js";
import { counted, grouped, wordsIn } from "./numbers.js";
import { listen, loadSample, state, tell } from "./state.js";

const MAX_SHOWN = 100;

export function startCaseTexts() {
  takeFiles(find("case-drop"), ["case-files", "case-folder"], take);
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

async function take(chosen) {
  const { forms } = state.limits;
  const isReadable = ({ file }) => forms.includes(file.name.split(".").pop().toLowerCase());
  try {
    const readable = chosen.length === 1 ? chosen : chosen.filter(isReadable);
    const texts = await readAll(readable, (done, total) => {
      find("case-status").textContent = `Read ${done} of ${counted(total, "file")}…`;
    });
    state.caseTexts = withOwnNames([...state.caseTexts, ...texts]);
    say(`${counted(texts.length, "text")} added`);
  } catch (error) {
    complain(error);
  } finally {
    find("case-status").textContent = "";
  }
  tell("case-texts");
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
  const author = make("input", {
    type: "text",
    value: one.author ?? "",
    "aria-label": `Author of ${one.name}`,
    placeholder: "unknown",
  });
  const question = make("input", {
    type: "radio",
    name: "questioned",
    "aria-label": `${one.name} is questioned`,
    checked: state.questioned === one.name,
  });
  author.addEventListener("input", () => {
    one.author = author.value.trim() || null;
  });
  question.addEventListener("change", () => {
    state.questioned = one.name;
  });
  const drop = () => {
    state.caseTexts.splice(i, 1);
    if (state.questioned === one.name) state.questioned = null;
    tell("case-texts");
  };
  const excerpt = make("span", { class: "note block excerpt", dir: "auto" }, one.text.slice(0, 90));
  const removal = { class: "quiet-button", "aria-label": `Remove ${one.name}` };
  const cells = [
    [make("strong", {}, one.name), excerpt],
    author,
    grouped(wordsIn(one.text)),
    question,
    button("×", drop, removal),
  ];
  return make(
    "tr",
    {},
    cells.map((cell) => make("td", {}, cell)),
  );
}

function withOwnNames(texts) {
  const taken = new Set();
  return texts.map((one, i) => {
    const base = one.name || `text ${i + 1}`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base} (${n})`;
    taken.add(name);
    return { ...one, name };
  });
}
