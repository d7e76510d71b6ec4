/**
 * Segment tree: the rightmost extent by height. Both operations are O(log n) in the number of heights, which must be known
 * in advance. Intervals are closed: touching at a single height counts.
 */
export class Skyline {
  readonly #heights: readonly number[];
  readonly #size: number;
  /** Maximum in the subtree, and the value that applies to all of it. */
  readonly #most: Float64Array;
  readonly #all: Float64Array;

  constructor(heights: readonly number[], start: number) {
    this.#heights = [...new Set(heights)].toSorted((a, b) => a - b);
    this.#size = 1;
    while (this.#size < this.#heights.length) this.#size *= 2;
    this.#most = new Float64Array(2 * this.#size).fill(start);
    this.#all = new Float64Array(2 * this.#size).fill(start);
  }

  /** The rightmost extent between two heights. */
  reach(top: number, bottom: number): number {
    let result = -Infinity;
    let low = this.#at(top) + this.#size;
    let high = this.#at(bottom) + this.#size;
    const [first, last] = [low, high];
    for (; low <= high; low >>= 1, high >>= 1) {
      if (low & 1) result = Math.max(result, this.#most[low++]!);
      if (!(high & 1)) result = Math.max(result, this.#most[high--]!);
    }
    for (let up = first >> 1; up > 0; up >>= 1) result = Math.max(result, this.#all[up]!);
    for (let up = last >> 1; up > 0; up >>= 1) result = Math.max(result, this.#all[up]!);
    return result;
  }

  raise(top: number, bottom: number, to: number): void {
    let low = this.#at(top) + this.#size;
    let high = this.#at(bottom) + this.#size;
    const [first, last] = [low, high];
    const set = (node: number): void => {
      this.#most[node] = Math.max(this.#most[node]!, to);
      this.#all[node] = Math.max(this.#all[node]!, to);
    };
    for (; low <= high; low >>= 1, high >>= 1) {
      if (low & 1) set(low++);
      if (!(high & 1)) set(high--);
    }
    for (let up = first >> 1; up > 0; up >>= 1) this.#most[up] = Math.max(this.#most[up]!, to);
    for (let up = last >> 1; up > 0; up >>= 1) this.#most[up] = Math.max(this.#most[up]!, to);
  }

  #at(height: number): number {
    let low = 0;
    let high = this.#heights.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#heights[middle]! < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
