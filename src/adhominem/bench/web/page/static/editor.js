// A text that is edited in place on its own heat map: boxes of colour lie under a see-through text field.
// They are measured on a copy of the text, so that colours and letters break their lines alike. Until the
// next answer comes, colours move along with what was not touched.

import { fill, make } from "./dom.js";
import { ATTENTION, peaksOf } from "./heat.js";

export function editor(label, changed) {
  const copy = make("div", { class: "copy" });
  const boxes = make("div", { class: "boxes-of-colour" });
  const area = make("textarea", { class: "over", spellcheck: "false", "aria-label": label, dir: "auto" });
  const node = make("div", { class: "editor" }, make("div", { class: "under", "aria-hidden": "true", dir: "auto" }, copy, boxes), area);
  let drawn = null; // the last answer for this text, its method and the peaks of its side
  area.addEventListener("input", () => {
    draw();
    changed(area.value);
  });
  new ResizeObserver(draw).observe(node);

  function draw() {
    copy.textContent = `${area.value}\n`;
    if (!drawn || !node.isConnected) return;
    const { method, peaks } = drawn;
    const { words, sentences } = moved(drawn.text, area.value);
    const measure = ruler(copy);
    fill(boxes,
      sentences.flatMap((sentence) => measure(sentence, (style) => make("span", { class: "sentence", style: { ...style, "--s": share(sentence.weight, peaks.sentence) } }))),
      words.flatMap((word) => {
        const weight = method === ATTENTION ? word.weight * (drawn.text.sentences[word.sentence]?.weight ?? 0) : word.weight;
        const colours = { "--w": share(word.weight, peaks.word), "--p": share(weight, peaks.importance) };
        return measure(word, (style) => make("b", { class: method !== ATTENTION && word.weight < 0 ? "together" : null, style: { ...style, ...colours }, "data-word": word.text }));
      }));
  }

  return {
    node,
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

/** Boxes for a stretch of the text in `copy`, one on each line; places are counted in code points. */
function ruler(copy) {
  const text = copy.firstChild;
  const origin = copy.getBoundingClientRect();
  const units = [0];
  for (const character of text.data) units.push(units.at(-1) + character.length);
  return ({ start, end }, box) => {
    if (end <= start || end >= units.length) return [];
    const range = document.createRange();
    range.setStart(text, units[start]);
    range.setEnd(text, units[end]);
    return [...range.getClientRects()].filter((rect) => rect.width).map((rect) => box({ left: `${rect.left - origin.left}px`, top: `${rect.top - origin.top}px`, width: `${rect.width}px`, height: `${rect.height}px` }));
  };
}

const share = (weight, peak) => (peak ? Math.min(Math.abs(weight ?? 0) / peak, 1).toFixed(3) : "0");

/** An explanation of the old text carried over to the new one: what lies before and after the edit. */
function moved(old, text) {
  if (old.text === text) return old;
  const [a, b] = [Array.from(old.text), Array.from(text)];
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same += 1;
  let rest = 0;
  while (rest < most - same && a[a.length - 1 - rest] === b[b.length - 1 - rest]) rest += 1;
  const by = b.length - a.length;
  const shift = (one) => {
    if (one.end <= same) return [one];
    return one.start >= a.length - rest ? [{ ...one, start: one.start + by, end: one.end + by }] : [];
  };
  return { words: old.words.flatMap(shift), sentences: old.sentences.flatMap(shift) };
}
