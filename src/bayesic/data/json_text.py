"""JSON that every reader takes."""

import json
import math
from collections.abc import Mapping


def json_text(value: object, indent: int | None = None) -> str:
    """A value as JSON: infinities are text, NaN is null, Chinese stays Chinese.

    >>> json_text({"sky": "晴", "loss": float("inf"), "recall": float("nan")})
    '{"sky": "晴", "loss": "inf", "recall": null}'
    """
    return json.dumps(json_value(value), indent=indent, ensure_ascii=False, allow_nan=False)


def json_value(value: object) -> object:
    """A value as JSON can hold it: NaN is None, infinities, fractions and other objects are text.

    >>> from fractions import Fraction
    >>> json_value({"cuts": (1.5, float("inf")), 3: Fraction(2, 9), "recall": float("nan")})
    {'cuts': [1.5, 'inf'], '3': '2/9', 'recall': None}
    """
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): json_value(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(part) for part in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
