"""adhominem explain: the words and sentences behind a decision."""

from __future__ import annotations

import sys

from adhominem.cli import options
from adhominem.cli.options import AlsoLeft, AlsoRight, AsJson, Encoding, Force, Genre, Model


def explain(
    left: options.Left,
    right: options.Right,
    output: options.PageOutput = None,
    also_left: AlsoLeft = None,
    also_right: AlsoRight = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Show which words and sentences the decision rests on.

    \b
    Examples:
      adhominem explain known.txt questioned.txt
      adhominem explain known.txt questioned.txt -o report.html
      adhominem explain known.txt questioned.txt --json
    """
    options.check_output(output, (".html", ".json"), force=force)
    lefts = options.read_side(left, also_left, encoding=encoding, keep_quoted=keep_quoted)
    rights = options.read_side(right, also_right, encoding=encoding, keep_quoted=keep_quoted)
    with options.without_collection():
        from adhominem import load
        from adhominem.files import write_whole
        from adhominem.instrument.report.render import render

        explanation = load(model).explain_texts(lefts, rights, genre=genre)
    if output is not None:
        write_whole(output, render(explanation, form=output.suffix[1:]))
        print(output)
        return
    form = "json" if as_json else "terminal" if sys.stdout.isatty() else "text"
    print(render(explanation, form=form))
