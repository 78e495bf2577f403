// The boxes for the texts of one side: type, paste, drop or open files.

import { button, fill, make } from "./dom.js";
import { busy, complain, inform, say } from "./notices.js";
import { readFile } from "./api.js";
import { state } from "./state.js";
import { counted, wordsIn } from "./numbers.js";

const HINTS = { left: "Paste a text whose author is known, or drop files here.", right: "Paste the text in question, or drop a file here." };
const SHORT = 80; // words; below, the model has hardly been tested

export function textInputs(fieldset, side, changed) {
  const legend = fieldset.querySelector("legend");
  const boxes = make("div", { class: "boxes" });
  const files = make("input", { type: "file", id: `${side}-files`, multiple: true, accept: accepted() });
  const add = button("Add another text", () => {
    state[side].push({ name: "", text: "" });
    draw();
    boxes.querySelector(".box:last-child textarea").focus();
  });
  files.addEventListener("change", () => take(side, [...files.files], redraw));
  onDrop(fieldset, (dropped) => take(side, dropped, redraw));
  fill(fieldset, legend, boxes, make("p", { class: "actions" }, add, files, make("label", { for: `${side}-files`, class: "button" }, "Open files…")));

  function redraw() {
    draw();
    changed();
  }
  function draw() {
    fill(boxes, state[side].map((one, i) => box(one, i)));
  }
  function box(one, i) {
    const id = `${side}-text-${i}`;
    const size = make("span", { class: "size", id: `${id}-size` });
    const area = make("textarea", { id, rows: state[side].length > 1 ? "7" : "9", placeholder: HINTS[side], spellcheck: "false", "aria-describedby": `${id}-size`, dir: "auto" });
    area.value = one.text;
    area.addEventListener("input", () => {
      one.text = area.value;
      fill(size, ...sizeWords(one.text));
      changed();
    });
    fill(size, ...sizeWords(one.text));
    const drop = () => {
      state[side].splice(i, 1);
      redraw();
    };
    return make("div", { class: "box" },
      make("div", { class: "box-head" }, make("label", { for: id, class: one.name || state[side].length > 1 ? null : "unseen" }, one.name || `Text ${i + 1}`), state[side].length > 1 ? button("Remove", drop, { class: "link-button", "aria-label": `Remove ${one.name || `text ${i + 1}`}` }) : null),
      area, size);
  }
  draw();
  return { draw };
}

export function accepted() {
  return (state.limits.forms ?? ["txt", "html", "docx", "pdf", "zip", "csv", "jsonl"]).map((form) => `.${form}`).join(",");
}

export function onDrop(zone, take) {
  zone.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

/** The texts of some files: [{name, author, text}]; what cannot be read is told. */
export async function readAll(files, progress = () => {}) {
  const texts = [];
  const notes = [];
  for (const [i, file] of files.entries()) {
    progress(i, files.length);
    if (file.size > (state.limits.max_body ?? Infinity)) {
      notes.push(`${file.name} is larger than the ${Math.round(state.limits.max_body / 1e6)} MB that are read.`);
      continue;
    }
    try {
      const read = await readFile(file, { busy });
      texts.push(...read.texts);
      notes.push(...read.notes);
    } catch (error) {
      if (error.status === undefined) throw error;
      notes.push(`${file.name}: ${error.message}`);
    }
  }
  if (notes.length) inform(notes.slice(0, 4).join(" ") + (notes.length > 4 ? ` And ${notes.length - 4} more.` : ""));
  return texts;
}

async function take(side, files, done) {
  try {
    const texts = await readAll(files);
    if (!texts.length) return;
    const kept = state[side].filter((one) => one.text.trim());
    state[side] = [...kept, ...texts.map(({ name, text }) => ({ name, text }))];
    say(`${counted(texts.length, "text")} added`);
    done();
  } catch (error) {
    complain(error);
  }
}

function sizeWords(text) {
  const n = wordsIn(text);
  if (!n) return ["empty"];
  const least = state.limits.min_tokens ?? 20;
  if (n < least) return [counted(n, "word"), make("span", { class: "warn" }, ` · too short to be judged alone`)];
  if (n < SHORT) return [counted(n, "word"), make("span", { class: "warn" }, " · short: expect weak evidence")];
  return [counted(n, "word")];
}
