// The numbers of a word under the pointer or the arrow keys, and its concordance on demand.

import { fill, find, make } from "./dom.js";
import { say } from "./notices.js";

const card = find("detail");

/** `open(words)` is called with the word that was clicked. */
export function followWords(container, open) {
  container.addEventListener("pointerover", (event) => show(spot(event.target)));
  container.addEventListener("pointerleave", hide);
  container.addEventListener("click", (event) => {
    const node = spot(event.target);
    if (!node || node.told.isMarker || String(getSelection())) return;
    mark(node);
    open(node.told.words, node);
  });
  container.addEventListener("keydown", (event) => onKey(event, container, open));
  container.addEventListener("focusin", (event) => {
    if (event.target.matches?.(".heat:focus-visible")) show(current(event.target) ?? step(event.target, 1));
  });
  container.addEventListener("focusout", hide);
}

/** Makes a word the current one of its text and brings it into sight. */
export function goTo(node) {
  mark(node);
  node.scrollIntoView({ block: "center" });
  node.classList.remove("flash");
  void node.offsetWidth; // so that the flash starts anew
  node.classList.add("flash");
}

function onKey(event, container, open) {
  const text = event.target.closest(".heat");
  if (!text) return;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 12, ArrowUp: -12 };
  if (event.key in steps) {
    event.preventDefault();
    const node = step(text, steps[event.key]);
    show(node, true);
    node?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && current(text) && !current(text).told.isMarker) {
    event.preventDefault();
    open(current(text).told.words, current(text));
  } else if (event.key === "Escape") hide();
}

const spot = (node) => (node?.told ? node : (node?.parentElement?.closest?.("b, i")?.told && node.parentElement.closest("b, i")) || null);
const current = (text) => text.querySelector(".current");

function mark(node) {
  const text = node.closest(".heat");
  current(text)?.classList.remove("current");
  node.classList.add("current");
}

function step(text, by) {
  const words = [...text.querySelectorAll("b, i")];
  if (!words.length) return null;
  const at = words.indexOf(current(text));
  const node = words[at < 0 ? 0 : Math.min(Math.max(at + by, 0), words.length - 1)];
  mark(node);
  return node;
}

function show(node, aloud = false) {
  if (!node) return hide();
  const { words, rows } = node.told;
  fill(card, make("strong", {}, words), make("dl", {}, rows.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
  card.hidden = false;
  const { left, top, bottom } = node.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const below = bottom + 8 + height < innerHeight;
  card.style.setProperty("left", `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
  card.style.setProperty("top", `${below ? bottom + 8 : Math.max(8, top - height - 8)}px`);
  if (aloud) say([words, ...rows.map((row) => row.join(" "))].join("; "));
  return undefined;
}

function hide() {
  card.hidden = true;
}
