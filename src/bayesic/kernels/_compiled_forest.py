# mypy: disallow-untyped-defs=False
"""Trees that cut columns in two, in Numba: the same functions as `forest.py`, names as there."""

import numpy as np

from bayesic.kernels._compiled_leaving import left
from bayesic.kernels._jit import inlined, inner, jit, lent
from bayesic.kernels.forest import (
    CHILD,
    COLUMN,
    CUT,
    FOR_MISSING,
    LEAF,
    MISSING,
    UNKNOWN,
)
from bayesic.kernels.splitmix import HIGH_BITS, LAST_SHIFT, MIX, STEP

__all__ = ["answers", "answers_without", "grown", "stops"]

(SHIFT_1, FACTOR_1), (SHIFT_2, FACTOR_2) = MIX
RANKS = 256
TOGETHER = 32  # rows that go through a tree side by side

# numbers that index arrays are unsigned: for signed ones Numba asks each time if they are negative
ZERO, ONE_RANK, NO_STEP = np.uint64(0), np.uint8(1), np.uint64(MISSING)

# a node as one number: its first child, the column (24 bits) and the cut (8 bits)
COLUMN_AT, CHILD_AT, COLUMN_MASK, CUT_MASK = map(np.uint64, (8, 32, 2**24 - 1, 2**8 - 1))


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
    nodes, parents = np.empty((most, 4), np.int32), np.empty(most, np.int32)
    ends = np.empty((most, 2), np.uint64)
    rows = np.arange(n_rows, dtype=np.uint32), classes.astype(np.uint32), weights.copy()
    room = tuple(map(np.empty_like, rows))
    counts = np.zeros((RANKS, n_classes)), np.zeros((3, n_classes)), np.arange(n_columns)
    n_nodes = _grow(
        ranks, n_tried, at_random, np.uint64(seed), rows, room, counts, ends, nodes, parents
    )
    return nodes[:n_nodes].copy(), parents[:n_nodes].copy()


@jit()
def _grow(ranks, n_tried, at_random, seed, rows, room, counts, ends, nodes, parents):
    """Fill in nodes and parents; how many there are.

    rows : their numbers, classes and weights; those of a node stand together, between its ends.
        Those of its children go to the same places in room, and so on to and fro by level
    """
    rows, room, counts = lent(rows), lent(room), lent(counts)
    ends[0, 0], ends[0, 1] = 0, len(rows[0])
    parents[0], n_nodes, node, level_end = LEAF, 1, 0, 1
    while node < n_nodes:
        if node == level_end:
            rows, room, level_end = room, rows, n_nodes
        for index in range(4):
            nodes[node, index] = LEAF
        start, stop = ends[node, 0], ends[node, 1]
        state = seed + np.uint64(node + 1) * STEP
        column, cut = _best_split(ranks, n_tried, at_random, state, rows, start, stop, counts)
        if column != LEAF:
            middle, last = _part(ranks[column], cut, rows, start, stop, room)
            nodes[node, COLUMN], nodes[node, CUT], nodes[node, CHILD] = column, cut, n_nodes
            ends[n_nodes, 0], ends[n_nodes, 1] = start, middle
            ends[n_nodes + 1, 0], ends[n_nodes + 1, 1] = middle, last
            n_children = 2
            if last < stop:
                n_children, nodes[node, FOR_MISSING] = 3, n_nodes + 2
                ends[n_nodes + 2, 0], ends[n_nodes + 2, 1] = last, stop
            for child in range(n_nodes, n_nodes + n_children):
                parents[child] = node
            n_nodes += n_children
        node += 1
    return n_nodes


@inlined
def _best_split(ranks, n_tried, at_random, state, rows, start, stop, counts):
    """The column and the cut of the best split, or LEAF."""
    table, sums, order = counts
    n_columns, n_classes = len(order), table.shape[1]
    for c in range(n_classes):
        sums[0, c] = 0.0
    for index in range(start, stop):
        sums[0, rows[1][index]] += rows[2][index]
    n_present = 0
    for c in range(n_classes):
        n_present += sums[0, c] > 0.0
    best, best_column, best_cut = -1.0, LEAF, LEAF
    for column in range(n_columns):
        order[column] = column
    turn, tried = 0, 0
    while n_present > 1 and turn < n_columns and tried < n_tried:
        state += STEP
        index = turn + _below(state, n_columns - turn)
        column = order[index]
        order[index] = order[turn]
        turn += 1
        first, last, has_gaps = _count_ranks(ranks[column], rows, start, stop, table, sums)
        n_cuts = last - first + has_gaps if last >= 0 else 0
        if n_cuts > 0:
            tried += 1
            low, high = first, first + n_cuts
            if at_random:
                state += STEP
                low = first + _below(state, n_cuts)
                high = low + 1
            gain, cut = _best_cut(table, sums, first, low, high)
            if gain > best:
                best, best_column, best_cut = gain, column, cut
        for rank in range(first, last + 1):
            for c in range(n_classes):
                table[rank, c] = 0.0
    return best_column, best_cut


@inlined
def _count_ranks(ranks, rows, start, stop, table, sums):
    """Count rows by rank and class, gaps into sums[2]; first and last rank, if there are gaps."""
    numbers, classes, weights = rows
    lowest, after_highest = np.uint8(MISSING), np.uint8(0)
    for index in range(start, stop):
        rank = ranks[numbers[index]]
        table[rank, classes[index]] += weights[index]
        after = np.uint8(rank + ONE_RANK)  # of a gap: 0
        lowest = rank if rank < lowest else lowest
        after_highest = after if after > after_highest else after_highest
    has_gaps = 0
    for c in range(table.shape[1]):
        sums[2, c], table[MISSING, c] = table[MISSING, c], 0.0
        has_gaps |= sums[2, c] > 0.0
    return np.int64(lowest), np.int64(after_highest) - 1, has_gaps


@inlined
def _best_cut(table, sums, first, low, high):
    """The gain of the best cut from low on and below high, and that cut."""
    n_classes = table.shape[1]
    best, best_cut, total, gap_squares, gap_total = -1.0, LEAF, 0.0, 0.0, 0.0
    for c in range(n_classes):
        sums[1, c] = 0.0
        total += sums[0, c] - sums[2, c]
        gap_squares += sums[2, c] * sums[2, c]
        gap_total += sums[2, c]
    of_gaps = gap_squares / gap_total if gap_total > 0.0 else 0.0
    n_low = 0.0
    for rank in range(first, high):
        low_squares, high_squares = 0.0, 0.0
        for c in range(n_classes):
            n_low += table[rank, c]
            sums[1, c] += table[rank, c]
            others = sums[0, c] - sums[2, c] - sums[1, c]
            low_squares += sums[1, c] * sums[1, c]
            high_squares += others * others
        if rank < low:
            continue
        gain = low_squares / n_low
        gain += high_squares / (total - n_low) if total > n_low else 0.0
        gain += of_gaps
        if gain > best:
            best, best_cut = gain, rank
    return best, best_cut


@inlined
def _part(ranks, cut, rows, start, stop, room):
    """Put rows into room: up to the cut, then above it, then gaps; where the last two begin."""
    cut, numbers = np.uint8(cut), rows[0]
    middle, last = start, stop
    for index in range(start, stop):
        rank = ranks[numbers[index]]
        middle += np.uint64(rank <= cut)
        last -= np.uint64(rank == MISSING)
    low, high, gap = start, middle, last
    for index in range(start, stop):
        rank = ranks[numbers[index]]
        is_low, is_gap = rank <= cut, rank == MISSING
        to = low if is_low else gap if is_gap else high
        room[0][to], room[1][to], room[2][to] = numbers[index], rows[1][index], rows[2][index]
        low += np.uint64(is_low)
        gap += np.uint64(is_gap)
        high += np.uint64(not is_low and not is_gap)
    return middle, last


# rows in trees --------------------------------------------------------------------------------


def stops(codes, trees, some):
    """The last node that each row comes to in some of the trees."""
    numbers = np.arange(len(trees.first_node) - 1)[some]
    at = np.empty((len(codes), len(numbers)), np.int32)
    _fill_stops(codes, *_for_steps(trees), numbers, at)
    return at


def _for_steps(trees):
    """The trees as a tuple, and room for rows that go through one of them, and for its nodes."""
    if len(trees.first_code) - 1 > COLUMN_MASK:
        raise ValueError(
            f"A forest has at most {COLUMN_MASK:,} columns, got {len(trees.first_code) - 1:,}. "
            "Leave some out, with columns={'name': 'ignore'}."
        )
    together = np.empty(TOGETHER, np.uint64), np.empty(TOGETHER, np.uint64)
    most = np.diff(trees.first_node).max()
    first_code = trees.first_code.astype(np.uint64)
    return (*trees[:-1], first_code), (*together, np.empty(most, np.uint64))


@jit()
def _fill_stops(codes, trees, room, numbers, at):
    trees, room = lent(trees), lent(room)
    for index in range(len(numbers)):
        first = _begin(trees, numbers[index], room)
        for start in range(0, len(codes), TOGETHER):
            for row in range(_go(codes, trees, numbers[index], start, room)):
                at[start + row, index] = first + np.int64(room[0][row])


@inlined
def _begin(trees, tree, room):
    """Make one number of each node of a tree; its first node. A leaf has no rank above its cut."""
    first_node, nodes, _, _, _ = trees
    steps, first = room[2], first_node[tree]
    for index in range(first_node[tree + 1] - first):
        node = first + index
        if nodes[node, COLUMN] == LEAF:
            steps[index] = NO_STEP
            continue
        step = np.uint64(nodes[node, CHILD] - first) << CHILD_AT
        step |= np.uint64(nodes[node, COLUMN]) << COLUMN_AT
        steps[index] = step | np.uint64(nodes[node, CUT])
    return first


@inlined
def _go(codes, trees, tree, start, room):
    """The last nodes that some rows come to in a tree, into room[0]; how many rows there are.

    They go step by step side by side: while one waits for a node from memory, others go on.
    """
    first_node, nodes, _, ranks, first_code = trees
    here, going, steps = room
    n_rows, start, own = min(TOGETHER, len(codes) - start), np.uint64(start), ranks[tree]
    n_going = ZERO
    for row in range(np.uint64(n_rows)):
        here[row], going[row] = ZERO, row
    if steps[0] != NO_STEP:
        n_going = np.uint64(n_rows)
    while n_going > ZERO:
        n_still = ZERO
        for index in range(n_going):
            row = going[index]
            step = steps[here[row]]
            column = (step >> COLUMN_AT) & COLUMN_MASK
            rank = own[first_code[column] + np.uint64(codes[start + row, column])]
            child = (step >> CHILD_AT) + np.uint64(rank > (step & CUT_MASK))
            if rank >= UNKNOWN:
                node = first_node[tree] + np.int64(here[row])
                if rank == UNKNOWN or nodes[node, FOR_MISSING] == LEAF:
                    continue
                child = np.uint64(nodes[node, FOR_MISSING] - first_node[tree])
            here[row], going[n_still] = child, row
            n_still += np.uint64(steps[child] != NO_STEP)
        n_going = n_still
    return n_rows


def answers(codes, trees, probability):
    """The mean over the trees of P(c) at the node where each row stops."""
    total = np.zeros((len(codes), probability.shape[1]))
    _add_stops(codes, *_for_steps(trees), probability, total)
    return total / (len(trees.first_node) - 1)


@jit()
def _add_stops(codes, trees, room, probability, total):
    trees, room = lent(trees), lent(room)
    for tree in range(len(trees[0]) - 1):  # one after the other: its nodes stay in the cache
        first = _begin(trees, tree, room)
        for start in range(0, len(codes), TOGETHER):
            for row in range(_go(codes, trees, tree, start, room)):
                for c in range(probability.shape[1]):
                    total[start + row, c] += probability[first + np.int64(room[0][row]), c]


def answers_without(stopped, parents, counts, classes, weights, is_asked, strengths):
    """Mean over the asked trees of P(c | x) without the own row."""
    total = np.zeros((len(strengths), len(classes), counts.shape[1]))
    _add_answers(stopped, parents, counts, classes, weights, is_asked, strengths, total)
    return total / is_asked.sum(axis=1)[:, None]


@jit()
def _add_answers(stopped, parents, counts, classes, weights, is_asked, strengths, total):
    n_classes = counts.shape[1]
    path, here = np.empty(len(parents), np.int64), np.empty((len(strengths), n_classes))
    count = np.empty(n_classes)
    for tree in range(stopped.shape[1]):
        for row in range(len(classes)):
            if not is_asked[row, tree]:
                continue
            depth, node = 0, np.int64(stopped[row, tree])
            while node >= 0:
                path[depth] = node
                depth += 1
                node = np.int64(parents[node])
            here[:] = 1.0 / n_classes
            for step in range(depth - 1, -1, -1):
                whole = _less_a_row(counts[path[step]], classes[row], weights[row], count)
                for index in range(len(strengths)):
                    strength = strengths[index]
                    share = 1.0 / (whole + strength)
                    for c in range(n_classes):
                        here[index, c] = (count[c] + strength * here[index, c]) * share
            for index in range(len(strengths)):
                for c in range(n_classes):
                    total[index, row, c] += here[index, c]


@inlined
def _less_a_row(counts, own, weight, count):
    """Fill in the counts of a node without a row; their sum."""
    whole = 0.0
    for c in range(len(count)):
        count[c] = left(counts[c], weight) if c == own else counts[c]
        whole += count[c]
    return whole
