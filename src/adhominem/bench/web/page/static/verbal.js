// A likelihood ratio of a case in words, by the edges that the server names.

import { state } from "./state.js";
import { signed } from "./numbers.js";

export function supportWords(llr) {
  const { verbal_edges: edges, verbal_words: words } = state.limits;
  if (llr === null) return "not judged";
  const middle = (words.length - 1) / 2;
  const beyond = edges.filter((edge) => (edge > 0 ? llr >= edge : llr > edge)).length;
  if (beyond === middle) return "no support either way to speak of";
  return `${words[beyond]} support for ${beyond > middle ? "one author" : "two authors"}`;
}

/** What there is to say of two texts of a case. */
export function pairWords(result, i, j) {
  if (i === j) return `${result.names[i]}: a text and itself`;
  const llr = result.llr[i][j];
  const names = `${result.names[i]} and ${result.names[j]}`;
  if (result.verdict[i][j] === "undecided" && !llr) return `${names}: undecided`;
  return `${names}: log₁₀ LR ${signed(llr)}, ${supportWords(llr)}${result.reliable[i][j] ? ", reliable" : ""}`;
}
