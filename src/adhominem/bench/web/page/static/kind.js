// The kind of the texts, where it is known: a choice among those that the model was calibrated for.

import { fill, make } from "./dom.js";
import { listen, state, tell } from "./state.js";

export function startKinds() {
  for (const node of document.querySelectorAll(".kind")) {
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
  const { genres = [], detectable = [] } = currentModel() ?? {};
  if (!genres.includes(state.genre)) state.genre = null;
  const options = genres.map((genre) => make("option", { value: genre }, genre));
  const known = detectable.length ? `; the model recognises ${detectable.join(" and ")}` : "";
  node.hidden = !genres.length;
  fill(select, make("option", { value: "" }, "not known"), options);
  select.value = state.genre ?? "";
  const words = `Answers are more cautious where the kind is not known${known}.`;
  node.querySelector(".note").textContent = state.genre ? "" : words;
}

export const currentModel = () => state.models.find((model) => model.name === state.model);
