"""What is said of an error that nobody foresaw: its kind and its place, never a word of a text."""

from __future__ import annotations

import sys
import traceback


def complain(error: BaseException) -> str:
    """Tells the terminal where it happened; returns the line for the user."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown place"
    print(f"adhominem: {type(error).__name__} at {place}", file=sys.stderr, flush=True)
    return "something went wrong inside the server: its terminal says where"
