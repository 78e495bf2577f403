// A text cut into the stretches that are coloured and those between them (report/layout.py).
// The pieces in order are the text again, every character once. Places are counted in code points,
// as the server counts them.

export const MOST_WORDS = 2_000;
export const MOST_CHARACTERS = 30_000;

/** Cuts by code points; text without rare characters needs no list of them. */
export function cutter(text) {
  const characters = Array.from(text);
  if (characters.length === text.length) return { length: text.length, cut: (a, b) => text.slice(a, b) };
  return { length: characters.length, cut: (a, b) => characters.slice(a, b).join("") };
}

/** Passages {sentence, pieces: [{text, word}]}, of at most so many words and characters. */
export function layOut(text, mostWords = MOST_WORDS, mostCharacters = MOST_CHARACTERS) {
  const shown = beginning(text, mostWords, mostCharacters);
  return { passages: passages(shown), leftOut: cutter(text.text).length - shown.length };
}

function beginning(text, mostWords, mostCharacters) {
  const { length, cut } = cutter(text.text);
  const words = text.words.map((word, index) => ({ ...word, index })).sort((a, b) => a.start - b.start || a.end - b.end);
  const kept = [];
  let room = mostWords;
  for (const word of words) {
    if (word.end > word.start) room -= 1;
    if (room < 0 || word.start >= mostCharacters) break;
    kept.push(word);
  }
  if (kept.length === words.length && length <= mostCharacters) return { ...text, words, length, cut };
  const end = Math.min(Math.max(0, ...kept.map((word) => word.end)), mostCharacters);
  return { ...text, words: kept, length: end, cut: (a, b) => cut(a, Math.min(b, end)) };
}

function passages(text) {
  const words = new Map();
  for (const word of text.words) words.set(word.sentence, [...(words.get(word.sentence) ?? []), word]);
  const order = text.sentences.map((_, i) => i).sort((a, b) => text.sentences[a].start - text.sentences[b].start);
  const found = [];
  let place = 0;
  for (const i of order) {
    const sentence = text.sentences[i];
    if (sentence.start >= text.length && !words.has(i)) continue;
    if (sentence.start > place) {
      found.push({ sentence: null, pieces: [{ text: text.cut(place, sentence.start), start: place, word: null }] });
      place = sentence.start;
    }
    const pieces = [];
    for (const word of words.get(i) ?? []) {
      if (word.start > place) {
        pieces.push({ text: text.cut(place, word.start), start: place, word: null });
        place = word.start;
      }
      const end = Math.max(word.end, place);
      pieces.push({ text: text.cut(place, end), start: place, word });
      place = end;
    }
    const end = Math.min(sentence.end, text.length);
    if (end > place) {
      pieces.push({ text: text.cut(place, end), start: place, word: null });
      place = end;
    }
    if (pieces.length) found.push({ sentence, pieces });
  }
  if (text.length > place) found.push({ sentence: null, pieces: [{ text: text.cut(place, text.length), start: place, word: null }] });
  return found;
}
