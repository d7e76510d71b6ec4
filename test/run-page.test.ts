import { describe, expect, test } from "vitest";
import { readDiagram } from "../src/drakon/diagram/diagram.ts";
import type { StepCard } from "../web/src/api/endpoints.gen.ts";
import { inputKind, typed } from "../web/src/components/input-kind.ts";
import { litPath } from "../web/src/pages/run/lit-path.ts";
import { ticksOf, timelineOf } from "../web/src/pages/run/timeline.ts";

const step = (position: number, from: string, until: string, more: Partial<StepCard> = {}): StepCard => ({
  position,
  name: "model",
  kind: "model",
  started_at: `2026-02-14T08:00:${from}Z`,
  finished_at: `2026-02-14T08:00:${until}Z`,
  attempt: 1,
  proposals: [],
  gist: "",
  ...more,
});

describe("U-1 the page of a run", () => {
  test("waiting time is not on the axis: neither between two steps nor for a rate limit", () => {
    const { bars, total } = timelineOf([
      step(1, "00.000", "00.100"),
      step(2, "00.150", "00.400"),
      step(3, "30.400", "30.900"),
      step(4, "30.900", "35.900", { waited_s: 4 }),
    ]);
    expect([[...bars.values()], total]).toEqual([
      [
        { start: 0, length: 100 },
        { start: 150, length: 250 },
        { start: 400, length: 500 },
        { start: 900, length: 1000 },
      ],
      1900,
    ]);
  });

  test.each([
    [0, [0]],
    [168, [0, 50, 100, 150]],
    [2300, [0, 1000, 2000]],
  ])("an axis of %i ms has marks at round times", (total, marks) => {
    expect(ticksOf(total)).toEqual(marks);
  });

  test("icons without a step are lit only where one way leads from step to step", () => {
    const icons = {
      1: { type: "action", one: "2" },
      2: { type: "action", one: "3" },
      3: { type: "question", one: "4", two: "5" },
      4: { type: "action", one: "6" },
      5: { type: "action", one: "6" },
      6: { type: "action", one: "7" },
      7: { type: "end" },
    };
    const { diagram } = readDiagram(JSON.stringify({ type: "drakon", name: "d", items: icons }));
    expect([litPath(diagram, ["1", "4"]), litPath(diagram, ["1", "6"])]).toEqual([
      ["1", "2", "3", "4"],
      ["1", "6"],
    ]);
  });

  test.each([
    ["number", "3,5", 3.5],
    ["yes/no, default no", "true", true],
    ["список назв", "a\n\nb", ["a", "b"]],
    ["the question of a reader", "12", "12"],
    [undefined, "null", "null"],
  ])("an input declared as %s keeps its type", (remark, text, value) => {
    expect(typed(text, inputKind(remark))).toEqual(value);
  });
});
