// The kind of the texts, where it is known: a choice among those that the model was calibrated for.

import { fill, make } from "./dom.js";
import { listen, state, tell } from "./state.js";

export function startKinds() {
  for (const node of document.querySelectorAll(".kind:not(#methods)")) {
    const select = node.querySelector("select");
    select.addEventListener("change", () => {
      state.genre = select.value || null;
      tell("kind");
      tell("settings");
    });
    listen("models", () => draw(node, select));
    listen("kind", () => draw(node, select));
  }
}

function draw(node, select) {
  const { genres = [], labels = {}, detectable = [] } = currentModel() ?? {};
  if (!genres.includes(state.genre)) state.genre = null;
  const shown = (name) => labels[name] ?? name;
  const options = genres.map((value) => make("option", { value }, shown(value)));
  const recognised = detectable.map(shown).join(" and ");
  const known = recognised ? `; the model recognises ${recognised}` : "";
  node.hidden = !genres.length;
  fill(select, make("option", { value: "" }, "not known"), options);
  select.value = state.genre ?? "";
  select.disabled = Boolean(state.reference);
  const words = `Answers are more cautious where the kind is not known${known}.`;
  const note = state.reference ? "The reference texts are the standard of comparison." : words;
  node.querySelector(".note").textContent = state.genre && !state.reference ? "" : note;
}

export const currentModel = () => state.models.find((model) => model.name === state.model);
