// Which pieces of a text carry habits (report/marks.py).

const QUIET = new Set(["punctuation mark", "proper noun"]); // too frequent to be numbered

/** For each piece in order: {words, numbers, isQuiet}, or null. */
export function marks(pieces, hits, numbers) {
  let coming = 0;
  let open = [];
  return pieces.map(({ text, start }) => {
    const end = start + Array.from(text).length;
    while (coming < hits.length && hits[coming].start < end) open.push(hits[coming++]);
    open = open.filter((hit) => hit.end > start);
    return text && open.length ? mark(open, end, numbers) : null;
  });
}

export function habitNumbers(habits) {
  return new Map((habits?.categories ?? []).map((row, i) => [row.name, i + 1]));
}

function mark(hits, end, numbers) {
  const ending = hits.filter((hit) => hit.end <= end && !QUIET.has(hit.category)).map((hit) => numbers.get(hit.category));
  return {
    words: [...new Set(hits.map((hit) => (hit.intended ? `${hit.category} (${hit.intended})` : hit.category)))].join("; "),
    numbers: [...new Set(ending)].sort((a, b) => a - b).join(" "),
    isQuiet: hits.every((hit) => QUIET.has(hit.category)),
  };
}
