// The rows of a table.

/**
 * The states of the parents, row by row: the last parent changes fastest.
 * @param {{name: string, states: string[]}[]} parents
 */
export const configurations = (parents) =>
  parents.reduce((rows, { states }) => rows.flatMap((row) => states.map((state) => [...row, state])), /** @type {string[][]} */ ([[]]));
