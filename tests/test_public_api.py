"""The public surface is a list, and the list is this one."""

import adhominem
from adhominem.records import Verdict


def test_exported_names() -> None:
    assert adhominem.__all__ == [
        "AdhominemError",
        "Decision",
        "Document",
        "Explanation",
        "Pair",
        "Verdict",
        "Verifier",
        "__version__",
        "load",
        "render",
    ]
    for name in adhominem.__all__:
        assert getattr(adhominem, name) is not None


def test_errors_are_one_tree() -> None:
    from adhominem import errors

    kinds = [k for k in vars(errors).values() if getattr(k, "__module__", "") == errors.__name__]
    kinds = [kind for kind in kinds if isinstance(kind, type)]
    assert all(issubclass(kind, adhominem.AdhominemError) for kind in kinds)
    assert all(kind.__doc__ for kind in kinds)


def test_verdicts() -> None:
    assert [str(verdict) for verdict in Verdict] == ["same", "different", "undecided"]
