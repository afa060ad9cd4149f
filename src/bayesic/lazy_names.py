"""Public names that are fetched when they are first used: importing a package loads nothing."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: dict[str, Any],
    homes: Mapping[str, str],
    modules: Iterable[str] = (),
    elsewhere: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package.

    package   : its `globals()`, with `__all__`
    homes     : public name -> the module that defines it
    modules   : names of public modules inside the package
    elsewhere : name -> its full name, for names that many would look for here

    >>> fractions = {"__name__": "numbers_of_ours", "__all__": ["Fraction"]}
    >>> fetch, names = lazy_names(fractions, {"Fraction": "fractions"}, elsewhere={"pi": "math.pi"})
    >>> fetch("Fraction")(2, 4)
    Fraction(1, 2)
    >>> fetch("pi")
    Traceback (most recent call last):
    AttributeError: numbers_of_ours has no name 'pi'. Use math.pi.
    """

    def fetch(name: str) -> Any:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
        elif name in modules:
            value = import_module(f"{package['__name__']}.{name}")
        elif elsewhere and name in elsewhere:
            raise AttributeError(
                f"{package['__name__']} has no name {name!r}. Use {elsewhere[name]}."
            )
        else:
            known = ", ".join([*package["__all__"], *modules])
            raise AttributeError(
                f"{package['__name__']} has no name {name!r}. Its public names are: {known}."
            )
        package[name] = value
        return value

    def names() -> list[str]:
        return sorted({*package, *package["__all__"], *modules})

    return fetch, names
