// One side of the comparison, coloured: every word knows its numbers, and tells them on demand.

import { fill, make } from "./dom.js";
import { layOut, MOST_CHARACTERS, MOST_WORDS } from "./pieces.js";
import { marks } from "./marks.js";
import { grouped, percentWords, signed, weightWords } from "./numbers.js";

const GLYPHS = { "<sentence-end>": "end", "<line-break>": "break" };
const MARKERS = { "<sentence-end>": "end of a sentence", "<line-break>": "end of a line" };
export const ATTENTION = "attention";

/** What full colour stands for on one side. */
export function peaksOf(texts, method) {
  const words = texts.flatMap((text) => text.words.map((word) => ({ ...word, share: importance(word, text, method) })));
  const contributions = words.map((word) => word.contribution).filter((part) => part !== null);
  return {
    word: largest(words.map((word) => word.weight)),
    sentence: largest(texts.flatMap((text) => text.sentences.map((sentence) => sentence.weight))),
    importance: largest(words.map((word) => word.share)),
    signed: contributions.length ? largest(contributions) : null,
  };
}

/** The texts of a side as elements; `hits` are lists of habits, one for each text. */
export function heatOf(texts, method, { hits = [], numbers = new Map(), peaks = peaksOf(texts, method), label }) {
  let room = { words: MOST_WORDS, characters: MOST_CHARACTERS };
  return texts.map((text, i) => {
    const { passages, leftOut } = layOut(text, room.words, room.characters);
    const pieces = passages.flatMap((passage) => passage.pieces);
    room = { words: room.words - pieces.filter((piece) => piece.word && piece.text).length, characters: room.characters - pieces.reduce((n, piece) => n + piece.text.length, 0) };
    const marked = marks(pieces, hits[i] ?? [], numbers);
    const name = texts.length > 1 ? `${label}, document ${i + 1} of ${texts.length}` : label;
    const node = make("div", { class: `heat ${method === ATTENTION ? "" : "occlusion"}`, dir: "auto", tabindex: "0", role: "group", "aria-label": `${name}. Arrow keys go from word to word, Enter shows the concordance.` });
    let next = 0;
    fill(node, passages.map((passage) => drawPassage(passage, () => marked[next++], text, method, peaks)));
    return { node, leftOut: leftOut ? make("p", { class: "note" }, `${grouped(leftOut)} further characters are not shown here; the numbers count them.`) : null };
  });
}

function drawPassage({ sentence, pieces }, nextMark, text, method, peaks) {
  const spots = pieces.map((piece) => drawPiece(piece, nextMark(), text, method, peaks));
  if (!sentence) return spots;
  const together = method !== ATTENTION && sentence.weight < 0;
  return make("span", {
    class: `sentence${together ? " together" : ""}`,
    style: { "--s": strength(sentence.weight, peaks.sentence) },
    "data-chip": method === ATTENTION ? percentWords(sentence.weight ?? 0, peaks.sentence) : signed(sentence.weight),
    "data-total": sentence.contribution === null ? null : signed(sentence.contribution),
  }, spots);
}

function drawPiece({ text: words, word, start }, mark, text, method, peaks) {
  const classes = mark ? [mark.isQuiet ? "quiet" : "habit"] : [];
  const properties = { "data-n": mark?.numbers || null };
  if (!word) return mark ? make("u", { class: classes.join(" "), ...properties }, words) : words;
  if (method !== ATTENTION && word.weight < 0) classes.push("together");
  if ((word.contribution ?? 0) > 0) classes.push("for");
  if (!words) classes.push(GLYPHS[word.text] ?? "inner");
  const share = importance(word, text, method);
  const node = make(words ? "b" : "i", {
    class: classes.join(" ") || null,
    style: {
      "--w": strength(word.weight, peaks.word),
      "--p": strength(share, peaks.importance),
      ...(word.contribution === null || peaks.signed === null ? {} : { "--c": strength(word.contribution, peaks.signed) }),
    },
    ...properties,
  }, words);
  node.told = { word, start, words: words || (MARKERS[word.text] ?? word.text), isMarker: !words, rows: tell(word, text, share, mark, method) };
  return node;
}

function tell(word, text, share, mark, method) {
  const sentence = text.sentences[word.sentence];
  const sign = method !== ATTENTION;
  const rows = [["word", weightWords(word.weight, sign)], ["its sentence", weightWords(sentence.weight, sign)]];
  if (method === ATTENTION) rows.push(["word × sentence", weightWords(share)]);
  if (word.contribution !== null) rows.push([word.contribution > 0 ? "pulls together" : "pulls apart", `${signed(word.contribution, 3)} of log₁₀ LR`]);
  if (mark) rows.push(["habit", mark.words]);
  return rows;
}

function importance(word, text, method) {
  return method === ATTENTION ? word.weight * text.sentences[word.sentence].weight : word.weight;
}

function largest(weights) {
  return weights.reduce((most, weight) => Math.max(most, Math.abs(weight ?? 0)), 0);
}

function strength(weight, peak) {
  return peak ? Math.min(Math.abs(weight ?? 0) / peak, 1).toFixed(3) : "0";
}
