"""Bounds of the search for edits on the page and on the command line: habits that it may undo."""

BUDGET, MAX_BUDGET = 10, 50
