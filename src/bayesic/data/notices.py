"""Warnings that point at the line of the user, however deep inside the library they arise."""

import sys
import warnings
from pathlib import Path

_HERE = str(Path(__file__).resolve().parents[1])


def tell(message: str) -> None:
    """Warn the user, and show the line that called into this library."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)


def _is_ours(filename: str) -> bool:
    return filename.startswith(_HERE)
