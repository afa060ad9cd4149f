"""Fitted models written down for others to compute: what a row's answer is, step by step."""

from bayesic.export._pipelines import register_skl2onnx

__all__ = ["register_skl2onnx"]
