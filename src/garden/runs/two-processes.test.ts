import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { everyKey } from "../../ports/store.ts";
import { readJournal } from "../core/flow/journal.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { closed, gardenWith, testPorts } from "../testing/scratch.ts";
import { openRunIds } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";
import { endOf, statusOf, withAgent } from "./testing/sample-flow.ts";

const script = testProgram(join(import.meta.dirname, "testing/working.ts"));
const run = "run_2026-02-14_080000_abc123";
const place = { slug: "echo", run };

/** A garden with an agent, closed, for other processes. */
async function garden(withRequest: boolean): Promise<string> {
  const made = await gardenWith();
  await withAgent(made.garden, "echo");
  if (withRequest) await requestRun(made.garden, { slug: "echo", trigger: "manual", by: "owner", id: run });
  return (await closed(made)).dir;
}

const effects = (dir: string): string[] =>
  readFileSync(join(dirname(dir), "effects"), "utf8")
    .trim()
    .split("\n");

/** Works on the run in a child process. `said` settles when it has printed this step. */
function working(dir: string, ...how: string[]) {
  const child = spawn(process.execPath, [script, dir, run, ...how], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let trouble = "";
  child.stderr.on("data", (chunk: Buffer) => void (trouble += chunk.toString()));
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(trouble)));
  const said = (step: number): Promise<void> =>
    new Promise((resolve) =>
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (out.split("\n").includes(String(step))) resolve();
      }),
    );
  return { child, ended, said };
}

const whatIs = async (there: Garden) => {
  const kinds: string[] = [];
  for await (const { key } of everyKey(there.store, "audit/"))
    kinds.push((JSON.parse(Buffer.from((await there.store.get(key))!.bytes).toString()) as { kind: string }).kind);
  return {
    status: (await endOf(there, place))?.status,
    shown: (await statusOf(there, place))?.state,
    steps: (await readJournal(there.store, place))?.records.map(({ name }) => name),
    open: await openRunIds(there.store),
    told: kinds.filter((kind) => kind.startsWith("run-")),
  };
};
const COMPLETE = {
  status: "completed",
  shown: "completed",
  steps: ["load-context", "step-1", "step-2", "step-3"],
  open: [],
  told: ["run-requested", "run-finished"],
};

const looked = async (dir: string) => {
  const there = await openGarden(testPorts(), dir);
  const found = await whatIs(there);
  await closeGarden(there);
  return { ...found, told: found.told.toSorted().toReversed() };
};

describe("O-3 two processes on one garden", () => {
  test("never both work on a run; when one is killed, the other takes over and finishes it", async () => {
    const dir = await garden(true);
    const stuck = working(dir, "stuck");
    await stuck.said(2);
    const other = working(dir);
    // Time for several looks of the other process, which does not start: the first one renews its lease.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const meanwhile = effects(dir).length;
    stuck.child.kill("SIGKILL");
    expect(await other.ended).toBe("");
    // Two steps before the kill; then the step in flight again, and the last one.
    expect(meanwhile).toBe(2);
    expect(effects(dir).map((line) => line[0])).toEqual(["1", "2", "2", "3"]);
    expect(await looked(dir)).toEqual(COMPLETE);
  });

  test.each<[string, number]>([
    ["runs.request.made", 0],
    ["flow.step.worked", 2],
    ["flow.run.ended", 0],
    ["runs.finished.told", 0],
  ])("a run killed at %s (%i) ends once and has one audit record of its end", async (point, nth) => {
    const dir = await garden(false);
    const died = await ranNode([script, dir, run, "dies", point, String(nth)]);
    // The client got no answer and repeats the request.
    const second = await ranNode([script, dir, run, "dies", "nowhere"]);
    expect(died.signal).toBe("SIGKILL");
    expect(second.stderr).toBe("");
    expect(await looked(dir)).toEqual(COMPLETE);
    expect(effects(dir).length).toBeLessThanOrEqual(4);
  });
});
