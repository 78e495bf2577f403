"""adhominem model adapt: a network for another domain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force, ModelArgument, print_report


def adapt(
    model: ModelArgument,
    corpus: Annotated[Path, typer.Argument(help="Corpus folder of the new domain.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the new model.")],
    name: Annotated[
        str | None, typer.Option(help="Name of the new model; default: that of its folder.")
    ] = None,
    epochs: Annotated[int, typer.Option(help="Most epochs.", min=1)] = 15,
    seed: Annotated[int, typer.Option(help="Seed of pairs and their order.", min=0)] = 1,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a network to a new domain with few authors. Reports what that brings.

    \b
    Examples:
      adhominem corpus build letters/ -o corpus
      adhominem model adapt adhominem corpus -o models/letters
      adhominem verify a.txt b.txt --model models/letters
    """
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.errors import InputError
    from adhominem.files import check_writable, write_whole
    from adhominem.instrument.neural import NeuralVerifier
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.experiment.adapt import AdaptSettings
    from adhominem.laboratory.experiment.adapt import adapt as adapt_model
    from adhominem.laboratory.report import adaptation_card, adaptation_text

    check_writable(output, force=force, folder_with="model.json")
    verifier = load(model)
    if not isinstance(verifier, NeuralVerifier):
        raise InputError(f"{model} is a {verifier.kind} model: only networks can be adapted")
    settings = AdaptSettings(epochs=epochs, seed=seed)
    with Bar("encoding") as bar:
        adapted, report = adapt_model(verifier, Corpus.open(corpus), settings, progress=bar.stage)
    assert verifier.identity is not None
    name = name or output.name
    card = adaptation_card(name, verifier.identity.name, corpus.name, report)
    adapted.save(output, name=name, version="1", card=card)
    write_whole(output / "adaptation.json", json.dumps(report, indent=2) + "\n")
    print_report(report, adaptation_text, as_json=as_json)
