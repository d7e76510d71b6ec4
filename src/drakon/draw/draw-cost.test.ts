import { expect, it } from "vitest";
import { isThorough } from "../../base/testing/tries.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { shapes } from "../testing/shapes.ts";
import { drawDiagram } from "./draw.ts";

const LARGE = isThorough ? 10_000 : 3000;

it.each(Object.entries(shapes))("D-8 %s: 300 icons are drawn at once, thousands within seconds", (name, make) => {
  const timed = (count: number): number => {
    const diagram = jsonDiagram({ items: make(count) });
    const before = process.cpuUsage();
    expect(drawDiagram(diagram).findings).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  timed(300);
  const small = Math.min(timed(300), timed(300), timed(300));
  const large = timed(LARGE);
  process.stdout.write(`draw ${name}: 300 icons ${small.toFixed(1)} ms, ${LARGE} icons ${large.toFixed(0)} ms\n`);
  expect(small).toBeLessThan(400);
  expect(large).toBeLessThan(LARGE * 2);
});
