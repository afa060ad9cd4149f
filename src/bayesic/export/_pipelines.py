"""Converters for skl2onnx: pipelines of scikit-learn that end with a model from here."""

from typing import Any

from bayesic.catalogue import MODELS, class_named
from bayesic.export._onnx_graph import OPERATORS
from bayesic.export.to_onnx import LABEL, MATRIX, PROBABILITIES, needed_onnx, to_onnx


def register_skl2onnx() -> None:
    """Let skl2onnx convert pipelines of scikit-learn in which a model takes a matrix of numbers.

    These are CategoricalNB, BernoulliNB, MultinomialNB, ComplementNB, GaussianNB, GaussianBayes,
    LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis and LogisticRegression. Call it once,
    then `skl2onnx.to_onnx(pipeline, X)`. Within our part numbers are float64, whatever comes in.

    >>> import numpy as np
    >>> import bayesic as by
    >>> register_skl2onnx()
    >>> from skl2onnx import to_onnx
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> degrees = np.array([[2.0], [5.0], [21.0], [24.0]], dtype=np.float32)
    >>> pipeline = make_pipeline(StandardScaler(), by.GaussianNB())
    >>> written = to_onnx(pipeline.fit(degrees, ["rain", "rain", "sun", "sun"]), degrees)
    >>> [put.name for put in written.graph.output]
    ['output_label', 'output_probability']
    """
    try:
        from skl2onnx import update_registered_converter
        from skl2onnx._supported_operators import sklearn_classifier_list
        from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes
    except ImportError as error:
        raise ImportError(
            "Pipelines are converted by skl2onnx, which is not installed. Run pip install skl2onnx."
        ) from error
    for name, entry in MODELS.items():
        if not entry.exported or entry.reads != "numbers":
            continue
        model = class_named(name)
        if model not in sklearn_classifier_list:  # or it is looked for scikit-learn's base class
            sklearn_classifier_list.append(model)
        update_registered_converter(
            model,
            f"Bayesic{name}",
            calculate_linear_classifier_output_shapes,
            _convert,
            options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
        )


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Write the nodes of a model into the graph of a pipeline, under names that are free there."""
    onnx = needed_onnx()
    if container.target_opset < OPERATORS[""]:
        raise ValueError(
            f"Models of bayesic need operators of version {OPERATORS['']} or above, got "
            f"target_opset={container.target_opset}. Leave out target_opset."
        )
    graph = to_onnx(operator.raw_operator).graph
    names: dict[str, str] = {"": ""}

    def renamed(name: str) -> str:
        if name not in names:
            names[name] = scope.get_unique_variable_name(f"bayesic_{name}")
        return names[name]

    def cast(source: str, target: str, to: int) -> None:
        container.add_node("Cast", [source], [target], op_version=13, to=to)

    for constant in graph.initializer:
        values = onnx.numpy_helper.to_array(constant).ravel().tolist()
        name = renamed(constant.name)
        container.add_initializer(name, constant.data_type, [*constant.dims], values)
    cast(operator.inputs[0].full_name, renamed(MATRIX), onnx.TensorProto.DOUBLE)
    for node in graph.node:
        container.add_node(
            node.op_type,
            [*map(renamed, node.input)],
            [*map(renamed, node.output)],
            op_domain=node.domain,
            op_version=OPERATORS[node.domain],
            name=scope.get_unique_operator_name("bayesic"),
            **{each.name: onnx.helper.get_attribute_value(each) for each in node.attribute},
        )
    for output, name in zip(operator.outputs, (LABEL, PROBABILITIES), strict=True):
        cast(renamed(name), output.full_name, output.type.to_onnx_type().tensor_type.elem_type)
