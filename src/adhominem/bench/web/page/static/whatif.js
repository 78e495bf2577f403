// The view What if: one text is edited, and verdict, scales and colours follow.

import { post, postForNodes } from "./api.js";
import { compare, LABELS } from "./compare.js";
import { fill, find, make, on, svg } from "./dom.js";
import { startEditor } from "./editor.js";
import { complain, quiet, say } from "./notices.js";
import { signed } from "./numbers.js";
import { listen, loadSample, state, withSettings } from "./state.js";
import { followWords } from "./words.js";

const PAUSE = 120; // milliseconds without a keystroke before the server is asked
const MAX_WEIGHED = 36; // undo buttons whose effect is measured ...
const AT_ONCE = 6; // ... a few at a time, which the server reads together
let editor = null;
let open = null; // the text that is edited: {answer, side, index, original, past, trail, last}
let timer = null;
let asking = null;
let searching = null;

export function startWhatIf() {
  editor = startEditor(document.querySelector(".editor"), () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask("typed"), PAUSE);
  });
  listen("answer", reopen);
  on("whatif-sample", "click", async () => {
    loadSample();
    await compare();
  });
  on("whatif-which", "change", ({ target }) => {
    const { side, index } = target.selectedOptions[0].dataset;
    openText(side, Number(index));
  });
  on("step-back", "click", () => {
    open.last = open.past.pop() ?? open.original;
    open.trail = open.trail.slice(0, Math.max(1, open.trail.length - 1));
    editor.put(open.last);
    ask(null);
  });
  on("start-again", "click", () => put(open.original, "as it was"));
  on("undoable", "click", ({ target }) => {
    const { edits, words } = target.closest("[data-edits]")?.dataset ?? {};
    if (edits) put(rewritten(editor.text, JSON.parse(edits)), words);
  });
  on("attack", "click", search);
  on("attack-cancel", "click", () => searching.abort());
  on("attack-found", "click", ({ target }) => {
    if (target.dataset.text) put(target.dataset.text, target.dataset.words);
  });
}

export function showWhatIf() {
  find("whatif-empty").hidden = Boolean(state.answer);
  find("whatif-body").hidden = !state.answer;
  if (state.answer && open?.answer !== state.answer) openText("right", 0);
}

/** After a new answer: the same text with the same edits, where it is still there. */
function reopen() {
  const before = open;
  const edited = editor.text;
  open = null;
  asking?.abort();
  if (find("view-whatif").hidden) return;
  if (before && state.answer?.[before.side][before.index] === before.original) {
    openText(before.side, before.index, edited);
  }
  showWhatIf();
}

function openText(side, index, edited = null) {
  const { answer } = state;
  const original = answer[side][index];
  const llr = Number(numbersOf(answer.changes)[0].value);
  const trail = [{ words: "as it was", llr }];
  open = { answer, side, index, original, past: [], trail, last: original };
  find("whatif-body").hidden = false;
  const heat = heatOf(answer.heatmaps, original).cloneNode(true);
  fill(find("whatif-before"), heat);
  followWords(find("whatif-maps"), () => {});
  searching?.abort();
  fill(find("attack-found"));
  drawChoice();
  editor.put(original);
  editor.colour(heat);
  showChanges(answer.changes, answer.result);
  if (edited === null || edited === original) ask(null);
  else put(edited, "as edited");
}

function drawChoice() {
  const { names } = open.answer;
  const options = ["right", "left"].flatMap((side) =>
    names[side].map((name, index) => {
      const isChosen = side === open.side && index === open.index;
      const several = names[side].length > 1;
      const words = several ? `${LABELS[side]}: ${name}` : `${LABELS[side]} text`;
      const data = { "data-side": side, "data-index": index, selected: isChosen };
      return make("option", data, words);
    }),
  );
  fill(find("whatif-which"), options);
}

function put(text, words) {
  if (text === editor.text) return;
  editor.put(text);
  clearTimeout(timer);
  ask(words);
}

function question(text = editor.text) {
  const { answer, side, index } = open;
  const sides = { left: [...answer.left], right: [...answer.right] };
  sides[side][index] = text;
  return sides;
}

/** Asks about the edited text; `words` name the change, null for none. */
async function ask(words) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const { text } = editor;
  const maps = find("whatif-maps");
  maps.classList.add("stale");
  try {
    const body = withSettings({ ...question(), contributions: false, habits: false });
    const nodes = await postForNodes("/api/explain", body, { signal });
    quiet();
    const changes = nodes.querySelector(".changes");
    if (words && text !== open.last) {
      open.past.push(open.last);
      open.trail = [...open.trail, { words, llr: Number(numbersOf(changes)[0].value) }];
    }
    open.last = text;
    editor.colour(heatOf(nodes, text));
    showChanges(changes, nodes.querySelector(".result"));
    say(changes.dataset.said);
    maps.classList.remove("stale");
    fill(find("undoable"), await postForNodes("/api/edits", { text }, { signal }));
    await weighUndoable(text, numbersOf(changes)[1], signal);
  } catch (error) {
    complain(error);
  } finally {
    if (!signal.aborted) maps.classList.remove("stale");
  }
}

/** The heat map of the text that is edited, whichever texts beside it were left out as copies. */
function heatOf(nodes, text) {
  const card = nodes.querySelectorAll(".side")[open.side === "left" ? 0 : 1];
  const heats = [...card.querySelectorAll(".heat")];
  const same = heats.find((heat) => heat.textContent === text);
  return same ?? heats[open.index] ?? make("div", { class: "heat" }, text);
}

/** The log10 LR and, where there is one, the distance. */
const numbersOf = (changes) =>
  [...changes.querySelectorAll("[data-value]")].map((row) => row.dataset);

/** The numbers before and after, the scales with hollow needles for the answer before. */
function showChanges(changes, result) {
  const { answer, past, trail, original } = open;
  const shown = changes.cloneNode(true);
  [...shown.children].forEach((row, i) => {
    const before = answer.changes.children[i];
    const is = row.querySelector(".is");
    const was = before?.querySelector(".is").textContent;
    if (was === undefined || was === is.textContent) return;
    const by = row.dataset.value - before.dataset.value;
    is.before(make("span", { class: "was" }, was), " → ");
    is.after(Number.isNaN(by) ? "" : make("span", { class: "by" }, ` ${signed(by)}`));
    is.classList.add("changed");
  });
  fill(find("whatif-changes"), shown);
  const scales = [".reasons", ".evidence-scale", ".distance"].map((name) => {
    const scale = result.querySelector(name)?.cloneNode(true) ?? null;
    const old = answer.result.querySelector(name);
    const needle = old?.querySelector(".needle");
    if (needle && scale && result !== answer.result) addHollow(scale, old, needle);
    return scale;
  });
  fill(find("whatif-scales"), scales);
  drawTrail(trail);
  find("step-back").disabled = !past.length;
  find("start-again").disabled = editor.text === original;
}

/** The needle of the answer before; the axis of the distance may have another end now. */
function addHollow(scale, old, needle) {
  const hollow = needle.cloneNode();
  const factor = scale.dataset.end ? old.dataset.end / scale.dataset.end : 1;
  hollow.classList.add("hollow");
  hollow.style.left = `${Math.min(Number.parseFloat(needle.style.left) * factor, 100)}%`;
  scale.querySelector(".needle").before(hollow);
}

/** The log10 likelihood ratio after every change. */
function drawTrail(trail) {
  const [width, height] = [240, 150];
  const end = Math.max(1, ...trail.map(({ llr }) => Math.abs(llr))) * 1.15;
  const x = (i) => 12 + (i * (width - 24)) / Math.max(trail.length - 1, 1);
  const y = (llr) => height / 2 - (llr * (height / 2 - 6)) / end;
  const steps = trail.map(({ llr }, i) => `${i ? "L" : "M"}${x(i)} ${y(llr)}`);
  const dots = trail.map(({ words, llr }, i) => {
    const place = { cx: x(i), cy: y(llr), r: i === trail.length - 1 ? 5 : 3 };
    return svg("circle", place, svg("title", {}, `${words}: ${signed(llr)}`));
  });
  find("trail").querySelector("path").setAttribute("d", steps.join(""));
  fill(find("trail").querySelector("g"), dots);
  find("trail").setAttribute("aria-label", `log10 LR after each of ${trail.length - 1} changes`);
  find("trail-words").textContent = `log₁₀ LR; last: ${trail.at(-1).words}`;
}

/** What each undo button alone would do to the distance. */
async function weighUndoable(text, distance, signal) {
  const buttons = [...find("undoable").querySelectorAll(".undo")].slice(0, MAX_WEIGHED);
  if (!distance) return;
  for (let first = 0; first < buttons.length; first += AT_ONCE) {
    const weigh = async (node) => {
      const other = question(rewritten(text, JSON.parse(node.dataset.edits)));
      const { decision } = await post("/api/verify", withSettings(other), { signal });
      if (decision.distance !== null) node.append(changeMark(decision.distance - distance.value));
    };
    await Promise.all(buttons.slice(first, first + AT_ONCE).map(weigh));
  }
}

function changeMark(change) {
  const words = Math.abs(change) < 0.005 ? "0" : signed(change);
  const mark = make("span", { class: `change ${change > 0 ? "apart" : "nearer"}` }, words);
  mark.style.setProperty("--strength", Math.min(Math.abs(change), 1));
  return mark;
}

/** A text with edits [start, end, new] made, in order; positions count code points. */
function rewritten(text, edits) {
  const characters = Array.from(text);
  let done = 0;
  let made = "";
  for (const [start, end, replacement] of edits) {
    made += characters.slice(done, start).join("") + replacement;
    done = end;
  }
  return made + characters.slice(done).join("");
}

/** Searches for the fewest edits that change the verdict. */
async function search() {
  searching?.abort();
  searching = new AbortController();
  const { side, index } = open;
  const budget = find("budget").valueAsNumber;
  const body = withSettings({ ...question(), side, index, budget });
  find("attack").disabled = true;
  find("attack-waiting").hidden = false;
  fill(find("attack-found"));
  try {
    const nodes = await postForNodes("/api/attack", body, { signal: searching.signal });
    fill(find("attack-found"), nodes);
  } catch (error) {
    const words = error.name === "AbortError" ? "The search was cancelled." : error.message;
    fill(find("attack-found"), make("p", { class: "note" }, words));
  } finally {
    find("attack").disabled = false;
    find("attack-waiting").hidden = true;
  }
}
