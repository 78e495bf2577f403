// The search for the fewest edits that move the verdict.

import { button, fill, make, note } from "./dom.js";
import { busy, complain } from "./notices.js";
import { post } from "./api.js";
import { withSettings } from "./state.js";
import { counted, signed } from "./numbers.js";
import { cutter } from "./pieces.js";

const BUDGET = 8;

/** `question()` gives {left, right, side, index, text}; `accept(text, words)` takes the text that was found. */
export function attackPanel(question, accept) {
  const budget = make("input", { type: "number", min: "1", max: "30", value: String(BUDGET), id: "budget" });
  const found = make("div", { class: "found", "aria-live": "polite" });
  const start = button("Find the fewest edits that change the verdict", search);
  let running = null;

  async function search() {
    running?.abort();
    running = new AbortController();
    const asked = question();
    start.disabled = true;
    fill(found, make("p", { class: "waiting" }, "Trying edits that keep the meaning…", button("Cancel", () => running.abort(), { class: "link-button" })));
    try {
      const { left, right, side, index } = asked;
      const answer = await post("/api/attack", withSettings({ left, right, side, index, budget: Math.min(Math.max(Math.round(budget.valueAsNumber) || BUDGET, 1), 30) }), { signal: running.signal, busy });
      fill(found, story(answer, asked, accept));
    } catch (error) {
      fill(found, error.name === "AbortError" ? note("The search was cancelled.") : note(error.status === undefined ? "The search failed." : error.message));
      if (error.status === undefined) complain(error);
    } finally {
      start.disabled = false;
    }
  }

  const node = make("section", { class: "card attack", "aria-label": "Search for edits" },
    make("h2", { class: "h3" }, "How little would it take?"),
    note("Only edits that keep the meaning are tried: spelling, signs, capitals, punctuation, contractions, abbreviations."),
    make("p", { class: "actions tight" }, start, make("label", { for: "budget", class: "note" }, "at most "), budget), found);
  return { node, clear: () => { running?.abort(); fill(found); } };
}

function story(answer, asked, accept) {
  const { edits, before, after } = answer;
  if (!edits.length) return note("No edit that keeps the meaning moves the evidence in that direction.");
  const llr = `log₁₀ LR ${signed(before.llr)} → ${signed(after.llr)}`;
  const headline = answer.moved
    ? `${counted(edits.length, "edit")} ${edits.length === 1 ? "changes" : "change"} the verdict: ${answer.words_before.verdict} → ${answer.words_after.verdict}.`
    : `The verdict holds: ${counted(edits.length, "edit")} went farthest.`;
  return [
    make("p", {}, make("strong", {}, headline), " ", make("span", { class: "note" }, llr)),
    make("ol", { class: "edits" }, edits.map((edit) => drawEdit(edit, asked.text))),
    button("Make these edits", () => accept(answer.text, counted(edits.length, "edit"))),
  ];
}

function drawEdit(edit, text) {
  const { cut, length } = cutter(text);
  return make("li", { dir: "auto" },
    make("span", { class: "note" }, `…${cut(Math.max(0, edit.start - 24), edit.start).replace(/\s+/g, " ")}`),
    make("s", {}, edit.old), " ", make("b", {}, edit.new),
    make("span", { class: "note" }, `${cut(edit.end, Math.min(length, edit.end + 24)).replace(/\s+/g, " ")}…`));
}
