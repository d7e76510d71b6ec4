/**
 * Advance widths in hundredths of the font size, two base-36 digits per character. Taken from a broad sans-serif (DejaVu
 * Sans), so that text which fits here also fits in narrower fonts (Arial, Segoe UI, Roboto).
 */
const RANGES: readonly (readonly [first: number, widths: string])[] = [
  [
    0x20,
    "0w141a2c1s2n260r13131e2c0w100w0y1s1s1s1s1s1s1s1s1s1s0y0y2c2c2c1h2s1w1x1y251r1m25230t0t1u1k2e23271o27" +
      "1x1r1p211w2r1x1p1x130y132c1e1e1p1r1j1r1q0z1r1r0s0s1m0s2p1r1p1r1r151g131r1n2a1n1n1g1s0y1s2c",
  ],
  [
    0xa0,
    "0w141s1s1s1s0y1e1e2s1b1p2c102s1e1e2c14141e1s1s0w1e141b1p2p2p2p1h1w1w1w1w1w1w2p1y1r1r1r1r0t0t0t0t2523" +
      "27272727272c27212121211p1o1r1p1p1p1p1p1p2q1j1q1q1q1q0s0s0s0s1p1r1p1p1p1p1p2c1p1r1r1r1r1n1r1n",
  ],
  [
    0x100,
    "1w1p1w1p1w1p1y1j1y1j1y1j1y1j251r251r1r1q1r1q1r1q1r1q1r1q251r251r251r251r231r2k1x0t0s0t0s0t0s0t0s0t0s" +
      "1n1k0t0s1u1m1m1k0s1k0s1k121k0y1k0s231r231r231r29231r271p271p271p2z2u1x151x151x151r1g1r1g1r1g1r1g1p13" +
      "1p131p13211r211r211r211r211r211r2r2a1p1n1p1x1g1x1g1x1g0z",
  ],
  [
    0x391,
    "1w1x1k1w1r1x23270t1u1w2e231r27231o1s1r1p1p271x27240t1p1u1i1r0y1m1u1s1n1p1i1i1r1p0y1n1n1s1k1k1p1o1r1n" +
      "1r1o1m1u1m1u2c",
  ],
  [
    0x400,
    "1r1r271p1y1r0t0t0t312w271z231p231w1x1x1p261r301s23231z232e2327231o1y1p1p2e1x261x2z312b2g1x1y301x1p1q" +
      "1n1h1x1q2i1h1t1t1o1s231t1p1t1r1j1m1n2d1n1w1n2k2m1z271n1j2c1o1q1q1r1h1j1g0s0s0s2i2i1t1o1t1n1t",
  ],
  [0x490, "1p1h"],
  [0x2010, "10101s1e2s2s1e1e0w0w0w0w1g1g1g1g1e1e1n1n0x1v2s"],
  [0x2190, "2c2c2c2c"],
  [0x2260, "2c2c2c2c2c2c"],
];

const COMMON = 64;
const WIDE = 137;

interface Widths {
  readonly table: ReadonlyMap<number, number>;
  readonly latin: Uint8Array;
}

let read: Widths | undefined;

/** Read when a text is measured first: most commands load this module and draw nothing. */
function readWidths(): Widths {
  const table = new Map(
    RANGES.flatMap(([first, widths]) =>
      Array.from({ length: widths.length / 2 }, (_, i): [number, number] => [
        first + i,
        Number.parseInt(widths.slice(2 * i, 2 * i + 2), 36),
      ]),
    ),
  );
  return { table, latin: Uint8Array.from({ length: 0x80 }, (_, code) => table.get(code) ?? COMMON) };
}

/** Scripts whose characters fill a square, and pictures. */
const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2600 && code <= 0x27bf) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f000 && code <= 0x3ffff);

/** Combining marks, joiners and variation selectors: zero width. */
const isMark = (code: number): boolean =>
  (code >= 0x300 && code <= 0x36f) ||
  (code >= 0x483 && code <= 0x489) ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x20d0 && code <= 0x20ff) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0x1f3fb && code <= 0x1f3ff) ||
  (code >= 0xe0000 && code <= 0xe01ef);

/** Characters missing in the table get the width usual for their script, never too narrow. */
export function advanceOf(code: number): number {
  read ??= readWidths();
  if (code < 0x80) return read.latin[code]!;
  const known = read.table.get(code);
  if (known !== undefined) return known;
  if (isMark(code)) return 0;
  return isWide(code) ? WIDE : 80;
}
