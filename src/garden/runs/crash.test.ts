import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testProgram } from "../../base/testing/test-program.ts";
import { realWorld } from "../../base/world.ts";
import { listPending } from "../changes/proposals/list-proposals.ts";
import { readJournal } from "../core/flow/journal.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { closed, gardenWith, scratch, testPorts } from "../testing/scratch.ts";
import { requestsOf } from "./hold.ts";
import { activeAgent, manifestOf, requestedRun } from "./testing/agent-ground.ts";
import { toItsEnd } from "./testing/run-with-hold.ts";

const script = testProgram(join(import.meta.dirname, "testing/dying-run.ts"));
const slug = "archivist";

interface Life {
  readonly points: readonly string[];
  readonly killed: boolean;
}

function lifeOf(dir: string, run: string, calls: string, at: number): Promise<Life> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, dir, slug, run, calls, String(at)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (text) => out.push(String(text)));
    child.stderr.on("data", (text) => err.push(String(text)));
    child.on("close", (code, signal) => {
      if (signal !== "SIGKILL" && code !== 0) reject(new Error(err.join("")));
      else resolve({ points: out.join("").trim().split("\n"), killed: signal === "SIGKILL" });
    });
  });
}

const linesIn = (file: string): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);

/** The state of an ended run, without times and ids. */
async function outcomeIn(dir: string, run: string) {
  const garden = await openGarden(testPorts(realWorld), dir);
  try {
    const place = { slug, run };
    const { records } = (await readJournal(garden.store, place))!;
    const { outcome, status, proposals_created } = await manifestOf(garden, place);
    return {
      steps: records.map(({ position, name }) => `${position} ${name}`),
      answers: (await requestsOf(garden.store, place)).map(({ answer }) => answer?.value),
      pending: (await listPending(garden)).proposals.map(({ target }) => target),
      kind: outcome?.kind,
      status,
      proposals_created,
    };
  } finally {
    await closeGarden(garden);
  }
}

test("O-3 a run with a hold that is killed at every kind of crash point ends the same, and repeats no finished call", async () => {
  const made = await gardenWith(undefined, testPorts(realWorld));
  await activeAgent(made.garden, slug, {
    model: "claude-sonnet-4-5-20250929",
    tools: "[read-notes, create-proposal, ask-human]",
  });
  const { run } = await requestedRun(made.garden, slug);
  const { dir } = await closed(made);
  const copy = (): string => {
    const to = join(scratch(), "rose");
    cpSync(dir, to, { recursive: true });
    return to;
  };
  const whole = copy();
  const { points } = await lifeOf(whole, run, join(whole, "../calls"), -1);
  const expected = await outcomeIn(whole, run);
  // Every kind of crash point once, each in another part of the run; the soak and the kill matrix use all points.
  const chosen = [...new Set(points)].map((name, turn) => {
    const places = points.flatMap((point, index) => (point === name ? [index] : []));
    return places[(turn * 3) % places.length]!;
  });
  const killedAt = async (at: number): Promise<unknown> => {
    const here = copy();
    const calls = join(here, "../calls");
    const first = await lifeOf(here, run, calls, at);
    const before = linesIn(calls);
    const again: string[] = [];
    const garden = await openGarden(testPorts(realWorld), here);
    await toItsEnd(garden, { slug, run }, (call) => again.push(call));
    await closeGarden(garden);
    // Only the call in flight may be repeated; earlier calls are recorded.
    const repeated = before.slice(0, -1).filter((call) => again.includes(call));
    return { at: points[at], killed: first.killed, repeated, outcome: await outcomeIn(here, run) };
  };
  const waiting = [...chosen];
  const seen: unknown[] = [];
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) seen.push(await killedAt(at));
    }),
  );
  expect(seen.length).toBeGreaterThan(12);
  expect(seen).toEqual(
    seen.map((each) => ({ at: (each as { at: string }).at, killed: true, repeated: [], outcome: expected })),
  );
});
