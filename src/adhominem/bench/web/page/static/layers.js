// The switch between the layers of a heat map, and the key to its colours.

import { make } from "./dom.js";
import { ATTENTION } from "./heat.js";
import { signed, weightWords } from "./numbers.js";

const NAMES = { both: "Both", words: "Words", sentences: "Sentences", signed: "Signed", habits: "Habits" };

/** Radio buttons that set `data-layer` of a container. */
export function layerSwitch(container, name, layers, chosen = "both") {
  container.dataset.layer = chosen;
  const choose = (event) => {
    container.dataset.layer = event.target.value;
  };
  return make("fieldset", { class: "choices", on: { change: choose } },
    make("legend", {}, "Layer"),
    layers.flatMap((layer) => [
      make("input", { type: "radio", name, id: `${name}-${layer}`, value: layer, checked: layer === chosen }),
      make("label", { for: `${name}-${layer}` }, NAMES[layer]),
    ]));
}

export function colourKey(method, peaks, legend = []) {
  const ramp = (colour) => make("span", { class: `ramp ${colour}` });
  const key = (layers, ...parts) => make("span", { class: `key ${layers}` }, ...parts);
  const parts = method === ATTENTION
    ? [
        key("in-both", ramp("red"), `word × sentence, 0 to ${weightWords(peaks.importance)}`),
        key("in-words", ramp("red"), `word weight, 0 to ${weightWords(peaks.word)}`),
        key("in-both in-sentences", ramp("blue"), `sentence weight, 0 to ${weightWords(peaks.sentence)}`),
      ]
    : [
        key("in-both in-words", "together", ramp("both-ways"), `apart, word ±${weightWords(peaks.word)}`),
        key("in-both in-sentences", "together", ramp("both-ways"), `apart, sentence ±${weightWords(peaks.sentence)}`),
      ];
  if (peaks.signed !== null) parts.push(key("in-signed", `pulls apart ${signed(-peaks.signed)}`, ramp("together-right"), `${signed(peaks.signed)} pulls together`));
  parts.push(...legend.map(({ number, name, count }) => key("in-habits", make("sup", {}, String(number)), ` ${name} (${count})`)));
  return make("p", { class: "keys" }, parts);
}
