/**
 * Order of names as bytes of UTF-8, which is how S3 lists keys and git sorts trees. JavaScript's own `<` compares
 * UTF-16 units and puts characters beyond U+FFFF before U+E000…U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode characters above U+FFFF, so they rank above all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
