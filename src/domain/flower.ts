/**
 * The flower of an agent or a garden, drawn from a text that never changes (the slug, the first commit): the same text gives the same
 * flower everywhere. Pure; `Flower` in the web app and the sign-in page turn the shape into SVG.
 */
export interface FlowerShape {
  readonly viewBox: string;
  readonly hue: number;
  /** Hues of the second and the third ring: on towards rose and amber, never towards the green of leaves. */
  readonly innerHues: readonly [number, number];
  readonly petals: readonly Petal[];
  /** Radius of the heart. */
  readonly heart: number;
  /** None under `DETAIL_PX`. */
  readonly seeds: readonly { readonly x: number; readonly y: number; readonly r: number }[];
  readonly stem: string | undefined;
  readonly leaves: readonly { readonly path: string; readonly transform: string }[];
}

interface Petal {
  readonly ring: number;
  readonly turn: number;
  readonly path: string;
  /** Absent on a small flower without a stem. */
  readonly vein: string | undefined;
}

export interface FlowerWish {
  readonly sizePx: number;
  readonly rings: number;
  /** The hue that `flowerHues` gave it; otherwise the one that its text asks for. */
  readonly hue?: number | undefined;
  readonly hasStem?: boolean | undefined;
}

/** Hues that flowers have, from blue over violet and rose to amber. Green is for leaves. */
const HUES: readonly number[] = [262, 288, 312, 340, 8, 32, 58, 78];
/** Under this size veins and seeds are noise. */
const DETAIL_PX = 60;

/** Rings of petals of an agent: one, from ten approved proposals two, from a hundred three. */
export const flowerRings = (approvals: number): number => (approvals >= 100 ? 3 : approvals >= 10 ? 2 : 1);

/**
 * The hue of each agent, oldest first. If two ask for the same hue, the younger takes the next free one; with more agents than hues
 * the rest keep their own.
 */
export function flowerHues(slugs: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  for (const slug of slugs) {
    const own = HUES.indexOf(ownHue(flowerBytes(slug)));
    const free = HUES.map((_, step) => HUES[(own + step) % HUES.length]!).find((hue) => !taken.has(hue));
    const hue = free ?? HUES[own]!;
    taken.add(hue);
    hues.set(slug, hue);
  }
  return hues;
}

export function flowerShape(text: string, wish: FlowerWish): FlowerShape {
  const { sizePx, rings, hasStem = false } = wish;
  const bytes = flowerBytes(text);
  const hue = wish.hue ?? ownHue(bytes);
  const on = hue >= 58 && hue <= 78 ? -1 : 1;
  const heart = hasStem ? between(bytes, 15, 11, 14) : rings > 1 ? 20 : 27;
  return {
    viewBox: hasStem ? "-110 -104 220 378" : "-108 -108 216 216",
    hue,
    innerHues: [hue + 22 * on, hue + 48 * on],
    petals: Array.from({ length: rings }, (_, ring) => ringPetals(bytes, ring, wish)).flat(),
    heart: tenths(heart),
    seeds: sizePx < DETAIL_PX ? [] : seeds(heart, hasStem ? 1.3 : 1.9),
    ...(hasStem ? plant(bytes) : { stem: undefined, leaves: [] }),
  };
}

/** FNV-1a of the text and a counter, stretched to twenty bytes. */
export function flowerBytes(text: string): readonly number[] {
  let hash = 0x811c9dc5;
  return Array.from({ length: 20 }, (_, index) => {
    for (const letter of `${text}${index}`) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
    return (hash >>> 11) & 255;
  });
}

const ownHue = (bytes: readonly number[]): number => HUES[bytes[3]! % HUES.length]!;

const between = (bytes: readonly number[], index: number, low: number, high: number): number =>
  low + (bytes[index]! / 255) * (high - low);

const tenths = (value: number): number => Math.round(value * 10) / 10;

function ringPetals(bytes: readonly number[], ring: number, { sizePx, hasStem = false }: FlowerWish): Petal[] {
  const own = 5 + (bytes[0]! % 5);
  const count = hasStem ? own + 3 - ring : own;
  const length = (hasStem ? between(bytes, 5 + ring, 84, 94) : 104) * (1 - ring * 0.27);
  const width = hasStem
    ? between(bytes, 8 + ring, 19, 26) * (1 - ring * 0.1) * Math.min(1, 8 / count + 0.3)
    : (250 / own) * (1 - ring * 0.2);
  const turn = between(bytes, 11, 0, 360 / count) + (ring % 2) * (180 / count);
  const path = petalPath(bytes[4]! % 3, width, length);
  const vein = hasStem || sizePx >= DETAIL_PX ? `M0 ${tenths(-length * 0.3)}V${tenths(-length * 0.8)}` : undefined;
  return Array.from({ length: count }, (_, index) => ({
    ring: ring + 1,
    turn: tenths(turn + (index * 360) / count),
    path,
    vein,
  }));
}

/** A petal that points up, with a pointed, a round or a notched tip. */
function petalPath(tip: number, width: number, length: number): string {
  const at = (x: number, y: number): string => `${tenths(width * x)} ${tenths(-length * y)}`;
  if (tip === 0) return `M0 0C${at(1, 0.3)} ${at(0.95, 0.86)} ${at(0, 1)}C${at(-0.95, 0.86)} ${at(-1, 0.3)} 0 0Z`;
  if (tip === 1) return `M0 0C${at(0.9, 0.45)} ${at(1.05, 1)} ${at(0, 1)}C${at(-1.05, 1)} ${at(-0.9, 0.45)} 0 0Z`;
  return `M0 0C${at(0.8, 0.4)} ${at(1.15, 1.05)} ${at(0.12, 0.95)}Q${at(0, 0.9)} ${at(-0.12, 0.95)}C${at(-1.15, 1.05)} ${at(-0.8, 0.4)} 0 0Z`;
}

/** Seeds as a sunflower sets them: each turned by the golden angle. */
const seeds = (heart: number, r: number): FlowerShape["seeds"] =>
  Array.from({ length: 9 }, (_, index) => {
    const angle = index * 2.399963;
    const distance = heart * 0.8 * Math.sqrt((index + 0.5) / 9);
    return { x: tenths(Math.cos(angle) * distance), y: tenths(Math.sin(angle) * distance), r };
  });

/** A stem that sways to one side and back, with three leaves on it. */
function plant(bytes: readonly number[]): Pick<FlowerShape, "stem" | "leaves"> {
  const sway = between(bytes, 14, -26, 26);
  const leaves = [0, 1, 2].map((index) => {
    const t = 0.45 + (index / 3) * 0.45;
    const u = 1 - t;
    const x = 3 * u * u * t * sway - 3 * u * t * t * sway + t ** 3 * (sway / 3);
    const y = 3 * u * u * t * 90 + 3 * u * t * t * 160 + t ** 3 * 270;
    const size = tenths(between(bytes, 17 + index, 0.8, 1.25) * (0.7 + t * 0.5));
    return {
      path: "M0 0C14 -22 44 -26 62 -20C52 4 24 14 0 0Z",
      transform: `translate(${tenths(x)} ${tenths(y)}) scale(${index % 2 === 1 ? -size : size} ${size})`,
    };
  });
  return { stem: `M0 0C${tenths(sway)} 90 ${tenths(-sway)} 160 ${tenths(sway / 3)} 268`, leaves };
}
