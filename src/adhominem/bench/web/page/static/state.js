// What the page knows. Nothing of it outlives the tab.

/** A side is a list of {name, text}; `answer` is {explanation, words, left, right, names} of the last comparison. */
export const state = {
  left: [{ name: "", text: "" }],
  right: [{ name: "", text: "" }],
  answer: null,
  caseTexts: [],
  questioned: null,
  caseResult: null,
  caseTextsAsked: [],
  models: null,
  model: null,
  genre: null,
  limits: {},
  sample: null,
};

const listeners = new Map();

export function on(topic, act) {
  listeners.set(topic, [...(listeners.get(topic) ?? []), act]);
}

export function tell(topic) {
  for (const act of listeners.get(topic) ?? []) act();
}

/** The texts of a side that hold anything, as the server wants them. */
export function textsOf(side) {
  return state[side].map((one) => one.text).filter((text) => text.trim());
}

/** What these texts are called. */
export function namesOf(side) {
  return state[side].filter((one) => one.text.trim()).map((one, i) => one.name || `Text ${i + 1}`);
}

/** A question with the settings that go with it. */
export function withSettings(body) {
  return { ...body, ...(state.model ? { model: state.model } : {}), ...(state.genre ? { genre: state.genre } : {}) };
}
