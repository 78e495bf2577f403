// All positions of a word or phrase in both texts, line by line with the words around it.

import { copyOf, fill, find, on } from "./dom.js";
import { counted } from "./numbers.js";
import { goTo, wordAt } from "./words.js";

const AROUND = 48;
const MAX_LINES = 300;
const drawer = find("concordance");
const field = find("concordance-phrase");
let sides = [];
let returnTo = null;

export function startConcordance() {
  field.addEventListener("input", draw);
  on("concordance-close", "click", closeConcordance);
  drawer.addEventListener("keydown", (event) => event.key === "Escape" && closeConcordance());
}

/** `searched` are [{label, texts: [string], heats: [element]}]. */
export function openConcordance(phrase, searched, opener) {
  sides = searched;
  returnTo = opener?.closest(".heat") ?? null;
  field.value = phrase;
  drawer.hidden = false;
  document.body.classList.add("with-drawer");
  draw();
}

export function closeConcordance() {
  if (drawer.hidden) return;
  drawer.hidden = true;
  document.body.classList.remove("with-drawer");
  returnTo?.focus({ preventScroll: true });
}

function draw() {
  const phrase = field.value.trim();
  const lines = sides.flatMap(({ label, texts, heats }) =>
    texts.flatMap((text, i) => {
      const name = texts.length > 1 ? `${label} ${i + 1}` : label;
      const line = { label, name, text, heat: heats[i] };
      return matches(phrase, text).map((match) => ({ ...line, ...match }));
    }),
  );
  const totals = sides.map(({ label }) => {
    return `${label.toLowerCase()} ${lines.filter((line) => line.label === label).length}`;
  });
  const count = `${counted(lines.length, "place")}: ${totals.join(", ")}`;
  find("concordance-count").textContent = phrase ? count : "";
  find("concordance-empty").hidden = lines.length > 0;
  find("concordance-empty").textContent = phrase ? "In neither text." : "Type a word or a phrase.";
  fill(find("concordance-lines"), lines.slice(0, MAX_LINES).map(row));
}

function row({ name, text, heat, start, end }) {
  const node = copyOf("concordance-line");
  const [title, left, own, right] = node.querySelectorAll("th, bdi, button");
  title.textContent = name;
  left.textContent = before(text, start);
  own.textContent = text.slice(start, end);
  right.textContent = after(text, end);
  own.setAttribute("aria-label", `${own.textContent}, show it in the text`);
  own.addEventListener("click", () => {
    const word = wordAt(heat, start);
    if (word) goTo(word);
  });
  return node;
}

function before(text, start) {
  const words = text.slice(Math.max(0, start - AROUND), start).replace(/\s+/g, " ");
  return start > AROUND ? `…${words.replace(/^\S*\s/, "")}` : words;
}

function after(text, end) {
  const words = text.slice(end, end + AROUND).replace(/\s+/g, " ");
  return end + AROUND < text.length ? `${words.replace(/\s\S*$/, "")}…` : words;
}

/** Whole words only, in any case, any white space between them. */
function matches(phrase, text) {
  if (!phrase) return [];
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const letter = "[\\p{L}\\p{N}_]";
  const first = new RegExp(`^${letter}`, "u").test(phrase) ? `(?<!${letter})` : "";
  const last = new RegExp(`${letter}$`, "u").test(phrase) ? `(?!${letter})` : "";
  const found = text.matchAll(new RegExp(first + escaped + last, "giu"));
  return [...found].map(({ index, 0: words }) => ({ start: index, end: index + words.length }));
}
