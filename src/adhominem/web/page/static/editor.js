// A text that is edited in place on its own heat map: the colours lie under a see-through text field.
// Until the next answer comes, colours move along with what was not touched.

import { fill, make } from "./dom.js";
import { cutter, layOut } from "./pieces.js";
import { ATTENTION, peaksOf } from "./heat.js";

export function editor(label, changed) {
  const colours = make("div", { class: "under", "aria-hidden": "true", dir: "auto" });
  const area = make("textarea", { class: "over", spellcheck: "false", "aria-label": label, dir: "auto" });
  const node = make("div", { class: "editor" }, colours, area);
  let drawn = null; // the last answer for this text, its method and the peaks of its side
  area.addEventListener("input", () => {
    draw();
    changed(area.value);
  });
  area.addEventListener("scroll", () => {
    colours.scrollTop = area.scrollTop;
  });

  function draw() {
    if (!drawn) return;
    const { method, peaks } = drawn;
    const { passages } = layOut(moved(drawn.text, area.value), Infinity, Infinity);
    fill(colours, passages.map(({ sentence, pieces }) => {
      const spots = pieces.filter((piece) => piece.text).map((piece) => (piece.word ? spot(piece, sentence, method, peaks) : piece.text));
      return sentence ? make("span", { class: "sentence", style: { "--s": share(sentence.weight, peaks.sentence) } }, spots) : spots;
    }), "\n");
  }

  return {
    node,
    area,
    get text() {
      return area.value;
    },
    /** Puts in a text as if it had been typed. */
    put(text) {
      area.value = text;
      draw();
    },
    /** Colours for `side[index]`, whatever has been typed since. */
    colour(side, index, method) {
      drawn = { text: side[index], method, peaks: peaksOf(side, method) };
      draw();
    },
  };
}

function spot({ text, word }, sentence, method, peaks) {
  const weight = method === ATTENTION ? word.weight * (sentence?.weight ?? 0) : word.weight;
  const together = method !== ATTENTION && word.weight < 0;
  return make("b", { class: together ? "together" : null, style: { "--w": share(word.weight, peaks.word), "--p": share(weight, peaks.importance) } }, text);
}

const share = (weight, peak) => (peak ? Math.min(Math.abs(weight ?? 0) / peak, 1).toFixed(3) : "0");

/** An explanation of the old text carried over to the new one: what lies before and after the edit. */
function moved(old, text) {
  if (old.text === text) return old;
  const from = cutter(old.text);
  const to = cutter(text);
  const [a, b] = [Array.from(old.text), Array.from(text)];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  let rest = 0;
  while (rest < a.length - same && rest < b.length - same && a[a.length - 1 - rest] === b[b.length - 1 - rest]) rest += 1;
  const by = to.length - from.length;
  const shift = (one) => {
    if (one.end <= same) return one;
    if (one.start >= from.length - rest) return { ...one, start: one.start + by, end: one.end + by };
    return null;
  };
  return {
    text,
    words: old.words.map(shift).filter(Boolean),
    sentences: old.sentences.map((one) => shift(one) ?? { ...one, start: Math.min(one.start, to.length), end: Math.max(one.start, one.end + by) }),
  };
}
