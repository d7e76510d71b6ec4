import type { Row } from "./harness.ts";

/** The rows for people: one block per measure, one line per rival. */
export function table(rows: readonly Row[]): string {
  const blocks = Map.groupBy(rows, ({ name }) => name);
  const width = Math.max(0, ...rows.map(({ rival }) => rival.length));
  return [...blocks]
    .map(([name, lines]) => {
      const [first] = lines;
      const head = `${name}: ${number(first!.ours)} ${first!.unit} (median of ${first!.samples} rounds)`;
      const rivals = lines.map(({ rival, theirs, ratio, unit, absent }) =>
        absent !== undefined
          ? `  ${rival.padEnd(width)}  not here: ${absent}`
          : `  ${rival.padEnd(width)}  ${number(theirs).padStart(9)}   ${unit.startsWith("ms") ? inTime(ratio) : inNumber(ratio)}`,
      );
      return [head, ...rivals].join("\n");
    })
    .join("\n\n");
}

const inNumber = (ratio: number): string =>
  `ours is ${ratio >= 1 ? `${ratio} times that` : `${Math.round(ratio * 100)} % of that`}`;
const inTime = (ratio: number): string =>
  ratio >= 1 ? `ours is ${ratio} times as quick` : `ours takes ${Number((1 / ratio).toPrecision(3))} times as long`;

const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
