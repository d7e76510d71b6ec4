/**
 * For our own mistakes only: a broken assumption of this program. What the world can do wrong is a Failure, and what
 * a caller may be refused is a value.
 */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`broken assumption: ${what}`);
}
