/** For bugs of this program only. Errors from outside are a `Failure`; a refusal that a caller must handle is a value. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`broken assumption: ${what}`);
}
