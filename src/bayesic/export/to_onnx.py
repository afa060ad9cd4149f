"""`to_onnx`: the answers of a fitted model as an ONNX graph, which any runtime computes."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from bayesic.data.arguments import check_is_fitted, check_one_of
from bayesic.data.distinct import category_name
from bayesic.data.snapshots import held_still
from bayesic.data.typing import Classifier
from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.export._class_answers import action_and_risk, probabilities
from bayesic.export._class_scores import scores_of, takes_numbers
from bayesic.export._dialects import checked_text
from bayesic.export._expressions import Conditional, Expression, IsGap, NameOf, Number, TextValue
from bayesic.export._onnx_graph import OPERATORS, OnnxGraph
from bayesic.export._steps import Steps
from bayesic.export._tensors import TensorColumn, Tensors
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import known_columns

MATRIX, LABEL, PROBABILITIES, RISK = "X", "label", "probabilities", "risk"
FORMAT_VERSION = 9  # of ONNX files: read by runtimes from 2023 on


def to_onnx(
    model: Classifier, dtype: Literal["float64", "float32"] = "float64", missing: str = ""
) -> Any:
    """The probabilities and labels of a fitted model as an ONNX model, for any runtime.

    Inputs: a matrix `X` (n_rows, n_features) for an array model; for a table model one input
    (n_rows, 1) per column, by name: numbers, or strings for categories. NaN is a missing number.
    Outputs: `label` (n_rows,) and `probabilities` (n_rows, n_classes), in the order of classes_:
    the answers of `predict` and `predict_proba`. For a BayesDecision the label is the action of
    least expected loss, and `risk` (n_rows,) is that loss.

    model : a fitted model that `to_sql` takes, too
    dtype : "float64", or "float32": of input and output numbers; in between they are float64
    missing : the string that stands for a missing category; must not have been learned

    Save it with `onnx.save(model, path)`, or as bytes with `model.SerializeToString()`.

    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis().to_dict()
    >>> model = by.NaiveBayes().fit(tennis, y="PlayTennis")
    >>> written = by.to_onnx(model)
    >>> [put.name for put in written.graph.input], [put.name for put in written.graph.output]
    (['Outlook', 'Temperature', 'Humidity', 'Wind'], ['label', 'probabilities'])
    """
    check_one_of("dtype", dtype, ("float64", "float32"))
    if not isinstance(missing, str):
        raise TypeError(f"missing must be a text, got {missing!r:.80}.")
    onnx = needed_onnx()
    model = held_still(model)
    check_is_fitted(model)
    learned = model._learned if isinstance(model, BayesDecision) else model
    names = known_columns(learned).names
    steps = Steps(names, can_walk=True)
    posterior = probabilities(steps, scores_of(learned, steps))
    if not steps.cells:  # the answer is the same for all rows, but their number is needed
        steps.cell(names[0], "category")
    matrix = names if takes_numbers(model) else None
    drawn = ModelGraph(steps, matrix, np.dtype(dtype), missing)
    if isinstance(model, BayesDecision):
        action, risk = action_and_risk(steps, posterior, model)
        drawn.take_steps()
        drawn.add_action(action)
        drawn.add_posterior(posterior)
        drawn.add_numbers(RISK, [risk], ["rows"])
    else:
        drawn.take_steps()
        drawn.add_label(posterior, model.classes_)
        drawn.add_posterior(posterior)
    operators = [onnx.helper.make_opsetid(*each) for each in OPERATORS.items()]
    return onnx.helper.make_model(
        drawn.finished(type(learned).__name__),
        opset_imports=operators,
        ir_version=FORMAT_VERSION,
        producer_name="bayesic",
    )


def needed_onnx() -> Any:
    """The package onnx, which is an extra."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(
            "to_onnx needs onnx, which is not installed. Run pip install 'bayesic[onnx]'."
        ) from error
    return onnx


class ModelGraph:
    """A graph with its inputs and outputs."""

    def __init__(
        self, steps: Steps, matrix: Sequence[str] | None, dtype: np.dtype, missing: str
    ) -> None:
        """matrix : the columns of the matrix that the model takes, None if it takes a table"""
        self.dtype, self.steps = dtype, steps
        prefix = "bayesic/"
        while any(cell.column.startswith(prefix) for cell in steps.cells.values()):
            prefix += "/"
        self.graph = OnnxGraph(prefix)
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        cells = self._columns() if matrix is None else self._matrix(matrix)
        words = {name for name, cell in steps.cells.items() if cell.holds == "category"}
        self.tensors = Tensors(self.graph, cells, words, missing)

    def take_steps(self) -> None:
        """Compute all that has a name."""
        for step in self.steps.steps:
            self.tensors.take(step)

    def finished(self, name: str) -> Any:
        """The graph as ONNX has it."""
        return self.graph.onnx.helper.make_graph(
            self.graph.nodes, name, self.inputs, self.outputs, self.graph.initializers()
        )

    # inputs -----------------------------------------------------------------------------------

    def _matrix(self, columns: Sequence[str]) -> dict[str, TensorColumn]:
        tensor = self._input(MATRIX, len(columns), is_number=True)
        index = {name: at for at, name in enumerate(columns)}
        return {
            name: TensorColumn(tensor, index[cell.column], len(columns))
            for name, cell in self.steps.cells.items()
        }

    def _columns(self) -> dict[str, TensorColumn]:
        return {
            name: TensorColumn(self._input(cell.column, 1, cell.holds == "number"), 0, 1)
            for name, cell in self.steps.cells.items()
        }

    def _input(self, name: str, n_columns: int, is_number: bool) -> str:
        """A new input: its name, or that of its numbers as doubles."""
        check_name(name)
        dtype = self.dtype if is_number else np.dtype(object)
        self.inputs.append(self._info(name, dtype, ["rows", n_columns]))
        return self.graph.cast(name, np.float64) if dtype == np.float32 else name

    def _info(self, name: str, dtype: np.dtype, shape: Sequence[object]) -> object:
        helper = self.graph.onnx.helper
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)

    # outputs ----------------------------------------------------------------------------------

    def add_posterior(self, posterior: Sequence[NameOf]) -> None:
        """The probability of each class."""
        self.add_numbers(PROBABILITIES, posterior, ["rows", len(posterior)])

    def add_label(self, posterior: Sequence[NameOf], classes: Array) -> None:
        """The most probable class; of a row that has no probabilities the first."""
        known = [Conditional(((IsGap(share), Number(0.0)),), share) for share in posterior]
        best = self.graph.node("ArgMax", self.tensors.numbers(known), axis=1, keepdims=0)
        names = _as_tensor(classes.tolist())
        label = self.graph.node("Gather", self.graph.constant(names), best)
        self._output(LABEL, label, names.dtype)

    def add_action(self, action: Expression) -> None:
        """The action of least expected loss; none is an empty text, or NaN."""
        if _is_of_numbers(action):
            self.add_numbers(LABEL, [action], ["rows"])
        else:
            texts = self.graph.reshaped(self.tensors.texts(action), -1)
            self._output(LABEL, texts, np.dtype(object))

    def add_numbers(
        self, name: str, expressions: Sequence[Expression], shape: Sequence[object]
    ) -> None:
        """Numbers of each row under a name."""
        tensor = self.tensors.in_rows(self.tensors.numbers(expressions))
        if len(shape) == 1:
            tensor = self.graph.reshaped(tensor, -1)
        if self.dtype != np.float64:
            tensor = self.graph.cast(tensor, self.dtype)
        self._output(name, tensor, self.dtype, shape)

    def _output(
        self, name: str, tensor: str, dtype: np.dtype, shape: Sequence[object] = ("rows",)
    ) -> None:
        self.graph.node_to(name, "Identity", tensor)
        self.outputs.append(self._info(name, dtype, shape))


def check_name(name: str) -> None:
    """Refuse a column that an ONNX model cannot have an input for."""
    if name in ("", LABEL, PROBABILITIES, RISK):
        raise ValueError(
            f"An input of an ONNX model cannot be called {name!r}: it must have a name, and "
            f"{LABEL}, {PROBABILITIES} and {RISK} are outputs. Rename the column, and fit again."
        )
    checked_text(name, "the name of a column")


def _as_tensor(labels: list) -> Array:
    """Labels as ONNX can hold them: numbers as they are, else texts.

    >>> _as_tensor([1, 2]), _as_tensor(["rain", 2])
    (array([1, 2]), array(['rain', '2'], dtype=object))
    """
    kinds = {*map(type, labels)}
    if len(kinds) == 1 and kinds <= {bool, int, float}:
        return np.array(labels)
    return np.array([category_name(label) for label in labels], object)


def _is_of_numbers(action: Expression) -> bool:
    values = [value for _, value in action.cases] if isinstance(action, Conditional) else [action]
    return not any(isinstance(value, TextValue) for value in values)
