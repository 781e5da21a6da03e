"""Robot physics that bends to your data."""

__version__ = "0.1.0"
