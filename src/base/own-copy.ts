/**
 * A copy with its own memory. V8 keeps the whole source text alive as long as a slice of it is referenced, which is for ever
 * if the slice is cached.
 */
export const ownCopy = (piece: string): string => ` ${piece}`.slice(1);
