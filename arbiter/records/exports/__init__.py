"""Saved games for other programs: one document for viewers, and tables."""
