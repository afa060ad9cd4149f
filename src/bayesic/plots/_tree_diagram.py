"""A decision tree from left to right: tests, answers, and the classes of the leaves."""

from dataclasses import dataclass, field

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayesic.data.languages import said
from bayesic.data.typing import Size
from bayesic.evidence.text_table import display_width, short
from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from bayesic.hypotheses.mdl_tree.tree_text import answer_text, leaf_text, leaves_text
from bayesic.plots._canvas import DARK, GREY, axes_for, colour, finished, marker, name_axes, write

MOST_LEAVES = 60  # of larger trees the tests far from the root are left out
LONGEST = 24  # columns of a terminal for a name
WIDTH, HEIGHT = 0.088, 0.34  # inches of a column of a terminal, and of a leaf


@dataclass
class _TreeBox:
    """A node of the picture."""

    node: int
    depth: int
    label: str
    answer: str  # that leads here
    is_test: bool
    children: list["_TreeBox"] = field(default_factory=list)
    height: float = 0.0  # from the top, in leaves


def tree(
    model: MDLTreeClassifier,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """The tests of a decision tree from left to right, and its leaves with class and rows.

    If a tree has more than 60 leaves, only the first tests are drawn; the others are counted.

    model : a fitted MDLTreeClassifier

    >>> wet, dry = ["rain"] * 6, ["sun"] * 6
    >>> model = MDLTreeClassifier().fit({"sky": wet + dry}, ["stay"] * 6 + ["go"] * 6)
    >>> [text.get_text() for text in tree(model).axes[0].texts]
    ['sky', '= rain', 'stay (6 rows)', '= sun', 'go (6 rows)']
    """
    if not isinstance(model, MDLTreeClassifier) or not hasattr(model, "tree_"):
        raise TypeError(
            "tree shows a fitted MDLTreeClassifier, such as MDLTreeClassifier().fit(X, y), got "
            f"{type(model).__name__}. Fit it first."
        )
    boxes = _boxes_of(model, _shown_depth(model))
    n_ends = _place(boxes)
    left = _columns_of(boxes)
    ax = axes_for(ax, size, (max(WIDTH * left[-1], 4.0), 0.7 + HEIGHT * n_ends))
    _draw(ax, boxes, left, model)
    ax.set(xlim=(-1.0, left[-1]), ylim=(n_ends - 0.4, -0.6))
    ax.set_axis_off()
    size_of = {"leaves": leaves_text(model.n_leaves_)}
    bits = f"{model.description_length_:.1f}"
    name_axes(ax, title=said("{leaves}, {bits} bits", **size_of, bits=bits))
    return finished(ax)


def _shown_depth(model: MDLTreeClassifier) -> int:
    """How deep to draw: as deep as there is room, but one test at least."""
    depth, ends = 0, [0]
    while True:
        below = [end for node in ends for end in model.tree_.children(node) or (node,)]
        if below == ends or (len(below) > MOST_LEAVES and depth):
            return depth
        depth, ends = depth + 1, below


def _boxes_of(model: MDLTreeClassifier, depth: int) -> list[_TreeBox]:
    """The nodes down to this depth, each before its children, from top to bottom."""
    learned, columns = model.tree_, model.columns_

    def box_of(node: int, at: int, answer: str) -> _TreeBox:
        is_test = bool(learned.n_children[node]) and at < depth
        end = None if is_test else _end_label(model, node)
        label = end or columns[learned.column[node]].name
        box = _TreeBox(node, at, short(label, LONGEST if is_test else 2 * LONGEST), answer, is_test)
        if is_test:
            box.children = [
                box_of(child, at + 1, said(answer_text(learned, columns, node, child)))
                for child in learned.children(node)
            ]
        return box

    return list(_all_below(box_of(0, 0, "")))


def _end_label(model: MDLTreeClassifier, node: int) -> str:
    """What stands at the end of a branch."""
    text, n_below = leaf_text(model.tree_, model.classes_, node), 0
    waiting = list(model.tree_.children(node))
    while waiting:
        child = waiting.pop()
        waiting += model.tree_.children(child)
        n_below += not model.tree_.n_children[child]
    if not n_below:
        return text
    return said("{text} … {leaves}", text=text, leaves=leaves_text(n_below))


def _all_below(box: _TreeBox) -> list[_TreeBox]:
    """A box and all behind it."""
    return [box, *(each for child in box.children for each in _all_below(child))]


def _place(boxes: list[_TreeBox]) -> int:
    """Give each box its height: one leaf below the other, tests in the middle; how many leaves."""
    n_ends = 0
    for box in boxes:
        if not box.children:
            box.height = n_ends
            n_ends += 1
    for box in reversed(boxes):
        if box.children:
            box.height = (box.children[0].height + box.children[-1].height) / 2
    return n_ends


def _columns_of(boxes: list[_TreeBox]) -> list[float]:
    """Where the labels of each depth begin, then the line behind them, and so on; last the end."""
    edges = [0.0]
    for depth in range(max(box.depth for box in boxes) + 1):
        here = [box for box in boxes if box.depth == depth]
        tests = [display_width(box.label) for box in here if box.is_test]
        if tests:
            answers = [short(child.answer, LONGEST) for box in here for child in box.children]
            line = edges[-1] + max(tests) + 2
            edges += [line, line + max(map(display_width, answers)) + 4]
    last = max(edges[2 * box.depth] + display_width(box.label) + 3 for box in boxes)
    return [*edges, last]


def _draw(ax: Axes, boxes: list[_TreeBox], left: list[float], model: MDLTreeClassifier) -> None:
    """Names of columns with lines to their children, answers on the lines, leaves in colour."""
    for box in boxes:
        x = left[2 * box.depth]
        if box.answer:
            line = left[2 * box.depth - 1]
            ax.plot([line, x - 0.8], [box.height] * 2, color=GREY, linewidth=0.9)
            answer = short(box.answer, LONGEST)
            write(ax, line + 1, box.height - 0.08, answer, va="bottom", fontsize=8, color=DARK)
        if not box.is_test:
            number = int(model.tree_.class_count[box.node].argmax())
            ax.plot([x], [box.height], color=colour(number), marker=marker(number), markersize=6)
            write(ax, x + 1.2, box.height, box.label, va="center", fontsize=9, color=DARK)
            continue
        write(ax, x, box.height, box.label, va="center", fontsize=9, weight="bold", color=DARK)
        heights, line = [child.height for child in box.children], left[2 * box.depth + 1]
        ax.plot([line, line], [heights[0], heights[-1]], color=GREY, linewidth=0.9)
        end = x + display_width(box.label) + 0.6
        ax.plot([end, line], [box.height] * 2, color=GREY, linewidth=0.9)
