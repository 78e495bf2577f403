// The sample case, put into all views.

import { state, tell } from "./state.js";

export function loadSample() {
  const { left, right, case: texts, questioned } = state.sample;
  const named = (text) => texts.find((one) => one.text === text)?.name ?? "";
  state.left = left.map((text) => ({ name: named(text), text }));
  state.right = right.map((text) => ({ name: named(text), text }));
  state.caseTexts = texts.map((one) => ({ ...one }));
  state.questioned = questioned;
  state.answer = null;
  state.caseResult = null;
  tell("texts-replaced");
  tell("case-texts");
  tell("answer");
}
