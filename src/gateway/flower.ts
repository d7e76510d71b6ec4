import { html } from "hono/html";

/**
 * A flower grown from a commit: petals, rings, turns and leaves follow from the bytes of its id, so the same commit always
 * gives the same flower and every new commit another one.
 */
export interface Flower {
  /** 0…359, the colour that the whole page leans to. */
  readonly hue: number;
  readonly drawing: ReturnType<typeof html>;
}

interface Ring {
  readonly petals: number;
  readonly length: number;
  readonly width: number;
  readonly turn: number;
}

export function flowerOf(commit: string, label: string): Flower {
  const byte = (index: number): number =>
    Number.parseInt(commit.slice((index * 2) % 40, ((index * 2) % 40) + 2), 16) || 0;
  const between = (index: number, low: number, high: number): number => low + (byte(index) / 255) * (high - low);
  const petals = 5 + (byte(0) % 8);
  const rings: Ring[] = Array.from({ length: 2 + (byte(1) % 2) }, (_, ring) => ({
    petals: ring === 0 ? petals : petals + (byte(2 + ring) % 3) - 1,
    length: between(5 + ring, 74, 92) * (1 - ring * 0.27),
    width: between(8 + ring, 17, 27) * (1 - ring * 0.12) * Math.min(1, 8 / petals + 0.28),
    turn: between(11 + ring, 0, 360 / petals),
  }));
  const sway = between(14, -26, 26);
  const centre = between(15, 9, 14);
  const leaves = 2 + (byte(16) % 3);
  const drawing = html`<svg class="flower" viewBox="-130 -130 260 400" role="img" aria-label="${label}">
<path class="stem" d="M0 0C${sway} 90 ${-sway} 160 ${round(sway / 3)} 270"/>
${Array.from({ length: leaves }, (_, index) => leaf(index, leaves, sway, between(17 + index, 0.8, 1.25)))}
${rings.map((ring, index) => petalsOf(ring, index))}
<circle class="heart" r="${round(centre)}"/>
${Array.from({ length: 9 }, (_, index) => seed(index, centre))}
</svg>`;
  // From blue over violet, rose and red to amber: colours that flowers have. Green is for leaves.
  return { hue: Math.round(250 + (byte(18) / 255) * 190) % 360, drawing };
}

function petalsOf({ petals, length, width, turn }: Ring, ring: number): ReturnType<typeof html>[] {
  const shape = `M0 0C${round(width)} ${round(-length * 0.3)} ${round(width * 0.95)} ${round(-length * 0.86)} 0 ${round(-length)}C${round(-width * 0.95)} ${round(-length * 0.86)} ${round(-width)} ${round(-length * 0.3)} 0 0Z`;
  const vein = `M0 ${round(-length * 0.22)}V${round(-length * 0.82)}`;
  return Array.from({ length: petals }, (_, index) => {
    const turned = `rotate(${round(turn + (index * 360) / petals)})`;
    return html`<g transform="${turned}"><path class="petal ring-${ring}" d="${shape}"/><path class="vein" d="${vein}"/></g>`;
  });
}

/** Leaves sit on the stem, left and right in turn, smaller towards the flower. */
function leaf(index: number, of: number, sway: number, size: number): ReturnType<typeof html> {
  const along = 0.45 + (index / of) * 0.45;
  const [x, y] = onStem(along, sway);
  const side = index % 2 === 0 ? 1 : -1;
  const scale = round(size * (0.7 + along * 0.5));
  return html`<path class="leaf" d="M0 0C14 -22 44 -26 62 -20C52 4 24 14 0 0Z" transform="translate(${round(x)} ${round(y)}) scale(${side * scale} ${scale})"/>`;
}

function onStem(t: number, sway: number): [number, number] {
  const u = 1 - t;
  return [
    3 * u * u * t * sway + 3 * u * t * t * -sway + t * t * t * (sway / 3),
    3 * u * u * t * 90 + 3 * u * t * t * 160 + t * t * t * 270,
  ];
}

/** Seeds in the golden angle, as a real flower sets them. */
function seed(index: number, radius: number): ReturnType<typeof html> {
  const angle = index * 2.399963;
  const distance = radius * 0.8 * Math.sqrt((index + 0.5) / 9);
  return html`<circle class="seed" cx="${round(Math.cos(angle) * distance)}" cy="${round(Math.sin(angle) * distance)}" r="1.3"/>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
