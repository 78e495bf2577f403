// The habits of a text that can be undone: each with the standard form that would take its place.

import { button, fill, make, note } from "./dom.js";
import { cutter } from "./pieces.js";
import { counted } from "./numbers.js";

const TITLES = { spelling: "Spelling", sign: "Signs", case: "Capitals", punctuation: "Punctuation", contraction: "Contractions", abbreviation: "Abbreviations" };

/** Buttons in `node`; `undo(text, words)` is called with the new text. */
export function showUndoable(node, text, edits, undo) {
  if (!edits.length) {
    fill(node, note("No habit is left that a rule could undo."));
    return;
  }
  const everything = () => undo(rewritten(text, edits), "all habits");
  fill(node,
    make("p", { class: "actions tight" }, button(`Undo all ${edits.length}`, everything)),
    Object.keys(TITLES).map((kind) => kindRow(kind, edits.filter((edit) => edit.kind === kind), text, undo)));
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

function kindRow(kind, edits, text, undo) {
  if (!edits.length) return null;
  const groups = Map.groupBy ? Map.groupBy(edits, key) : group(edits);
  return make("div", { class: "undo-row" },
    make("h4", {}, TITLES[kind]),
    make("div", {}, [...groups.values()].map((same) => undoButton(same, text, undo))));
}

function undoButton(same, text, undo) {
  const [{ old, new: becomes }] = same;
  const act = () => undo(rewritten(text, same), `“${old}” → “${becomes}”`);
  return button([make("s", {}, old || "∅"), " → ", make("b", {}, becomes || "∅"), same.length > 1 ? make("span", { class: "note" }, ` ×${same.length}`) : null], act, {
    class: "undo", dir: "auto", "aria-label": `Undo this habit: “${old}” becomes “${becomes}” in ${counted(same.length, "place")}`,
  });
}

const key = (edit) => `${edit.old}\u0000${edit.new}`;

function group(edits) {
  const groups = new Map();
  for (const edit of edits) groups.set(key(edit), [...(groups.get(key(edit)) ?? []), edit]);
  return groups;
}
