"""Linguistic habits of a text, with a detector for each category of the paper's section IV-E."""
