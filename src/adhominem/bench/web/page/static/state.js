// The state of the page. Nothing of it outlives the tab.

/** A side is a list of {name, text}. `answer` is the last comparison: {left, right, names}, and the
    elements {changes, result, heatmaps} that the server made of it. */
export const state = {
  left: [{ name: "", text: "" }],
  right: [{ name: "", text: "" }],
  answer: null,
  caseTexts: [],
  questioned: null,
  caseAsked: null,
  models: [],
  model: null,
  genre: null,
  reference: null,
  giving: null, // settled when the server has the reference texts
  limits: {},
  sample: null,
};

const listeners = new Map();

export function listen(topic, act) {
  listeners.set(topic, [...(listeners.get(topic) ?? []), act]);
}

export function tell(topic) {
  for (const act of listeners.get(topic) ?? []) act();
}

export const filled = (side) => state[side].filter((one) => one.text.trim());

/** Puts texts into the view Compare; an earlier answer is gone. */
export function replaceTexts(left, right) {
  Object.assign(state, { left, right, answer: null });
  tell("texts");
  tell("answer");
}

export function loadSample() {
  const { left, right, case: texts, questioned } = state.sample;
  const named = (text) => ({ name: texts.find((one) => one.text === text)?.name ?? "", text });
  Object.assign(state, { caseTexts: texts.map((one) => ({ ...one })), questioned });
  state.caseAsked = null;
  tell("case-texts");
  replaceTexts(left.map(named), right.map(named));
}

export const isSample = ({ text }) => state.sample.case.some((one) => one.text === text);

/** A question with the model that was chosen, and the reference texts or else the kind of text. */
export function withSettings(body) {
  const { model, genre, reference } = state;
  const kind = reference ? { reference } : genre ? { genre } : {};
  return { ...body, ...(model && { model }), ...kind };
}
