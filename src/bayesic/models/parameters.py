"""The parameters that a model has now, and whether they are those of before."""

from bayesic.contract.constructor import parameter_names

Parameters = tuple[object, ...]

# Values of these types are compared by `==`: a file or a pickle makes new ones.
PLAIN = (str, int, float, bool, tuple)


def parameters_of(model: object) -> Parameters:
    """The constructor arguments of a model, in the order of their names."""
    state = vars(model)
    return tuple([state.get(name) for name in parameter_names(type(model))])


def are_same(first: Parameters, second: Parameters) -> bool:
    """Whether these are the same objects, or equal plain values.

    >>> kinds = {"rain": "poisson"}
    >>> are_same((1.0, kinds), (1.0, kinds)), are_same((1.0, kinds), (1, kinds))
    (True, False)
    """
    return all(
        one is other or (type(one) is type(other) and isinstance(one, PLAIN) and one == other)
        for one, other in zip(first, second, strict=True)
    )
