// The kind of the texts, where somebody knows it: a choice among the kinds that the model was calibrated for.

import { fill, make } from "./dom.js";
import { on, state, tell } from "./state.js";

const UNKNOWN = "not known";

/** A labelled choice; all of them show the same. */
export function kindChoice(id) {
  const select = make("select", { id, on: { change: () => choose(select.value) } });
  const told = make("span", { class: "note wide-only" });
  const node = make("span", { class: "kind" }, make("label", { for: id }, "Kind of text"), select, told);
  const draw = () => {
    const { genres = [], detectable: sight = [] } = currentModel() ?? {};
    node.hidden = !genres.length;
    fill(select, make("option", { value: "" }, UNKNOWN), genres.map((genre) => make("option", { value: genre }, genre)));
    select.value = state.genre ?? "";
    told.textContent = state.genre ? "" : `Answers are more cautious where the kind is not known${sight.length ? `; ${sight.join(" and ")} the model knows on sight` : ""}.`;
  };
  on("models", draw);
  on("kind", draw);
  draw();
  return node;
}

function choose(genre) {
  state.genre = genre || null;
  tell("kind");
  tell("settings");
}

/** A model that does not know the kind is not told of it. */
export function checkKind() {
  if (!(currentModel()?.genres ?? []).includes(state.genre)) state.genre = null;
  tell("kind");
}

const currentModel = () => state.models?.find((model) => model.name === state.model);
