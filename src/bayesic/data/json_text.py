"""JSON that every reader takes."""

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON: infinities are text, NaN is null, Chinese stays Chinese.

    >>> json_text({"sky": "晴", "loss": float("inf"), "recall": float("nan")})
    '{"sky": "晴", "loss": "inf", "recall": null}'
    """
    return json.dumps(
        _plain(value), indent=indent, ensure_ascii=False, allow_nan=False, default=str
    )


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value
