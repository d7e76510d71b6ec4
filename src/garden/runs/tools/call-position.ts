/** The position of a call in the journal. Its key is `<run>/<position>-<name>`. */
export const positionIn = (key: string): number => Number(/\/(\d+)-[^/]*$/.exec(key)?.[1] ?? Number.MAX_SAFE_INTEGER);
