"""Expressions as nodes of ONNX: those of the same form are computed at once.

The classes of a model, and mostly its columns, are computed by the same formula with other numbers.
So a list of K expressions becomes one tensor (n_rows, K): expressions of one form are one node for
each part of the formula, whatever K is. A gap is NaN.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesic.export._expressions import (
    AnyOf,
    Condition,
    Conditional,
    Expression,
    Function,
    Gap,
    Greatest,
    IsGap,
    LookupTable,
    NameOf,
    Number,
    Quotient,
    RankAmong,
    Relation,
    Sum,
    TableEntry,
    TextValue,
    Times,
)
from bayesic.export._lookups import indices, table_rows
from bayesic.export._onnx_graph import OnnxGraph
from bayesic.export._steps import ExportStep
from bayesic.export._tree_walks import stops

SIGNS = {
    "<": "Less",
    "<=": "LessOrEqual",
    "=": "Equal",
    ">": "Greater",
    ">=": "GreaterOrEqual",
}
FUNCTIONS = {"exp": "Exp", "ln": "Log"}


class TensorColumn(NamedTuple):
    """A column of a tensor (n_rows, n_columns)."""

    tensor: str
    offset: int  # its number among these
    n_columns: int


class Tensors:
    """What is known of the rows by name, and expressions of it."""

    def __init__(
        self, graph: OnnxGraph, cells: dict[str, TensorColumn], words: Collection[str], missing: str
    ) -> None:
        """cells : doubles, but those that are words; missing : the word that is a gap"""
        self.graph, self.words, self.missing = graph, words, missing
        self.columns = dict(cells)
        self._rows_of: dict[tuple[Expression, LookupTable], TensorColumn] = {}
        tensor = next(iter(cells.values())).tensor
        n_rows = graph.node("Shape", tensor, start=0, end=1)
        shape = graph.together([n_rows, graph.constant([1], np.int64)], axis=0)
        zero = graph.onnx.numpy_helper.from_array(np.zeros(1))
        self._zeros = graph.node("ConstantOfShape", shape, value=zero)  # (n_rows, 1)

    # steps ------------------------------------------------------------------------------------

    def take(self, step: ExportStep) -> None:
        """Compute a step, and know its names."""
        if step.values:
            tensor = self.in_rows(self.numbers([*step.values.values()]))
            for index, name in enumerate(step.values):
                self.columns[name] = TensorColumn(tensor, index, len(step.values))
        self._look_up([(looked.key, looked.table) for looked in step.looked])
        for looked in step.looked:
            tensor, first, n_columns = self._rows_of[looked.key, looked.table]
            for index, name in enumerate(looked.names):
                self.columns[name] = TensorColumn(tensor, first + index, n_columns)
        for walk in step.walks:
            tensor = stops(self.graph, walk, self.numbers(walk.codes))
            for index, name in enumerate(walk.names):
                self.columns[name] = TensorColumn(tensor, index, len(walk.names))

    # numbers ----------------------------------------------------------------------------------

    def numbers(self, expressions: Sequence[Expression]) -> str:
        """Doubles (n_rows, n_expressions), or (1, n_expressions) if they are known."""
        return self._by_form(expressions, self._of_one_form)

    def _by_form(self, parts: Sequence[Any], of_one_form: Callable[[list[Any]], str]) -> str:
        """The columns of any parts, from those of parts of one form."""
        groups = grouped(parts, form_of)
        tensors = [of_one_form(group) for group in groups]
        if len(tensors) == 1:
            return tensors[0]
        order = {id(each): index for index, each in enumerate(each for g in groups for each in g)}
        together = self.graph.together([*map(self.in_rows, tensors)])
        return self._picked(together, [order[id(each)] for each in parts], len(parts))

    def _of_one_form(self, expressions: Sequence[Expression]) -> str:
        if isinstance(expressions[0], (Number, Gap)):
            return self._known(expressions)
        different = {each: index for index, each in enumerate(dict.fromkeys(expressions))}
        tensor = self._columns_of([*different]) or self._computed([*different])
        return self._picked(tensor, [different[each] for each in expressions], len(different))

    def _computed(self, group: Sequence[Any]) -> str:
        """Different expressions of one form."""
        node = self.graph.node
        match group[0]:
            case Sum():
                return self._sums([each.parts for each in group])
            case Greatest():
                filled = _filled([each.parts for each in group])
                return self._reduced("ReduceMax", self.numbers, filled)
            case Times():
                return self._folded("Mul", self._at_each_place([each.factors for each in group]))
            case Quotient():
                return node("Div", *self._at_each_place([(e.above, e.below) for e in group]))
            case Function(name):
                return node(FUNCTIONS[name], self.numbers([each.of for each in group]))
            case RankAmong():
                cells = self.numbers([each.of for each in group])
                counted = indices(self.graph, cells, [each.among for each in group])
                return self.graph.cast(counted, np.float64)
            case Conditional():
                return self._chosen(group)
        raise TypeError(f"{type(group[0]).__name__} is no number.")

    def _columns_of(self, expressions: Sequence[Any]) -> str | None:
        """Cells, values and entries of tables: columns of tensors that there are, side by side."""
        if isinstance(expressions[0], NameOf):
            columns = [self.columns[each.name] for each in expressions]
        elif isinstance(expressions[0], TableEntry):
            self._look_up([(each.key, each.table) for each in expressions])
            columns = []
            for each in expressions:
                tensor, first, n_columns = self._rows_of[each.key, each.table]
                columns.append(TensorColumn(tensor, first + each.index, n_columns))
        else:
            return None
        widths = {column.tensor: column.n_columns for column in columns}
        starts = dict(zip(widths, np.cumsum([0, *widths.values()]).tolist(), strict=False))
        order = [starts[column.tensor] + column.offset for column in columns]
        return self._picked(self.graph.together([*widths]), order, sum(widths.values()))

    def _look_up(self, asked: Sequence[tuple[Expression, LookupTable]]) -> None:
        """Know the rows of tables that keys lead to, in one node for all tables of one width."""
        pairs = [pair for pair in dict.fromkeys(asked) if pair not in self._rows_of]
        for group in grouped(pairs, lambda pair: (self._is_word(pair[0]), len(pair[1].otherwise))):
            keys, tables = zip(*group, strict=True)
            n_numbers = len(tables[0].otherwise)
            cells = (
                [self.columns[key.name].tensor for key in keys]
                if self._is_word(keys[0])
                else self.numbers(keys)
            )
            tensor = table_rows(self.graph, cells, tables, self.missing)
            for index, pair in enumerate(group):
                self._rows_of[pair] = TensorColumn(
                    tensor, index * n_numbers, len(group) * n_numbers
                )

    def _is_word(self, key: Expression) -> bool:
        return isinstance(key, NameOf) and key.name in self.words

    def _sums(self, sums: Sequence[Sequence[Expression]]) -> str:
        """Sums of weights times the same numbers are a product of matrices; others are added."""
        weights = [_weights(parts) for parts in sums]
        numbers = [*weights[0]]
        if len(numbers) < 2 or any(each.keys() != {*numbers} for each in weights):
            return self._reduced("ReduceSum", self.numbers, _filled(sums, Number(0.0)))
        matrix = [[of_one[number] for of_one in weights] for number in numbers]
        product = self.graph.node("MatMul", self.numbers(numbers), self._constant(matrix))
        others = [[part for part in parts if _weight(part) is None] for parts in sums]
        if not any(others):
            return product
        rest = self._reduced("ReduceSum", self.numbers, _filled(others, Number(0.0)))
        return self.graph.node("Add", product, rest)

    def _reduced(
        self,
        operator: str,
        computed: Callable[[Sequence[Any]], str],
        parts: Sequence[Sequence[Any]],
    ) -> str:
        """Of parts (n_expressions, n_parts) the sum or the greatest."""
        tensor = computed([part for of_one in parts for part in of_one])
        if len(parts[0]) == 1:
            return tensor
        cube = self.graph.reshaped(tensor, 0, len(parts), len(parts[0]))
        return self.graph.node(operator, cube, self.graph.constant([2], np.int64), keepdims=0)

    def _chosen(self, choices: Sequence[Conditional]) -> str:
        tensor = self.numbers([each.otherwise for each in choices])
        for index in reversed(range(len(choices[0].cases))):
            cases = [each.cases[index] for each in choices]
            truth = self._truths([condition for condition, _ in cases])
            value = self.numbers([value for _, value in cases])
            tensor = self.graph.node("Where", truth, value, tensor)
        return tensor

    def texts(self, choice: Expression) -> str:
        """A choice of texts: strings (n_rows, 1); the text of a gap is empty."""
        if not isinstance(choice, Conditional):
            text = choice.value if isinstance(choice, TextValue) else ""
            return self.graph.constant(np.array([[text]], object))
        tensor = self.texts(choice.otherwise)
        for condition, value in reversed(choice.cases):
            tensor = self.graph.node("Where", self._truths([condition]), self.texts(value), tensor)
        return tensor

    # conditions -------------------------------------------------------------------------------

    def _truths(self, conditions: Sequence[Condition]) -> str:
        """Booleans (n_rows, n_conditions)."""
        return self._by_form(conditions, self._truths_of_one_form)

    def _truths_of_one_form(self, conditions: Sequence[Any]) -> str:
        match conditions[0]:
            case IsGap():
                return self.graph.node("IsNaN", self.numbers([each.of for each in conditions]))
            case Relation(_, sign):
                both = self._at_each_place([(each.left, each.right) for each in conditions])
                return self.graph.node(SIGNS[sign], *both)
            case AnyOf():
                filled = _filled([each.conditions for each in conditions])
                greatest = self._reduced("ReduceMax", self._marks, filled)
                return self.graph.cast(greatest, np.bool_)
        raise TypeError(f"{type(conditions[0]).__name__} is written as a walk down trees.")

    def _marks(self, conditions: Sequence[Condition]) -> str:
        """1 where a condition holds, else 0."""
        return self.graph.cast(self._truths(conditions), np.float64)

    # small things -----------------------------------------------------------------------------

    def _at_each_place(self, rows: Sequence[Sequence[Expression]]) -> list[str]:
        return [self.numbers(column) for column in zip(*rows, strict=True)]

    def _folded(self, operator: str, tensors: Sequence[str]) -> str:
        folded, *others = tensors
        for tensor in others:
            folded = self.graph.node(operator, folded, tensor)
        return folded

    def _known(self, expressions: Sequence[Any]) -> str:
        values = [each.value if isinstance(each, Number) else np.nan for each in expressions]
        return self._constant([values])

    def _constant(self, matrix: Sequence[Sequence[float]]) -> str:
        return self.graph.constant(matrix, np.float64)

    def _picked(self, tensor: str, order: Sequence[int], n_columns: int) -> str:
        """These columns of a tensor."""
        if [*order] == [*range(n_columns)]:
            return tensor
        return self.graph.node("Gather", tensor, self.graph.constant(order, np.int64), axis=1)

    def in_rows(self, tensor: str) -> str:
        """What is known, once for each row."""
        if tensor not in self.graph.constants:
            return tensor
        return self.graph.node("Add", tensor, self._zeros)


def form_of(part: Any) -> tuple[object, ...]:
    """What expressions or conditions must have in common to be computed at once.

    >>> rain, wind = NameOf("rain"), NameOf("wind")
    >>> form_of(Sum((rain, wind))) == form_of(Sum((wind, Number(1.0), wind)))
    True
    >>> form_of(Relation(rain, "<", wind)) == form_of(Relation(rain, ">", wind))
    False
    """
    match part:
        case Number() | Gap():
            return (Number,)
        case Times(factors):
            return Times, len(factors)
        case Function(name):
            return Function, name
        case Conditional(cases):
            return Conditional, len(cases)
        case Relation(_, sign):
            return Relation, sign
    return (type(part),)


def grouped(items: Iterable[Any], key: Callable[[Any], Any]) -> list[list[Any]]:
    """Items with the same key together, in the order in which keys come first.

    >>> grouped(["rain", "sun", "snow"], len)
    [['rain', 'snow'], ['sun']]
    """
    groups: dict[Any, list[Any]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return [*groups.values()]


def _weight(part: Expression) -> float | None:
    """The number that something is multiplied with, if that is all there is."""
    match part:
        case Times((Number(weight), _)):
            return weight
    return None


def _weights(parts: Sequence[Any]) -> dict[Expression, float]:
    """What is multiplied with a weight, and the weight; nothing if something is there twice."""
    products = [part.factors for part in parts if _weight(part) is not None]
    weights = {number: weight.value for weight, number in products}
    return weights if len(weights) == len(products) else {}


def _filled(parts: Sequence[Sequence[Any]], last: Any = None) -> list[list[object]]:
    """Lists of parts, all as long as the longest: the last part again, or what is given.

    >>> _filled([("rain", "sun"), ("snow",)])
    [['rain', 'sun'], ['snow', 'snow']]
    """
    longest = max(map(len, parts))
    return [[*some, *[last or some[-1]] * (longest - len(some))] for some in parts]
