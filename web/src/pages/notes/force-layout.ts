/** A layout of points joined by links, improved step by step: points repel each other, links pull, everything drifts to the middle. */
export interface ForceLayout {
  /** x and y of each point, in turn. */
  readonly places: Float32Array;
  /** Moves all points a little. Returns false when the layout is at rest. */
  step(): boolean;
  /** Sets a point down and warms the layout up around it. */
  move(point: number, x: number, y: number): void;
}

const LINK_LENGTH = 46;
const PULL = 0.06;
const PUSH = 900;
const TO_MIDDLE = 0.012;
const COOLING = 0.98;
/** Points farther apart than this do not push each other. */
const REACH = 500;
/** A cell of the Barnes-Hut tree that is smaller than this share of its distance counts as one point. */
const NEAR = 1.2;
const SMALLEST = 0.01;

/** Deterministic: the same links give the same picture. One step costs about n·log n. */
export function forceLayout(count: number, links: readonly (readonly [number, number])[]): ForceLayout {
  const places = new Float32Array(count * 2);
  const speeds = new Float32Array(count * 2);
  const degrees = new Float32Array(count);
  for (const [from, to] of links) {
    degrees[from]!++;
    degrees[to]!++;
  }
  // A sunflower: even, and no two points in one place.
  for (let point = 0; point < count; point++) {
    const [radius, angle] = [11 * Math.sqrt(point + 0.5), point * 2.399_963];
    places[point * 2] = radius * Math.cos(angle);
    places[point * 2 + 1] = radius * Math.sin(angle);
  }
  let heat = 1;
  return {
    places,
    step() {
      if (heat < SMALLEST) return false;
      pullLinks(places, speeds, degrees, links, heat);
      pushApart(places, speeds, heat);
      for (let at = 0; at < places.length; at++) {
        speeds[at] = (speeds[at]! - places[at]! * TO_MIDDLE * heat) * 0.6;
        places[at]! += Math.max(-40, Math.min(40, speeds[at]!));
      }
      heat *= COOLING;
      return true;
    },
    move(point, x, y) {
      places[point * 2] = x;
      places[point * 2 + 1] = y;
      heat = Math.max(heat, 0.2);
    },
  };
}

function pullLinks(
  places: Float32Array,
  speeds: Float32Array,
  degrees: Float32Array,
  links: readonly (readonly [number, number])[],
  heat: number,
): void {
  for (const [from, to] of links) {
    const dx = places[to * 2]! - places[from * 2]!;
    const dy = places[to * 2 + 1]! - places[from * 2 + 1]!;
    const distance = Math.hypot(dx, dy) || 1;
    // A link between notes with many links pulls less, so that a large graph does not collapse; its end with more links moves less.
    const strength = PULL / Math.sqrt(Math.min(degrees[from]!, degrees[to]!));
    const pull = ((distance - LINK_LENGTH) / distance) * strength * heat * 4;
    const share = degrees[from]! / (degrees[from]! + degrees[to]!);
    speeds[from * 2]! += dx * pull * (1 - share);
    speeds[from * 2 + 1]! += dy * pull * (1 - share);
    speeds[to * 2]! -= dx * pull * share;
    speeds[to * 2 + 1]! -= dy * pull * share;
  }
}

/** Every point is pushed by every other one; far ones are taken together (Barnes-Hut, on a tree of squares). */
function pushApart(places: Float32Array, speeds: Float32Array, heat: number): void {
  const tree = new SquareTree(places);
  for (let point = 0; point < places.length / 2; point++) {
    const [x, y] = [places[point * 2]!, places[point * 2 + 1]!];
    tree.each(x, y, (dx, dy, mass) => {
      const squared = Math.max(dx * dx + dy * dy, 25);
      if (squared > REACH * REACH) return;
      const push = (PUSH * mass * heat) / squared / Math.sqrt(squared);
      speeds[point * 2]! += dx * push;
      speeds[point * 2 + 1]! += dy * push;
    });
  }
}

/** Squares in flat arrays: no object per square. `children` holds four numbers per square, 0 for none. */
class SquareTree {
  readonly #mass: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #children: number[] = [];
  #size = 1;
  #left = 0;
  #top = 0;
  readonly #depth: number;

  constructor(places: Float32Array) {
    let [low, high] = [0, 1];
    for (const place of places) [low, high] = [Math.min(low, place), Math.max(high, place)];
    [this.#left, this.#top, this.#size] = [low, low, high - low + 1];
    // About one point in each of the smallest squares.
    this.#depth = Math.min(12, Math.ceil(Math.log2(places.length / 2 + 1) / 2) + 2);
    this.#add();
    for (let at = 0; at < places.length; at += 2) this.#insert(places[at]!, places[at + 1]!);
  }

  /** Calls `visit` with the distance to a square and its number of points. */
  each(x: number, y: number, visit: (dx: number, dy: number, mass: number) => void): void {
    const open: number[] = [0, this.#size];
    const leaf = this.#size / 2 ** this.#depth;
    while (open.length > 0) {
      const size = open.pop()!;
      const square = open.pop()!;
      const mass = this.#mass[square]!;
      const dx = x - this.#x[square]! / mass;
      const dy = y - this.#y[square]! / mass;
      if (Math.max(Math.abs(dx), Math.abs(dy)) > REACH + size) continue;
      if (size <= leaf || size * size < NEAR * NEAR * (dx * dx + dy * dy)) {
        if (dx !== 0 || dy !== 0) visit(dx, dy, mass);
        continue;
      }
      for (let quarter = 0; quarter < 4; quarter++) {
        const child = this.#children[square * 4 + quarter]!;
        if (child > 0) open.push(child, size / 2);
      }
    }
  }

  #add(): number {
    this.#children.push(0, 0, 0, 0);
    this.#x.push(0);
    this.#y.push(0);
    return this.#mass.push(0) - 1;
  }

  #insert(x: number, y: number): void {
    let [square, size, left, top] = [0, this.#size, this.#left, this.#top];
    for (let depth = 0; depth < this.#depth; depth++) {
      this.#mass[square]!++;
      this.#x[square]! += x;
      this.#y[square]! += y;
      size /= 2;
      const [right, below] = [x >= left + size, y >= top + size];
      const place = square * 4 + (right ? 1 : 0) + (below ? 2 : 0);
      if (right) left += size;
      if (below) top += size;
      if (this.#children[place] === 0) this.#children[place] = this.#add();
      square = this.#children[place]!;
    }
    this.#mass[square]!++;
    this.#x[square]! += x;
    this.#y[square]! += y;
  }
}
