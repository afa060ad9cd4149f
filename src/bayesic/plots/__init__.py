"""Pictures, as figures of matplotlib. pyplot is not used: nothing global changes.

>>> from bayesic import plots
>>> plots.log_likelihood([-30.0, -20.0, -19.5]).axes[0].get_xlabel()
'step'
"""

try:
    import matplotlib  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "Pictures need matplotlib, which is not installed. Run pip install 'bayesic[plot]'.",
        name=error.name,
    ) from error

from bayesic.plots._class_densities import densities
from bayesic.plots._confusion_matrix import confusion
from bayesic.plots._fonts import add_fonts
from bayesic.plots._learning_curves import learning_curves
from bayesic.plots._mixture import log_likelihood, mixture
from bayesic.plots._network_diagram import network
from bayesic.plots._regions import decision_regions
from bayesic.plots._reliability import calibration
from bayesic.plots._tree_diagram import tree
from bayesic.plots._weights_of_evidence import evidence

__all__ = [
    "add_fonts",
    "calibration",
    "confusion",
    "decision_regions",
    "densities",
    "evidence",
    "learning_curves",
    "log_likelihood",
    "mixture",
    "network",
    "tree",
]
