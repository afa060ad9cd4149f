// Objects by names that people choose: a column may be called "constructor", "toString" or "__proto__".

/**
 * What an object has under a name of its own; undefined if it has none, also where every object inherits one.
 * @template V
 * @param {Record<string, V> | null | undefined} map
 * @returns {V | undefined}
 */
export const at = (map, name) => (map && Object.hasOwn(map, name) ? map[name] : undefined);
