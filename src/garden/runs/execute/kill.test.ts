import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ranNode } from "../../../base/testing/ran-node.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import { scratch } from "../../testing/scratch.ts";

const script = testProgram(join(import.meta.dirname, "testing/flowing.ts"));
const CALLS = ["read-context", "read-notes", "create-proposal", "write-memory"];

test("O-3 a run with parallel icons that is killed at every point continues and repeats no finished call", async () => {
  const dir = join(scratch(), "garden");
  let killed = 0;
  for (;;) {
    const run = await ranNode([script, dir]);
    if (run.signal !== "SIGKILL") {
      expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
      break;
    }
    killed++;
  }
  // Before the work, after it, and after its record, for each of five steps, two of which are in flight together.
  expect(killed).toBeGreaterThanOrEqual(12);
  expect(JSON.parse(readFileSync(`${dir}/report.json`, "utf8"))).toMatchObject({
    kind: "answered",
    text: 'Done: "Both", 4 calls.',
    toolCalls: 4,
  });
  const lives = readFileSync(`${dir}/effects`, "utf8").split("--- ").slice(1);
  const repeated = lives.flatMap((life) => {
    const [onRecord = "", ...made] = life.trimEnd().split("\n");
    return made.filter((call) => onRecord.split(" ").includes(call));
  });
  expect(repeated).toEqual([]);
  // Only calls in flight are repeated: those killed between work and record, or beside such a call.
  const made = lives.map((life) => life.trimEnd().split("\n").slice(1));
  expect(CALLS.map((name) => made.flat().filter((call) => call === name).length >= 2)).toEqual(CALLS.map(() => true));
  expect(made.filter((calls) => new Set(calls).size !== calls.length)).toEqual([]);
});
