import { expect, it } from "vitest";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { shapes } from "../testing/shapes.ts";
import { drawDiagram } from "./draw.ts";

it.each(Object.entries(shapes))("D-8 %s: 300 icons are drawn at once, 10,000 within seconds", (name, make) => {
  const timed = (count: number): number => {
    const diagram = jsonDiagram({ items: make(count) });
    const before = process.cpuUsage();
    expect(drawDiagram(diagram).findings).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  timed(300);
  const small = Math.min(timed(300), timed(300), timed(300));
  const large = timed(10_000);
  process.stdout.write(`draw ${name}: 300 icons ${small.toFixed(1)} ms, 10,000 icons ${large.toFixed(0)} ms\n`);
  expect(small).toBeLessThan(400);
  expect(large).toBeLessThan(20_000);
});
