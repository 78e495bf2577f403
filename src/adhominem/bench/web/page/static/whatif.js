// The view What if: one text is edited, and distance, score and heat map follow.

import { button, fill, find, make } from "./dom.js";
import { busy, complain, quiet, say } from "./notices.js";
import { post } from "./api.js";
import { on, state, withSettings } from "./state.js";
import { compare } from "./compare.js";
import { LABELS } from "./sides.js";
import { editor } from "./editor.js";
import { showUndoable } from "./undoable.js";
import { attackPanel } from "./attack.js";
import { heatOf, peaksOf } from "./heat.js";
import { layerSwitch } from "./layers.js";
import { followWords } from "./detail.js";
import { changes, movements } from "./before_after.js";
import { loadSample } from "./sample.js";
import { kindChoice } from "./kind.js";

const PAUSE = 120; // milliseconds without a keystroke before the server is asked
const LAYERS = ["both", "words", "sentences"];
let open = null; // the bench: {side, index, original, text()}
let kind = null;

export function startWhatIf() {
  kind = kindChoice("whatif-kind");
  on("answer", () => {
    const before = open;
    open = null;
    if (find("view-whatif").hidden) return;
    const same = before && state.answer?.[before.side][before.index] === before.original;
    if (same) openBench(state.answer, before.side, before.index, before.text());
    showWhatIf();
  });
}

export function showWhatIf() {
  const empty = find("whatif-empty");
  if (!state.answer) {
    empty.hidden = false;
    find("whatif-body").hidden = true;
    fill(empty, make("h2", {}, "First compare two texts"), make("p", {}, "Then one of them can be changed here, word by word or habit by habit."),
      make("p", { class: "actions" }, make("a", { class: "button", href: "#compare" }, "To the texts"), button("Use the sample case", useSample, { class: "primary" })));
    return;
  }
  empty.hidden = true;
  find("whatif-body").hidden = false;
  if (!open) openBench(state.answer, "right", 0);
}

async function useSample() {
  loadSample();
  await compare();
  showWhatIf();
}

/** The workbench for one text of the answer, perhaps with what it was edited to before. */
function openBench(answer, side, index, edited = null) {
  const { explanation } = answer;
  const { method } = explanation;
  const original = explanation[side][index];
  const past = []; // texts to step back to
  let trail = [{ words: "as it was", llr: explanation.decision.llr }];
  let timer = null;
  let asking = null;
  let last = original.text;

  const facts = make("section", { class: "sticky-facts", "aria-label": "The answer before and after" });
  const scales = make("section", { class: "card", "aria-label": "Scales" });
  const undoable = make("div", { class: "undoable" });
  const field = editor(`${LABELS[side]} text, to be edited`, typed);
  const back = button("Step back", stepBack, { disabled: true });
  const again = button("Start again", () => put(original.text, "as it was"), { disabled: true });
  const attack = attackPanel(() => ({ ...question(), side, index, text: field.text }), put);
  const [heat] = heatOf([original], method, { peaks: peaksOf(explanation[side], method), label: `${LABELS[side]} text before` });
  const maps = make("section", { class: "heatmaps whatif-maps", "aria-label": "The text before and after" });

  function question(text = field.text) {
    const sides = { left: [...answer.left], right: [...answer.right] };
    sides[side][index] = text;
    return sides;
  }
  function typed() {
    clearTimeout(timer);
    timer = setTimeout(() => ask("typed"), PAUSE);
  }
  function put(text, words) {
    if (text === field.text) return;
    field.put(text);
    clearTimeout(timer);
    ask(words);
  }
  function stepBack() {
    const text = past.pop();
    last = text ?? original.text;
    trail = trail.slice(0, Math.max(1, trail.length - 1));
    field.put(last);
    ask(null);
  }
  async function ask(words) {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = field.text;
    maps.classList.add("stale");
    try {
      const found = await post("/api/explain", withSettings({ ...question(), contributions: false, habits: false }), { signal, busy });
      quiet();
      if (words && text !== last) {
        past.push(last);
        trail = [...trail, { words, llr: found.explanation.decision.llr }];
      }
      last = text;
      show(found);
      say(`${found.words.verdict}, score ${found.words.score}`);
      const { edits } = await post("/api/edits", { text }, { signal, busy });
      const here = found.explanation.decision.distance;
      await showUndoable(undoable, text, edits, put, async (other) => {
        const { decision } = await post("/api/verify", withSettings(question(other)), { signal });
        return here === null || decision.distance === null ? null : decision.distance - here;
      });
    } catch (error) {
      complain(error);
    } finally {
      if (!signal.aborted) maps.classList.remove("stale");
    }
  }
  function showChanges(found) {
    fill(facts, changes(answer, found));
    fill(scales, movements(answer, found, trail));
  }
  function show(found) {
    field.colour(found.explanation[side], index, method);
    showChanges(found);
    maps.classList.remove("stale");
    back.disabled = !past.length;
    again.disabled = field.text === original.text;
  }

  fill(maps,
    make("div", { class: "section-head" }, which(answer, side, index), kind, layerSwitch(maps, "whatif-layer", LAYERS)),
    make("div", { class: "pair" },
      make("article", { class: "card side" }, make("div", { class: "box-head" }, make("h2", { class: "h3" }, "Before")), heat.node, heat.leftOut),
      make("article", { class: "card side" }, make("div", { class: "box-head" }, make("h2", { class: "h3" }, "After: edit here"), make("span", {}, back, " ", again)), field.node)));
  fill(find("whatif-body"), facts, scales, maps,
    make("div", { class: "pair" },
      make("section", { class: "card", "aria-label": "Habits" }, make("h2", { class: "h3" }, "Undo a habit"), undoable),
      attack.node));
  followWords(maps, () => {});
  field.put(original.text);
  field.colour(explanation[side], index, method);
  showChanges(answer);
  open = { side, index, original: original.text, text: () => field.text };
  if (edited === null || edited === original.text) ask(null);
  else put(edited, "as edited");
}

/** Which text is edited: a side, and a document of it. */
function which(answer, side, index) {
  const all = ["right", "left"].flatMap((one) => answer.explanation[one].map((_, i) => ({ one, i })));
  const name = ({ one, i }) => (answer.explanation[one].length > 1 ? `${LABELS[one]}: ${answer.names[one][i]}` : `${LABELS[one]} text`);
  const choose = (event) => {
    const { one, i } = all[event.target.value];
    openBench(answer, one, i);
    find("whatif-which").focus();
  };
  return make("label", { class: "which" }, "Edit the ", make("select", { id: "whatif-which", on: { change: choose } },
    all.map((one, i) => make("option", { value: String(i), selected: one.one === side && one.i === index }, name(one)))));
}
