// Reference texts: texts of the same kind by anybody, the standard of comparison.

import { onForgotten, post } from "./api.js";
import { find, on } from "./dom.js";
import { takeFiles } from "./files.js";
import { counted } from "./numbers.js";
import { state, tell } from "./state.js";

let opened = []; // texts of files

export function startReference() {
  takeFiles(find("reference"), ["reference-files"], (texts) => {
    opened = [...opened, ...texts.map((one) => one.text)];
    begin();
  });
  on("reference-text", "change", begin);
  on("reference-clear", "click", () => {
    opened = [];
    find("reference-text").value = "";
    begin();
  });
  onForgotten(send);
}

function begin() {
  state.giving = give();
}

/** The texts of files, then those of the field, where an empty line ends a text. */
function texts() {
  const pasted = find("reference-text").value.split(/\n\s*\n/);
  const all = [...opened, ...pasted].filter((text) => text.trim());
  return all.slice(0, state.limits.max_texts);
}

async function send() {
  const body = { texts: texts(), ...(state.model && { model: state.model }) };
  const { reference, used } = await post("/api/references", body);
  state.reference = reference;
  return used;
}

async function give() {
  const n = texts().length;
  const words = find("reference-words");
  state.reference = null;
  find("reference-clear").hidden = !n;
  words.textContent = n ? `${counted(n, "text")}…` : "";
  try {
    if (n) words.textContent = `${await send()} of ${counted(n, "text")} are used.`;
  } catch (error) {
    words.textContent = `Not used: ${error.message}.`;
  }
  tell("kind");
  tell("settings");
}
