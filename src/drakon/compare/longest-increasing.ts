/** Indices of a longest increasing subsequence: the items that kept their order. */
export function longestIncreasing(numbers: readonly number[]): number[] {
  const tails: number[] = [];
  const before = new Int32Array(numbers.length).fill(-1);
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[tails[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  }
  const rise: number[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(at);
  return rise.toReversed();
}
