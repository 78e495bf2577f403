// The habits of a text that can be undone: each with the standard form that would take its place, and
// what that alone would do to the answer.

import { button, fill, make, note } from "./dom.js";
import { cutter } from "./pieces.js";
import { signed } from "./numbers.js";

const TITLES = { spelling: "Spelling", sign: "Signs", case: "Capitals", punctuation: "Punctuation", contraction: "Contractions", abbreviation: "Abbreviations" };
const MOST_WEIGHED = 36;
const AT_ONCE = 6; // the server reads them together

/** Buttons in `node`. `undo(text, words)` is called with the new text; `weigh(text)` gives the change that
    a text would bring, and is asked for a few at a time. */
export async function showUndoable(node, text, edits, undo, weigh) {
  if (!edits.length) {
    fill(node, note("No habit is left that a rule could undo."));
    return;
  }
  const groups = grouped(edits);
  const buttons = groups.map((same) => undoButton(same, text, undo));
  fill(node,
    make("p", { class: "actions tight" }, button(`Undo all ${edits.length}`, () => undo(rewritten(text, edits), "all habits")), make("span", { class: "note" }, "The number is what it alone does to the distance: + sets the texts apart.")),
    Object.keys(TITLES).map((kind) => kindRow(kind, buttons.filter((_, i) => groups[i][0].kind === kind))));
  for (let first = 0; first < Math.min(groups.length, MOST_WEIGHED); first += AT_ONCE) {
    const some = groups.slice(first, first + AT_ONCE);
    const changes = await Promise.all(some.map((same) => weigh(rewritten(text, same))));
    changes.forEach((change, i) => change !== null && buttons[first + i].append(changeMark(change)));
  }
}

function changeMark(change) {
  return make("span", { class: `change ${change > 0 ? "apart" : "nearer"}`, style: { "--strength": String(Math.min(Math.abs(change), 1)) } }, Math.abs(change) < 0.005 ? "0" : signed(change));
}

/** A text with edits made that are in order and do not overlap. */
export function rewritten(text, edits) {
  const { cut, length } = cutter(text);
  let done = 0;
  let made = "";
  for (const edit of edits) {
    made += cut(done, edit.start) + edit.new;
    done = edit.end;
  }
  return made + cut(done, length);
}

function kindRow(kind, buttons) {
  return buttons.length ? make("div", { class: "undo-row" }, make("h3", {}, TITLES[kind]), make("div", {}, buttons)) : null;
}

function undoButton(same, text, undo) {
  const [{ old, new: becomes }] = same;
  const act = () => undo(rewritten(text, same), `“${old}” → “${becomes}”`);
  const times = same.length > 1 ? make("span", { class: "note" }, ` ×${same.length}`) : null;
  return button([make("span", { class: "unseen" }, "Undo: "), make("s", {}, old || "∅"), " → ", make("b", {}, becomes || "∅"), times], act, { class: "undo", dir: "auto" });
}

/** Edits of one kind that do the same, together. */
function grouped(edits) {
  const groups = new Map();
  for (const edit of edits) {
    const key = [edit.kind, edit.old, edit.new].join("\u0000");
    groups.set(key, [...(groups.get(key) ?? []), edit]);
  }
  return [...groups.values()];
}
