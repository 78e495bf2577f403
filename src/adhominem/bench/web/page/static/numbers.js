// Numbers in words.

export function signed(number, digits = 2) {
  return (number < 0 ? "\u2212" : "+") + Math.abs(number).toFixed(digits);
}

export function grouped(number) {
  return number.toLocaleString("en");
}

export function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

export function wordsIn(text) {
  return text.match(/\S+/g)?.length ?? 0;
}
