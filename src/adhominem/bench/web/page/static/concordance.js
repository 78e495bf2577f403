// Where a word or phrase stands in both texts, line by line with what is around it.

import { button, fill, find, make } from "./dom.js";
import { counted } from "./numbers.js";
import { goTo } from "./detail.js";

const AROUND = 48;
const MOST = 300;
const drawer = find("concordance");
let returnTo = null;

/** `sides` are [{label, texts: [str], heats: [element]}]. */
export function openConcordance(phrase, sides, opener) {
  returnTo = opener?.closest?.(".heat") ?? null;
  const field = make("input", { type: "search", value: phrase, "aria-label": "Word or phrase", spellcheck: "false" });
  const body = make("div", { class: "lines", tabindex: "0", role: "region", "aria-label": "Places" });
  const count = make("p", { class: "note", role: "status" });
  const look = () => showLines(field.value, sides, body, count);
  field.addEventListener("input", look);
  fill(drawer,
    make("div", { class: "concordance-head" },
      make("h2", {}, "Concordance"), field, count,
      button("×", close, { class: "quiet-button", "aria-label": "Close the concordance" })),
    body);
  drawer.hidden = false;
  document.body.classList.add("with-drawer");
  look();
}

export function close() {
  if (drawer.hidden) return;
  drawer.hidden = true;
  document.body.classList.remove("with-drawer");
  returnTo?.focus({ preventScroll: true });
}

drawer.addEventListener("keydown", (event) => event.key === "Escape" && close());

function showLines(phrase, sides, body, count) {
  const lines = sides.flatMap((side) => side.texts.flatMap((text, i) => places(phrase, text).map((place) => ({ side, text, i, ...place }))));
  const totals = sides.map((side) => `${side.label.toLowerCase()} ${lines.filter((line) => line.side === side).length}`);
  count.textContent = phrase.trim() ? `${counted(lines.length, "place")}: ${totals.join(", ")}` : "";
  fill(body, lines.length
    ? make("table", { class: "kwic" },
        make("caption", { class: "unseen" }, `Where “${phrase}” stands`), kwicColumns(),
        make("thead", { class: "unseen" }, make("tr", {}, ["Text", "Before", "The place", "After"].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, lines.slice(0, MOST).map(drawLine)))
    : make("p", { class: "note" }, phrase.trim() ? "In neither text." : "Type a word or a phrase."));
}

/** The widths of a table of lines. */
export function kwicColumns() {
  return make("colgroup", {}, ["which", "around", "own-column", "around"].map((name) => make("col", { class: name })));
}

function drawLine({ side, text, i, start, end }) {
  const name = side.texts.length > 1 ? `${side.label} ${i + 1}` : side.label;
  const go = () => {
    const node = wordAt(side.heats[i], text, start);
    if (node) goTo(node);
  };
  return make("tr", {},
    make("th", { scope: "row" }, name),
    make("td", { class: "before" }, make("bdi", {}, before(text, start))),
    make("td", { class: "own" }, button(text.slice(start, end), go, { class: "link-button", dir: "auto", "aria-label": `${text.slice(start, end)}, show it in the text` })),
    make("td", { class: "after" }, make("bdi", {}, after(text, end))));
}

function before(text, start) {
  const words = text.slice(Math.max(0, start - AROUND), start).replace(/\s+/g, " ");
  return start > AROUND ? `…${words.replace(/^\S*\s/, "")}` : words;
}

function after(text, end) {
  const words = text.slice(end, end + AROUND).replace(/\s+/g, " ");
  return end + AROUND < text.length ? `${words.replace(/\s\S*$/, "")}…` : words;
}

function places(phrase, text) {
  const wanted = phrase.trim();
  if (!wanted) return [];
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const letter = "[\\p{L}\\p{N}_]";
  const first = new RegExp(`^${letter}`, "u").test(wanted) ? `(?<!${letter})` : "";
  const last = new RegExp(`${letter}$`, "u").test(wanted) ? `(?!${letter})` : "";
  return [...text.matchAll(new RegExp(first + escaped + last, "giu"))].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** The word of a heat map at a place counted in UTF-16 units; words know theirs in code points. */
function wordAt(heat, text, start) {
  const place = Array.from(text.slice(0, start)).length;
  return [...(heat?.querySelectorAll("b") ?? [])].find((node) => node.told.word.start <= place && place < node.told.word.end);
}
