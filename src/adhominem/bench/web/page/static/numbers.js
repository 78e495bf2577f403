// Numbers as the report writes them (report/wording.py).

const MINUS = "\u2212";

export function signed(number, digits = 2) {
  if (number === null || number === undefined) return "–";
  return (number < 0 ? MINUS : "+") + Math.abs(number).toFixed(digits);
}

export function weightWords(weight, sign = false) {
  if (weight === null || weight === undefined) return "–";
  const size = Math.abs(weight);
  const words = size && size < 0.001 ? size.toExponential(1) : size.toFixed(4);
  return (weight < 0 ? MINUS : sign ? "+" : "") + words.replace("-", MINUS);
}

/** A share with as many decimals as its largest neighbour needs. */
export function percentWords(weight, peak) {
  return `${(100 * weight).toFixed(peak >= 0.1 ? 0 : peak >= 0.01 ? 1 : 2)}%`;
}

export function fixed(number, digits = 2) {
  return number === null || number === undefined ? "–" : number.toFixed(digits).replace("-", MINUS);
}

export function grouped(number) {
  return number.toLocaleString("en");
}

export function counted(number, noun, nouns = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`;
}

export function wordsIn(text) {
  return text.match(/\S+/g)?.length ?? 0;
}
