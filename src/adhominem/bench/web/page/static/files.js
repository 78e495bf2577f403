// Files that were dropped or opened, folders included, and the texts that the server reads in them.

import { readFile } from "./api.js";
import { button, find, make } from "./dom.js";
import { complain, inform, say } from "./notices.js";
import { counted } from "./numbers.js";
import { state } from "./state.js";

const AT_ONCE = 4;
const MAX_NOTES = 4;

/** Calls `use` with the texts [{name, author, text}] of files that are opened or dropped on the zone.
    A folder may hold other files too: with `skip` they are left out silently. */
export function takeFiles(zone, inputs, use, { progress, skip = false } = {}) {
  const isReadable = ({ file }) =>
    state.limits.forms.includes(file.name.split(".").pop().toLowerCase());
  async function take(chosen) {
    try {
      const readable = skip && chosen.length > 1 ? chosen.filter(isReadable) : chosen;
      const texts = await readAll(readable, progress);
      use(texts);
      say(`${counted(texts.length, "text")} added`);
    } catch (error) {
      complain(error);
    }
  }
  for (const id of inputs) {
    const input = find(id);
    if (!input.accept && !input.webkitdirectory) {
      input.accept = state.limits.forms.map((form) => `.${form}`).join(",");
    }
    input.addEventListener("change", () => take(withPaths(input.files)));
  }
  zone.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
  zone.addEventListener("drop", async (event) => {
    zone.classList.remove("dropping");
    const { files, items } = event.dataTransfer;
    if (!files.length) return;
    event.preventDefault();
    const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    take(entries.length ? (await Promise.all(entries.map(walk))).flat() : withPaths(files));
  });
}

function withPaths(files) {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** A notice names the files that cannot be read. In a folder of folders each is an author, as in a
    zip. */
async function readAll(chosen, progress = () => {}) {
  const found = new Array(chosen.length);
  const notes = [];
  const shared = commonFolder(chosen.map((one) => one.path));
  let [next, done] = [0, 0];
  async function work() {
    while (next < chosen.length) {
      const i = next++;
      found[i] = await readOne(chosen[i], shared, notes);
      progress(++done, chosen.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const more = notes.length > MAX_NOTES ? ` And ${notes.length - MAX_NOTES} more.` : "";
  if (notes.length) inform(notes.slice(0, MAX_NOTES).join(" ") + more);
  return found.flat();
}

async function readOne({ file, path }, shared, notes) {
  const { max_body: most } = state.limits;
  if (file.size > most) {
    notes.push(`${file.name} is larger than ${Math.round(most / 1e6)} MB.`);
    return [];
  }
  try {
    const read = await readFile(file);
    notes.push(...read.notes);
    const [folder, ...rest] = path.slice(shared.length).split("/");
    return read.texts.map((one) => ({
      ...one,
      own: one.text,
      author: one.author ?? (rest.length ? folder : null),
    }));
  } catch (error) {
    if (error.status === undefined) throw error;
    notes.push(`${file.name}: ${error.message}.`);
    return [];
  }
}

/** The passages of a text that others wrote, to read and to put back or leave out; null where none
    was found, or the text was edited since. */
export function passagesOf(one, redraw) {
  if (!one.passages?.length || (one.text !== one.own && one.text !== one.whole)) return null;
  const isKept = one.text === one.whole;
  const count = (kind) => one.passages.filter((passage) => passage.kind === kind).length;
  const kinds = [...new Set(one.passages.map((passage) => passage.kind))];
  const words = kinds.map((kind) => `${count(kind)} × ${kind}`).join(", ");
  const swap = () => {
    one.text = isKept ? one.own : one.whole;
    redraw();
  };
  return make(
    "details",
    { class: "note passages" },
    make("summary", {}, `${isKept ? "Kept" : "Left out"}: ${words}`),
    one.passages.map((passage) => make("blockquote", { dir: "auto" }, passage.text)),
    button(isKept ? "Leave out" : "Put back", swap),
  );
}

function commonFolder(paths) {
  const tops = new Set(paths.map((path) => (path.includes("/") ? path.split("/")[0] : "")));
  const [top] = tops;
  return tops.size === 1 && top ? `${top}/` : "";
}

/** An entry of the file system as {file, path}, a folder as everything in it. */
async function walk(entry) {
  if (entry.isFile) {
    const path = entry.fullPath.replace(/^\//, "");
    return new Promise((resolve) => {
      entry.file(
        (file) => resolve([{ file, path }]),
        () => resolve([]),
      );
    });
  }
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(walk))).flat();
}
