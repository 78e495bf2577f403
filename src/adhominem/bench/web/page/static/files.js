// Files that were dropped or opened, folders and all, and the texts that the server reads in them.

import { busy, inform } from "./notices.js";
import { readFile } from "./api.js";
import { state } from "./state.js";

const AT_ONCE = 4;

export function accepted() {
  return (state.limits.forms ?? ["txt", "html", "docx", "pdf", "zip", "csv", "jsonl"]).map((form) => `.${form}`).join(",");
}

/** `take` is called with what is dropped on a zone: a list of {file, path}. */
export function onDrop(zone, take) {
  zone.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
  zone.addEventListener("drop", async (event) => {
    zone.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    take(entries.length ? (await Promise.all(entries.map(walk))).flat() : withPaths(event.dataTransfer.files));
  });
}

export function withPaths(files) {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** The texts of files: [{name, author, text}]; what cannot be read is told. In a folder of folders
    each is an author, as in a zip. */
export async function readAll(chosen, progress = () => {}) {
  const found = new Array(chosen.length);
  const notes = [];
  const shared = commonFolder(chosen.map((one) => one.path));
  let next = 0;
  let done = 0;
  async function work() {
    while (next < chosen.length) {
      const i = next++;
      found[i] = await readOne(chosen[i], shared, notes);
      progress(++done, chosen.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (notes.length) inform(notes.slice(0, 4).join(" ") + (notes.length > 4 ? ` And ${notes.length - 4} more.` : ""));
  return found.flat().filter(Boolean);
}

async function readOne({ file, path }, shared, notes) {
  if (file.size > (state.limits.max_body ?? Infinity)) {
    notes.push(`${file.name} is larger than the ${Math.round(state.limits.max_body / 1e6)} MB that are read.`);
    return [];
  }
  try {
    const read = await readFile(file, { busy });
    notes.push(...read.notes);
    const [folder, ...rest] = path.slice(shared.length).split("/");
    return read.texts.map((one) => ({ ...one, text: one.text.replace(/\r\n?/g, "\n"), author: one.author ?? (rest.length ? folder : null) }));
  } catch (error) {
    if (error.status === undefined) throw error;
    notes.push(error.message.includes(file.name) ? `${error.message}.` : `${file.name}: ${error.message}.`);
    return [];
  }
}

function commonFolder(paths) {
  const tops = new Set(paths.map((path) => (path.includes("/") ? path.split("/")[0] : "")));
  const [top] = tops;
  return tops.size === 1 && top ? `${top}/` : "";
}

/** An entry of the file system as {file, path}, a folder as all that is in it. */
async function walk(entry) {
  if (entry.isFile) return new Promise((resolve) => entry.file((file) => resolve([{ file, path: entry.fullPath.replace(/^\//, "") }]), () => resolve([])));
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(walk))).flat();
}
