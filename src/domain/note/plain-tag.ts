/** A tag as wishes and contracts may name it: without `#`, commas, quotes and brackets. */
export const isPlainTag = (tag: string): boolean =>
  /^[^\s,#[\]{}"'\u0000-\u001f\u007f][^,[\]{}\u0000-\u001f\u007f]{0,99}$/u.test(tag);
