// The evidence between every two texts as a matrix, in the order of the dendrogram beside it.

import { make, note } from "./dom.js";
import { on } from "./state.js";
import { say } from "./notices.js";
import { pairWords } from "./verbal.js";
import { dendrogram } from "./dendrogram.js";
import { signed } from "./numbers.js";

const HEIGHT = 600;
const NARROW = 700;
const LEGIBLE = 11; // pixels of a row that can have a label

export function clusterMap(result, point, open) {
  const { order } = result;
  const n = order.length;
  const room = innerWidth < NARROW ? innerWidth - 260 : HEIGHT;
  const fitting = Math.max(Math.min(room / n, 48), innerWidth < NARROW && n < 40 ? LEGIBLE * 1.6 : 0);
  const size = fitting < 8 ? Math.max(1, Math.round(fitting)) : fitting; // whole pixels where they show
  const strongest = Math.max(2, ...result.llr.map((row) => row.reduce((most, llr) => Math.max(most, Math.abs(llr ?? 0)), 0)));
  const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": `Matrix of evidence, ${n} by ${n}. Arrow keys go from pair to pair, Enter compares the two texts.`, "aria-describedby": "matrix-words" });
  const words = make("p", { class: "matrix-words note", id: "matrix-words" }, "Rest on a cell for its pair; click to compare the two texts.");
  const cursor = { row: 0, column: Math.min(1, n - 1) };
  const labels = size >= LEGIBLE ? drawLabels(result, size, point) : null;
  const isWide = n * size > 400;
  const tree = dendrogram(result, size, isWide && innerWidth >= NARROW ? 380 : 200);
  const numbers = size >= LEGIBLE * 1.6 ? make("div", { class: "column-numbers", "aria-hidden": "true", style: { "--size": `${size}px` } }, order.map((_, i) => make("span", {}, String(i + 1)))) : null;

  function redraw() {
    const scale = devicePixelRatio || 1;
    const side = Math.round(n * size);
    canvas.width = canvas.height = Math.round(side * scale);
    canvas.style.setProperty("width", `${side}px`);
    canvas.style.setProperty("height", `${side}px`);
    const ink = getComputedStyle(document.documentElement);
    const [muted, blue, red] = ["muted", "blue", "red"].map((name) => ink.getPropertyValue(`--${name}`).trim());
    const paint = canvas.getContext("2d");
    paint.scale(scale, scale);
    const gap = size >= 8 ? 1 : 0;
    order.forEach((i, row) => order.forEach((j, column) => {
      const llr = result.llr[i][j];
      const inset = size >= 10 && i !== j && llr !== null && !result.reliable[i][j] ? size * 0.2 : 0;
      const isOpen = i !== j && result.verdict[i][j] === "undecided";
      paint.fillStyle = i === j ? `rgb(${muted} / .25)` : isOpen ? `rgb(${muted} / .12)` : `rgb(${llr > 0 ? blue : red} / ${(0.12 + 0.8 * Math.min(Math.abs(llr) / strongest, 1)).toFixed(3)})`;
      paint.fillRect(column * size + inset, row * size + inset, size - gap - 2 * inset, size - gap - 2 * inset);
    }));
    if (canvas === document.activeElement) outline(paint, ink.getPropertyValue("--ink").trim());
  }
  function outline(paint, ink) {
    paint.strokeStyle = `rgb(${ink})`;
    paint.lineWidth = 2;
    paint.strokeRect(cursor.column * size, cursor.row * size, Math.max(size - 1, 3), Math.max(size - 1, 3));
  }
  function tellCursor(aloud) {
    words.textContent = pairWords(result, order[cursor.row], order[cursor.column]);
    point(order[cursor.row]);
    if (aloud) say(words.textContent);
  }
  function at(event) {
    const place = (offset) => Math.min(Math.max(Math.floor(offset / size), 0), n - 1);
    Object.assign(cursor, { row: place(event.offsetY), column: place(event.offsetX) });
  }
  const openCursor = () => cursor.row !== cursor.column && open(order[cursor.row], order[cursor.column]);
  canvas.addEventListener("pointermove", (event) => {
    at(event);
    tellCursor(false);
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    at(event);
    openCursor();
  });
  canvas.addEventListener("focus", redraw);
  canvas.addEventListener("blur", redraw);
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      cursor.row = Math.min(Math.max(cursor.row + step[0], 0), n - 1);
      cursor.column = Math.min(Math.max(cursor.column + step[1], 0), n - 1);
      redraw();
      tellCursor(true);
    } else if (event.key === "Enter") openCursor();
  });
  on("colours", () => canvas.isConnected && redraw());

  const node = make("section", { class: "card cluster", "aria-label": "Matrix of evidence" },
    make("h2", {}, "Who writes like whom"),
    note("Blue speaks for one author, vermilion for two; the stronger the colour, the stronger the evidence. A small square is less reliable. The tree joins what is most alike; right of its dashed line the mean evidence speaks for one author."),
    make("div", { class: "cluster-figure", tabindex: "0", role: "region", "aria-label": "Dendrogram and matrix" }, make("div", {}), make("div", {}), numbers ?? make("div", {}), tree, labels ?? make("div", {}), canvas),
    make("p", { class: "keys" }, make("span", { class: "key shown" }, `two authors ${signed(-strongest)}`, make("span", { class: "ramp together-right" }), `${signed(strongest)} one author`), make("span", { class: "note" }, "log₁₀ LR")),
    words);
  return { node, isWide, redraw, point: (index) => labels?.querySelectorAll("[data-index]").forEach((one) => one.classList.toggle("pointed", one.dataset.index === String(index))) };
}

function drawLabels(result, size, point) {
  return make("ol", { class: "row-labels", style: { "--size": `${size}px` } }, result.order.map((index, place) => make("li", {
    "data-index": String(index), class: result.names[index] === result.questioned ? "questioned" : null, title: result.names[index],
    on: { pointerenter: () => point(index), pointerleave: () => point(null) },
  }, make("span", { class: "note" }, String(place + 1)), ` ${result.names[index]}`)));
}
