"""How long an explanation takes once the model is loaded, beside a verdict on the same two texts.

    python benchmarks/explaining.py -o results/benchmark-explaining.json

The texts are those of `demo/`, over and over, up to 265 tokens each: the mean of hotel reviews.
"""

from __future__ import annotations

from pathlib import Path

from timing import best_times, machine, new_parser, write_json

import adhominem
from adhominem.instrument.text.tokenise import tokenise

ROOT = Path(__file__).parents[1]


def text_of(name: str, n_tokens: int) -> str:
    text = (ROOT / "demo" / name).read_text(encoding="utf-8")
    text = "\n".join([text] * (1 + 2 * n_tokens // len(text.split())))
    return text[: tokenise([text]).ends[n_tokens - 1]]


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--model", help="Model folder; the shipped one by default.")
    parser.add_argument("--tokens", type=int, default=265)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    before = machine()
    verifier = adhominem.load(arguments.model)
    texts = [text_of(name, arguments.tokens) for name in ("left.txt", "right.txt")]
    seconds = best_times(
        {
            "verify": lambda: verifier.verify(*texts),
            "explain": lambda: verifier.explain_texts(*texts),
        },
        rounds=arguments.rounds,
    )
    decision = verifier.verify(*texts)
    report = {
        "benchmark": "explaining",
        "machine": before,
        "tokens": [decision.left.tokens, decision.right.tokens],
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "explain_over_verify": round(seconds["explain"] / seconds["verify"], 1),
    }
    write_json(arguments.output, report)


if __name__ == "__main__":
    main()
