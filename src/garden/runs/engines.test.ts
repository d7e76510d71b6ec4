import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InngestExecutor } from "../../adapters/orchestrator/testing/inngest-executor.ts";
import { type RestateServer, restateServer } from "../../adapters/orchestrator/testing/restate-server.ts";
import { patient } from "../../base/testing/patience.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { realWorld } from "../../base/world.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { closed, gardenWith, testPorts } from "../testing/scratch.ts";
import { requestRun } from "./request-run.ts";
import { ENGINE_KINDS, type EngineKind, workWith } from "./testing/engine-kinds.ts";
import { endOf, withAgent } from "./testing/sample-flow.ts";

const SPEED = 10;
let restate: RestateServer;
let inngest: InngestExecutor;
beforeAll(async () => {
  restate = await restateServer();
  inngest = await new InngestExecutor(() => realWorld.now(), SPEED).start();
}, patient(300_000));
afterAll(async () => {
  await restate.close();
  await inngest.stop();
});

const servers = () => ({
  restate: { url: restate.url, admin: restate.admin },
  inngest: { url: inngest.url },
});
const soon = { timeout: patient(60_000), interval: 50 };
const ports = () => testPorts(realWorld);

/** A closed garden with an open run, the name of its app, and the file with the effects of its steps. */
interface Place {
  readonly dir: string;
  readonly run: string;
  readonly app: string;
  readonly effects: string;
}

let apps = 0;
async function place(): Promise<Place> {
  const made = await gardenWith();
  await withAgent(made.garden, "echo");
  const { run_id: run } = await requestRun(made.garden, { slug: "echo", trigger: "manual", by: "owner" });
  const { dir } = await closed(made);
  return { dir, run, app: `engines-${++apps}`, effects: join(dirname(dir), "effects") };
}

const linesOf = ({ effects }: Place): string[] =>
  existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n") : [];

const isStuck = (at: Place): boolean => linesOf(at).includes("stuck");

/** Works on the runs up to the second step of each, and ends there. */
const begin: Record<"stopped" | "killed", (kind: EngineKind, places: readonly Place[]) => Promise<void>> = {
  async stopped(kind, places) {
    for (const at of places) {
      const garden = await openGarden(ports(), at.dir);
      const working = await workWith(garden, { ...at, kind, servers: servers(), isStuck: true });
      await expect.poll(() => isStuck(at), soon).toBe(true);
      await working.close();
      await closeGarden(garden);
    }
  },
  async killed(kind, places) {
    const program = testProgram(join(import.meta.dirname, "testing/engine-worker.ts"));
    const gardens = places.flatMap(({ dir, app, effects }) => [dir, app, effects]);
    const args = [program, kind, JSON.stringify(servers()), ...gardens];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const ended = once(child, "exit");
    try {
      await expect.poll(() => places.every(isStuck) || child.exitCode !== null, soon).toBe(true);
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  },
};

const finished = async (kind: EngineKind, at: Place) => {
  const garden = await openGarden(ports(), at.dir);
  const working = await workWith(garden, { ...at, kind, servers: servers(), isStuck: false });
  const end = () => endOf(garden, { slug: "echo", run: at.run });
  await expect.poll(async () => (await end()) !== undefined, soon).toBe(true);
  const { engine, status } = (await end())!;
  await working.close();
  await closeGarden(garden);
  return { engine, status, effects: linesOf(at).filter((line) => line !== "stuck") };
};

describe("O-11 a run begun on one engine", () => {
  test.each(ENGINE_KINDS.flatMap((first) => (["stopped", "killed"] as const).map((how) => ({ first, how }))))(
    "$first and $how in a step is finished on every engine, no step twice, and its manifest names the engine that ended it",
    async ({ first, how }) => {
      const places = await Promise.all(ENGINE_KINDS.map(() => place()));
      await begin[how](first, places);
      const ends = await Promise.all(ENGINE_KINDS.map((second, index) => finished(second, places[index]!)));
      expect(ends).toEqual(
        ENGINE_KINDS.map((second) => ({ engine: second, status: "completed", effects: ["1", "2", "3"] })),
      );
    },
  );
});

test("O-5 runs offered while Restate is away, and those it has lost with its state, finish when it is back", async () => {
  const at = await place();
  const garden: Garden = await openGarden(ports(), at.dir);
  await restate.kill("wipe");
  const working = await workWith(garden, { ...at, kind: "restate", servers: servers(), isStuck: false });
  const { run_id } = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
  await restate.start();
  const ends = () => Promise.all([at.run, run_id].map((run) => endOf(garden, { slug: "echo", run })));
  await expect.poll(async () => (await ends()).every((end) => end !== undefined), soon).toBe(true);
  await working.close();
  expect(linesOf(at)).toEqual(["1", "2", "3", "1", "2", "3"]);
});
