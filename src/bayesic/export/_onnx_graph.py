"""An ONNX graph in the making: nodes, and the constants that they need."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from bayesic.kernels import Array

OPERATORS = {"": 18, "ai.onnx.ml": 3}  # the versions of the operators, by domain
LEARNING = "ai.onnx.ml"


class OnnxGraph:
    """Nodes in the order in which they are computed."""

    def __init__(self, prefix: str) -> None:
        """prefix : of all names that are made here"""
        import onnx

        self.onnx, self.prefix = onnx, prefix
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}
        self._by_content: dict[tuple, str] = {}

    def new_name(self) -> str:
        """A name that nothing has."""
        return f"{self.prefix}{len(self.nodes) + len(self.constants)}"

    def constant(self, values: ArrayLike, dtype: DTypeLike | None = None) -> str:
        """Numbers, truths or texts that are known; the same ones are kept once."""
        array = np.asarray(values, dtype)
        content = array.tobytes() if array.dtype.kind != "O" else tuple(array.ravel().tolist())
        key = (array.dtype.str, array.shape, content)
        if key not in self._by_content:
            self._by_content[key] = name = self.new_name()
            self.constants[name] = array
        return self._by_content[key]

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """The output of a new node."""
        output = self.new_name()
        self.node_to(output, operator, *inputs, domain=domain, **attributes)
        return output

    def node_to(
        self, output: str, operator: str, *inputs: str, domain: str = "", **attributes: Any
    ) -> None:
        """A new node, whose output has this name."""
        make = self.onnx.helper.make_node
        self.nodes.append(make(operator, inputs, [output], domain=domain, **attributes))

    def together(self, tensors: Sequence[str], axis: int = 1) -> str:
        """Tensors side by side."""
        return tensors[0] if len(tensors) == 1 else self.node("Concat", *tensors, axis=axis)

    def cast(self, tensor: str, dtype: DTypeLike) -> str:
        """The same values in another type."""
        to = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.node("Cast", tensor, to=to)

    def reshaped(self, tensor: str, *shape: int) -> str:
        """In another shape; 0: as many as before in this place."""
        return self.node("Reshape", tensor, self.constant(shape, np.int64))

    def initializers(self) -> list[object]:
        """The constants as ONNX holds them."""
        return [_tensor(self.onnx, name, array) for name, array in self.constants.items()]


def _tensor(onnx: Any, name: str, array: Array) -> Any:
    if array.dtype.kind != "O":
        return onnx.numpy_helper.from_array(array, name)
    texts = [text.encode("utf-8") for text in array.ravel().tolist()]
    return onnx.helper.make_tensor(name, onnx.TensorProto.STRING, array.shape, texts)
