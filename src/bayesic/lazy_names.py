"""Public names that are fetched when they are first used: importing a package loads nothing.

The stub of a package, `__init__.pyi`, says `from MODULE import NAME as NAME` for each of them.
It tells type checkers and editors what there is, and this module where to find it.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

# the `__all__`, `__getattr__` and `__dir__` of a package
Names = tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]


def names_of_stub(package: dict[str, Any], elsewhere: Mapping[str, str] | None = None) -> Names:
    """The `__all__`, `__getattr__` and `__dir__` of a package that has a stub.

    package   : its `globals()`
    elsewhere : name -> its full name, for names that many would look for here
    """
    (folder,) = package["__path__"]
    stub = package["__loader__"].get_data(f"{folder}/__init__.pyi")  # which may be in a zip file
    homes = homes_in(stub.decode())
    return lazy_names(package, homes, elsewhere)


def homes_in(stub: str) -> dict[str, str]:
    """Public name -> the module that defines it, or the package of a module.

    >>> homes_in("from fractions import Fraction as Fraction")
    {'Fraction': 'fractions'}
    """
    imports = re.findall(r"^from (\S+) import (\([^)]*\)|.*)$", stub, re.MULTILINE)
    return {name: home for home, line in imports for name in re.findall(r"(\w+) as", line)}


def lazy_names(
    package: dict[str, Any], homes: Mapping[str, str], elsewhere: Mapping[str, str] | None = None
) -> Names:
    """The `__all__`, `__getattr__` and `__dir__` of a package; modules are not in `__all__`.

    >>> homes = {"Fraction": "fractions", "util": "importlib"}
    >>> public, fetch, names = lazy_names({"__name__": "importlib"}, homes, {"pi": "math.pi"})
    >>> public, fetch("Fraction")(2, 4)
    (['Fraction'], Fraction(1, 2))
    >>> fetch("pi")
    Traceback (most recent call last):
    AttributeError: importlib has no name 'pi'. Use math.pi.
    """
    own, moved = package["__name__"], elsewhere or {}
    public = sorted(name for name, home in homes.items() if home != own)

    def fetch(name: str) -> Any:
        if name not in homes:
            known = ", ".join([*public, *(each for each in homes if each not in public)])
            others = f"Its public names are: {known}."
            way_out = f"Use {moved[name]}." if name in moved else others
            raise AttributeError(f"{own} has no name {name!r}. {way_out}")
        home = homes[name]
        is_module = home == own
        value = import_module(f"{own}.{name}") if is_module else getattr(import_module(home), name)
        package[name] = value
        return value

    return public, fetch, lambda: sorted({*package, *homes})
