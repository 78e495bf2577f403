"""Linguistic habits of a text: one detector for each category of the paper's section IV-E."""
