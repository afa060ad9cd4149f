# mypy: disallow-untyped-defs=False
"""Trees that cut columns in two, in Numba: the same functions as `forest.py`, names as there."""

import numpy as np

from bayesic.kernels.compiled_leaving import left
from bayesic.kernels.forest import (
    CHILD,
    COLUMN,
    CUT,
    FOR_MISSING,
    LEAF,
    MISSING,
    UNKNOWN,
)
from bayesic.kernels.jit import inlined, inner, jit, lent
from bayesic.kernels.splitmix import HIGH_BITS, LAST_SHIFT, MIX, STEP

__all__ = ["answers", "answers_without", "grown", "stops"]

(SHIFT_1, FACTOR_1), (SHIFT_2, FACTOR_2) = MIX
RANKS = 256
TOGETHER = 16  # rows that go through a tree side by side


@inner
def _below(state, limit):
    state = (state ^ (state >> SHIFT_1)) * FACTOR_1
    state = (state ^ (state >> SHIFT_2)) * FACTOR_2
    state ^= state >> LAST_SHIFT
    return np.int64((state >> HIGH_BITS) % np.uint64(limit))


def grown(ranks, classes, weights, n_classes, n_tried, at_random, seed):
    """The nodes of a tree, and their parents."""
    n_columns, n_rows = ranks.shape
    most = 3 * n_rows + 1
    nodes, parents = np.full((most, 4), LEAF, np.int32), np.full(most, LEAF, np.int32)
    ends = np.zeros((most, 2), np.int64)
    rows = np.arange(n_rows, dtype=np.int32)
    room = np.zeros((RANKS, n_classes)), np.zeros((3, n_classes)), np.arange(n_columns), rows.copy()
    n_nodes = _grow(
        ranks, classes, weights, n_tried, at_random, np.uint64(seed), rows, ends, room, nodes,
        parents,
    )  # fmt: skip
    return nodes[:n_nodes].copy(), parents[:n_nodes].copy()


@jit()
def _grow(
    ranks, classes, weights, n_tried, at_random, seed, rows, ends, room, nodes, parents
):  # fmt: skip
    """Fill in nodes and parents; how many there are. The rows of a node stand together."""
    ends[0, 1] = len(rows)
    n_nodes, node = 1, 0
    while node < n_nodes:
        start, stop = ends[node, 0], ends[node, 1]
        mine = rows[start:stop]
        column, cut = _best_split(
            ranks, classes, weights, n_tried, at_random, seed + np.uint64(node + 1) * STEP, mine,
            room,
        )  # fmt: skip
        if column != LEAF:
            n_low, n_high = _part(ranks[column], cut, mine, room[3])
            nodes[node, COLUMN], nodes[node, CUT], nodes[node, CHILD] = column, cut, n_nodes
            middle, last = start + n_low, start + n_low + n_high
            n_children = 2
            ends[n_nodes, 0], ends[n_nodes, 1] = start, middle
            ends[n_nodes + 1, 0], ends[n_nodes + 1, 1] = middle, last
            if last < stop:
                n_children, nodes[node, FOR_MISSING] = 3, n_nodes + 2
                ends[n_nodes + 2, 0], ends[n_nodes + 2, 1] = last, stop
            for child in range(n_nodes, n_nodes + n_children):
                parents[child] = node
            n_nodes += n_children
        node += 1
    return n_nodes


@inlined
def _best_split(ranks, classes, weights, n_tried, at_random, state, rows, room):
    """The column and the cut of the best split, or LEAF."""
    counts, sums, order, _ = room
    n_columns, n_classes = len(order), counts.shape[1]
    sums[0] = 0.0
    for row in rows:
        sums[0, classes[row]] += weights[row]
    n_present = 0
    for c in range(n_classes):
        n_present += sums[0, c] > 0.0
    best, best_column, best_cut = -1.0, LEAF, LEAF
    for column in range(n_columns):
        order[column] = column
    turn, tried = 0, 0
    while n_present > 1 and turn < n_columns and tried < n_tried:
        state += STEP
        place = turn + _below(state, n_columns - turn)
        column = order[place]
        order[place] = order[turn]
        turn += 1
        first, last, has_gaps = _count_ranks(ranks[column], classes, weights, rows, counts, sums)
        n_cuts = last - first + has_gaps if last >= 0 else 0
        if n_cuts > 0:
            tried += 1
            low, high = first, first + n_cuts
            if at_random:
                state += STEP
                low = first + _below(state, n_cuts)
                high = low + 1
            gain, cut = _best_cut(counts, sums, first, low, high)
            if gain > best:
                best, best_column, best_cut = gain, column, cut
        for rank in range(first, last + 1):
            counts[rank] = 0.0
    return best_column, best_cut


@inlined
def _count_ranks(ranks, classes, weights, rows, counts, sums):
    """Count rows by rank and class, gaps into sums[2]; first and last rank, if there are gaps."""
    first, last, has_gaps = RANKS, -1, 0
    sums[2] = 0.0
    for row in rows:
        rank = np.int64(ranks[row])
        if rank == MISSING:
            sums[2, classes[row]] += weights[row]
            has_gaps = 1
        else:
            counts[rank, classes[row]] += weights[row]
            first, last = min(first, rank), max(last, rank)
    return first, last, has_gaps


@inlined
def _best_cut(counts, sums, first, low, high):
    """The gain of the best cut from low on and below high, and that cut."""
    n_classes = counts.shape[1]
    best, best_cut, total, gap_squares, gap_total = -1.0, LEAF, 0.0, 0.0, 0.0
    for c in range(n_classes):
        sums[1, c] = 0.0
        total += sums[0, c] - sums[2, c]
        gap_squares += sums[2, c] * sums[2, c]
        gap_total += sums[2, c]
    n_low = 0.0
    for rank in range(first, high):
        low_squares, high_squares = 0.0, 0.0
        for c in range(n_classes):
            n_low += counts[rank, c]
            sums[1, c] += counts[rank, c]
            others = sums[0, c] - sums[2, c] - sums[1, c]
            low_squares += sums[1, c] * sums[1, c]
            high_squares += others * others
        if rank < low:
            continue
        gain = low_squares / n_low
        gain += high_squares / (total - n_low) if total > n_low else 0.0
        gain += gap_squares / gap_total if gap_total > 0.0 else 0.0
        if gain > best:
            best, best_cut = gain, rank
    return best, best_cut


@inlined
def _part(ranks, cut, rows, room):
    """Put rows up to the cut first, then those above it, then gaps; how many of the first two."""
    n_low, n_high, n_gaps = 0, 0, 0
    for row in rows:
        rank = ranks[row]
        n_gaps += rank == MISSING
        n_low += rank <= cut
    n_high = len(rows) - n_low - n_gaps
    low, high, gap = 0, n_low, n_low + n_high
    for row in rows:
        rank = ranks[row]
        if rank <= cut:
            room[low] = row
            low += 1
        elif rank == MISSING:
            room[gap] = row
            gap += 1
        else:
            room[high] = row
            high += 1
    for place in range(len(rows)):  # an assignment of slices would take 2 s to compile
        rows[place] = room[place]
    return n_low, n_high


# rows in trees --------------------------------------------------------------------------------


def stops(codes, trees, some):
    """The last node that each row comes to in some of the trees."""
    numbers = np.arange(len(trees.first_node) - 1)[some]
    at = np.empty((len(codes), len(numbers)), np.int32)
    _fill_stops(codes, tuple(trees), numbers, at)
    return at


@jit()
def _fill_stops(codes, trees, numbers, at):
    trees = lent(trees)
    here, going = np.empty(TOGETHER, np.int64), np.empty(TOGETHER, np.int64)
    for place in range(len(numbers)):
        for start in range(0, len(codes), TOGETHER):
            for row in range(_go(codes, trees, numbers[place], start, here, going)):
                at[start + row, place] = here[row]


@inlined
def _go(codes, trees, tree, start, here, going):
    """The last nodes that some rows come to in a tree, into here; how many rows there are.

    They go step by step side by side: while one waits for a node from memory, others go on.
    """
    first_node, nodes, _, ranks, first_code = trees
    n_rows = min(TOGETHER, len(codes) - start)
    for row in range(n_rows):
        here[row], going[row] = first_node[tree], row
    n_going = n_rows
    while n_going > 0:
        n_still = 0
        for place in range(n_going):
            row = going[place]
            node = here[row]
            column = nodes[node, COLUMN]
            if column == LEAF:
                continue
            rank, child = ranks[tree, first_code[column] + codes[start + row, column]], LEAF
            if rank < UNKNOWN:
                child = nodes[node, CHILD] + (rank > nodes[node, CUT])
            elif rank == MISSING:
                child = nodes[node, FOR_MISSING]
            if child != LEAF:
                here[row], going[n_still] = child, row
                n_still += 1
        n_going = n_still
    return n_rows


def answers(codes, trees, probability):
    """The mean over the trees of P(c) at the node where each row stops."""
    total = np.zeros((len(codes), probability.shape[1]))
    _add_stops(codes, tuple(trees), probability, total)
    return total / (len(trees.first_node) - 1)


@jit()
def _add_stops(codes, trees, probability, total):
    trees = lent(trees)
    here, going = np.empty(TOGETHER, np.int64), np.empty(TOGETHER, np.int64)
    for tree in range(len(trees[0]) - 1):  # one after the other: its nodes stay in the cache
        for start in range(0, len(codes), TOGETHER):
            for row in range(_go(codes, trees, tree, start, here, going)):
                for c in range(probability.shape[1]):
                    total[start + row, c] += probability[here[row], c]


def answers_without(stopped, parents, counts, classes, weights, is_asked, strengths):
    """Mean over the asked trees of P(c | x) without the own row."""
    total = np.zeros((len(strengths), len(classes), counts.shape[1]))
    _add_answers(stopped, parents, counts, classes, weights, is_asked, strengths, total)
    return total / is_asked.sum(axis=1)[:, None]


@jit()
def _add_answers(stopped, parents, counts, classes, weights, is_asked, strengths, total):
    n_classes = counts.shape[1]
    path, here = np.empty(len(parents), np.int64), np.empty(n_classes)
    for tree in range(stopped.shape[1]):
        for row in range(len(classes)):
            if not is_asked[row, tree]:
                continue
            depth, node = 0, np.int64(stopped[row, tree])
            while node >= 0:
                path[depth] = node
                depth += 1
                node = np.int64(parents[node])
            for place in range(len(strengths)):
                here[:] = 1.0 / n_classes
                for step in range(depth - 1, -1, -1):
                    _back_off(
                        counts[path[step]], classes[row], weights[row], strengths[place], here
                    )
                for c in range(n_classes):
                    total[place, row, c] += here[c]


@inlined
def _back_off(count, own, weight, strength, here):
    """Make of the probabilities above a node those at the node, without a row."""
    rest, whole = left(count[own], weight), strength
    for c in range(len(here)):
        whole += rest if c == own else count[c]
    for c in range(len(here)):
        here[c] = ((rest if c == own else count[c]) + strength * here[c]) / whole
