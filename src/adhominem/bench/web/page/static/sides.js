// The two sides by the names that they have on this page.

export const LABELS = { left: "Known", right: "Questioned" };

/** Why there is no answer, as a sentence about the known or the questioned side. */
export function reasonWords(reason) {
  const words = reason.replace(/\bleft\b/g, "the known side").replace(/\bright\b/g, "the questioned side");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sentence of the server about left and right; what it quotes stays as it is. */
export function withOurNames(words) {
  return words.split(/(“[^”]*”)/).map((part) => (part.startsWith("“") ? part : part.replace(/\bleft\b/g, "known").replace(/\bright\b/g, "questioned"))).join("");
}
