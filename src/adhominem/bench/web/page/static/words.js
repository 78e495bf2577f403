// The words of a heat map: their numbers under the pointer or the arrow keys, their concordance on
// demand.

import { button, fill, find, make } from "./dom.js";
import { say } from "./notices.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 12, ArrowUp: -12 };
const card = find("detail");

/** Makes the words of all heat maps in a container explorable; `open(words, node)` is called with
    the word that was clicked. */
export function followWords(container, open) {
  for (const node of container.querySelectorAll(".heat [title]")) {
    node.dataset.numbers = node.title; // shown at once, and to the keyboard too
    node.removeAttribute("title");
  }
  for (const heat of container.querySelectorAll(".heat")) {
    const name = heat.closest(".side").querySelector("h2, h3").textContent;
    const keys = "Arrow keys go from word to word, Enter shows the concordance.";
    const labels = { tabindex: "0", role: "group", "aria-label": `${name}. ${keys}` };
    for (const [attribute, value] of Object.entries(labels)) heat.setAttribute(attribute, value);
  }
  for (const word of container.querySelectorAll(".heaviest b")) {
    const words = word.textContent;
    const properties = { class: "word-chip", "aria-label": `${words}, show its concordance` };
    word.replaceWith(button(words, () => open(words), properties));
  }
  container.addEventListener("pointerover", (event) => show(wordOf(event.target)));
  container.addEventListener("pointerleave", hide);
  container.addEventListener("click", (event) => {
    const node = wordOf(event.target);
    if (!node?.textContent || String(getSelection())) return;
    mark(node);
    open(node.textContent, node);
  });
  container.addEventListener("keydown", (event) => onKey(event, open));
  container.addEventListener("focusin", ({ target }) => {
    if (target.matches(".heat:focus-visible")) show(current(target) ?? step(target, 1));
  });
  container.addEventListener("focusout", hide);
}

/** Makes a word the current one of its text and scrolls to it. */
export function goTo(node) {
  mark(node);
  node.scrollIntoView({ block: "center" });
  node.classList.remove("flash");
  void node.offsetWidth; // so that the flash starts anew
  node.classList.add("flash");
}

/** The word of a heat map at a position of its text. */
export function wordAt(heat, position) {
  const walker = document.createTreeWalker(heat, NodeFilter.SHOW_TEXT);
  for (let end = 0; walker.nextNode(); ) {
    end += walker.currentNode.length;
    if (position < end) return walker.currentNode.parentElement.closest("b");
  }
  return null;
}

function onKey(event, open) {
  const heat = event.target.closest(".heat");
  if (!heat) return;
  if (event.key in STEPS) {
    event.preventDefault();
    const node = step(heat, STEPS[event.key]);
    show(node, true);
    node?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && current(heat)?.textContent) {
    event.preventDefault();
    open(current(heat).textContent, current(heat));
  } else if (event.key === "Escape") hide();
}

const wordOf = (node) => node.closest?.(".heat b, .heat i") ?? null;
const current = (heat) => heat.querySelector(".current");

function mark(node) {
  current(node.closest(".heat"))?.classList.remove("current");
  node.classList.add("current");
}

function step(heat, by) {
  const words = [...heat.querySelectorAll("b, i")];
  const at = words.indexOf(current(heat));
  const node = words[at < 0 ? 0 : Math.min(Math.max(at + by, 0), words.length - 1)];
  if (node) mark(node);
  return node;
}

function show(node, aloud = false) {
  if (!node) {
    hide();
    return;
  }
  const words = node.textContent;
  const lines = node.dataset.numbers.split("; ");
  fill(
    card,
    words ? make("strong", {}, words) : null,
    lines.map((line) => make("span", {}, line)),
  );
  card.hidden = false;
  const { left, top, bottom } = node.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const isBelow = bottom + 8 + height < innerHeight;
  card.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  card.style.top = `${isBelow ? bottom + 8 : Math.max(8, top - height - 8)}px`;
  if (aloud) say([words, ...lines].join("; "));
}

function hide() {
  card.hidden = true;
}
