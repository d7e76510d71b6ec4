/**
 * The same text, with nothing behind it. A piece of a text keeps all of that text in memory for as long as it is remembered itself,
 * which is for ever where it is remembered on purpose.
 */
export const ownCopy = (piece: string): string => ` ${piece}`.slice(1);
