import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { realWorld } from "./base/world.ts";
import { runCommandLine } from "./cli/run-command-line.ts";
import { composeRuns } from "./compose-runs.ts";
import { readJournal } from "./garden/core/flow/journal.ts";
import { closeGarden, openGarden } from "./garden/core/garden.ts";
import { requestRun } from "./garden/runs/request-run.ts";
import { demoCopies } from "./garden/testing/demo-deps.ts";
import { testPorts } from "./garden/testing/scratch.ts";

const copy = demoCopies();

function gardenWithUnknownEngine(): string {
  const dir = copy();
  appendFileSync(join(dir, "garden.yaml"), "\nengine: { kind: temporal }\n");
  return dir;
}

async function bloom(dir: string, args: readonly string[]): Promise<{ exit: number; text: string }> {
  let text = "";
  const ground = testPorts(realWorld);
  const exit = await runCommandLine(args, {
    ground,
    garden: dir,
    language: "en",
    systemLanguage: undefined,
    debug: false,
    plain: false,
    terminal: {
      out: (part) => (text += part),
      err: (part) => (text += part),
      interactive: false,
      colours: false,
      columns: 80,
    },
    machine: {
      cwd: dir,
      version: "1",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(dir),
      serve: async (garden) => {
        const runs = await composeRuns(garden, {});
        return { url: "http://127.0.0.1:0", stop: () => runs.close() };
      },
      startRuns: (garden, only) => composeRuns(garden, {}, { only }),
      stopRequested: () => Promise.resolve(),
    },
  });
  return { exit, text };
}

test("O-3 no run is taken up before the gateway listens", async () => {
  const garden = await openGarden(testPorts(realWorld), copy());
  const { run_id } = await requestRun(garden, { slug: "test-echo", trigger: "manual", by: "owner" });
  const recorded = async () => (await readJournal(garden.store, { slug: "test-echo", run: run_id }))!.records.length;
  let before = -1;
  const runs = await composeRuns(
    garden,
    {},
    {
      before: async (face) => {
        await face.offer({ slug: "test-echo", run: run_id });
        await sleep(50);
        before = await recorded();
      },
    },
  );
  try {
    await runs.settled();
    expect({ before, after: (await recorded()) > 0 }).toEqual({ before: 0, after: true });
  } finally {
    await runs.close();
    await closeGarden(garden);
  }
});

describe("G-7 an engine without an adapter (garden.yaml: engine.kind temporal)", () => {
  test.each([
    { args: ["up"], exit: 2 },
    { args: ["run", "test-echo", "--wait"], exit: 2 },
    { args: ["verify"], exit: 1 },
    { args: ["status"], exit: 2 },
  ])("is refused by bloom $args.0 with its line", async ({ args, exit }) => {
    const told = await bloom(gardenWithUnknownEngine(), args);
    expect(told.text).toMatch(
      /garden\.yaml:\d+ engine\.kind: found "temporal"; expected a group with `kind: embedded`/,
    );
    expect(told.text).not.toMatch(/^\s+at /m);
    expect(told.exit).toBe(exit);
  });
});
