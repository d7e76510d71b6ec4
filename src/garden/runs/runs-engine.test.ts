import { describe, expect, test } from "vitest";
import { embeddedOrchestrator } from "../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { Failure } from "../../base/failure.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import type { OfferedRun } from "../../ports/orchestrator.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { answerRequest } from "./answer.ts";
import { cancelRun } from "./cancel-run.ts";
import { askPerson, heldFor } from "./hold.ts";
import { openRunIds } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";
import { type EngineGround, engineGround } from "./testing/engine-ground.ts";
import {
  auditKinds,
  codeOf,
  endOf,
  flowOf,
  requestedEcho,
  statusOf,
  steps,
  until,
  withAgent,
} from "./testing/sample-flow.ts";

async function ground(): Promise<EngineGround> {
  const made = await engineGround();
  await withAgent(made.garden, "echo");
  return made;
}

describe("C-6 a request for a run", () => {
  test.each(["draft", "paused", "error", "archived"])(
    "of an agent in state %s is refused, and writes nothing",
    async (status) => {
      const { garden } = await engineGround();
      await withAgent(garden, "echo", { status });
      expect(await codeOf(requestedEcho(garden))).toBe("INVALID_AGENT_TRANSITION");
      expect(await openRunIds(garden.store)).toEqual([]);
    },
  );

  test("a run by hand is refused if the contract forbids it or the agent does not exist", async () => {
    const { garden } = await engineGround();
    await withAgent(garden, "echo", { triggers: "{ manual: false }" });
    expect(await codeOf(requestedEcho(garden))).toBe("FORBIDDEN");
    expect(await codeOf(requestedEcho(garden, "nobody"))).toBe("NOT_FOUND");
  });

  test("O-4 requesting a run twice with the same id is idempotent, also concurrently", async () => {
    const { garden } = await ground();
    const wish = { slug: "echo", trigger: "cron", by: "schedule", id: "run_2026-02-14_080000_abc123" } as const;
    const all = await Promise.all([1, 2, 3, 4].map(() => requestRun(garden, wish)));
    expect(new Set(all.map(({ op }) => op)).size).toBe(1);
    expect(await openRunIds(garden.store)).toEqual([wish.id]);
  });
});

test("O-4a the orchestrator is offered the id of a run and its agent, and no part of the contract", async () => {
  const { garden, engine } = await ground();
  const offered: object[] = [];
  const orchestrator = embeddedOrchestrator({ world: garden.world, limit: 1 });
  const offer = orchestrator.offer.bind(orchestrator);
  const watched = Object.assign(orchestrator, {
    offer: (job: OfferedRun, after?: number) => {
      offered.push(job);
      return offer(job, after);
    },
  });
  const running = await engine(
    flowOf(async () => undefined),
    { orchestrator: watched },
  );
  const { run } = await requestedEcho(garden);
  await running.settled();
  await until(() => offered.length > 0);
  expect(offered.map((job) => JSON.stringify(job))).toContain(JSON.stringify({ key: run, lane: "echo" }));
  expect(offered.every((job) => Object.keys(job).toSorted().join() === "key,lane")).toBe(true);
});

describe("O-1 a run", () => {
  test("a run goes from requested to completed, has two audit records, and leaves no entry among the open runs", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    const before = await statusOf(garden, place);
    const running = await engine(flowOf(steps(4)));
    await running.settled();
    expect(before?.state).toBe("requested");
    expect((await statusOf(garden, place))?.state).toBe("completed");
    expect((await endOf(garden, place))?.status).toBe("completed");
    expect(await openRunIds(garden.store)).toEqual([]);
    expect(await auditKinds(garden)).toEqual(["run-finished", "run-requested"]);
  });

  test("a run shows its step while it works, and before that it shows as queued", async () => {
    const { garden, engine, clock } = await ground();
    const go: (() => void)[] = [];
    const flow = flowOf(async ({ flow: run }) => {
      await run.step("wait-here", null, () => new Promise<null>((resolve) => go.push(() => resolve(null))));
    });
    await engine(flow);
    const [first, second] = [await requestedEcho(garden), await requestedEcho(garden)];
    await until(() => go.length === 1);
    await clock.pass(3000);
    await until(async () => (await statusOf(garden, second))?.state === "queued");
    expect(await statusOf(garden, first)).toMatchObject({
      state: "running",
      step: { position: 1, name: "load-context" },
    });
    go[0]!();
    await until(() => go.length === 2);
    go[1]!();
    await until(async () => (await endOf(garden, second)) !== undefined);
    expect((await endOf(garden, first))?.status).toBe("completed");
  });

  test("runs of one agent are sequential, in the order of their requests; agents work in parallel", async () => {
    const { garden, engine, clock } = await ground();
    await withAgent(garden, "other");
    const said: string[] = [];
    const places = [];
    for (const slug of ["echo", "other", "echo", "other", "echo"]) {
      places.push(await requestedEcho(garden, slug));
      clock.jump(1);
    }
    const begun: string[] = [];
    const ended: string[] = [];
    const flow = flowOf(async (context) => {
      begun.push(context.place.run);
      await steps(2, (line) => said.push(line))(context);
      ended.push(context.place.run);
    });
    await (await engine(flow)).settled();
    const ofEcho = places.filter(({ slug }) => slug === "echo").map(({ run }) => run);
    expect([begun, ended].map((all) => all.filter((run) => ofEcho.includes(run)))).toEqual([ofEcho, ofEcho]);
    expect(said).toHaveLength(10);
  });
});

describe("O-3 a run with failures", () => {
  test("a run is retried when a part is unavailable, shows the failure, and repeats no finished step", async () => {
    const { garden, engine, clock } = await ground();
    const said: string[] = [];
    let away = 2;
    const flow = flowOf(async (context) => {
      await steps(2, (line) => said.push(line))(context);
      if (away-- > 0) throw new Failure("UPSTREAM_UNAVAILABLE", { en: "the reader is away", uk: "читача немає" });
    });
    const place = await requestedEcho(garden);
    const running = await engine(flow);
    await running.settled();
    const entry: unknown = JSON.parse(Buffer.from((await garden.store.get(keys.openRun(place.run)))!.bytes).toString());
    await clock.pass(1100);
    await running.settled();
    await clock.pass(2100);
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect(entry).toMatchObject({ failed: 1, failure: "the reader is away" });
    expect((await endOf(garden, place))!.status).toBe("completed");
    expect(said).toHaveLength(2);
  });

  test("a run fails with the reason if a retry would not help", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    const flow = flowOf(async () => {
      throw new Failure("VALIDATION_FAILED", { en: "the diagram no longer holds", uk: "діаграма вже не годиться" });
    });
    await (await engine(flow)).settled();
    expect(await endOf(garden, place)).toMatchObject({
      status: "failed",
      error: "the diagram no longer holds",
      outcome: { kind: "failed", reason: "the diagram no longer holds" },
      error_details: { code: "VALIDATION_FAILED" },
    });
  });

  test.each([
    ["600 s", {}, 601_000],
    ["what the contract says", { timeouts: "{ run_s: 30 }" }, 31_000],
  ])("is stopped after %s of work; time waiting for a person does not count", async (_, over, ms) => {
    const { garden, engine, clock } = await ground();
    await withAgent(garden, "echo", over);
    let hangs = false;
    const flow = flowOf(async ({ flow: run, place, garden: there }) => {
      await run.step("first", null, async () => 1);
      const { answer } = await askPerson({ ...there, pause: clock.pause }, place, {
        tag: "01",
        reason: "asked",
        ask: { question: "Go on?", form: "text" },
      });
      if (!answer) return { kind: "held", request: `req_${place.run.slice(4)}_01` };
      await run.step(
        "hang",
        null,
        ({ signal }) =>
          new Promise<never>((_resolve, reject) => {
            hangs = true;
            signal.addEventListener("abort", () => reject(new Error("stopped")));
          }),
        { limitMs: 3_600_000 },
      );
      return undefined;
    });
    const place = await requestedEcho(garden);
    const running = await engine(flow);
    await running.settled();
    clock.jump(2 * 3_600_000);
    await clock.pass(5000);
    const held = await endOf(garden, place);
    await answerRequest(garden, { run: place.run, value: { text: "yes" }, by: commandLineOwner });
    await until(() => hangs);
    await clock.pass(ms - 5000);
    const before = await endOf(garden, place);
    await clock.pass(6000);
    await until(async () => (await endOf(garden, place)) !== undefined);
    expect({ held, before }).toEqual({ held: undefined, before: undefined });
    expect((await endOf(garden, place))!.error_details).toMatchObject({ code: "AGENT_TIMEOUT", stopped: "timeout" });
  });

  test("a call is stopped after the time limit of the contract", async () => {
    const { garden, engine, clock } = await ground();
    await withAgent(garden, "echo", { timeouts: "{ step_s: 7 }" });
    const limits: string[] = [];
    const flow = flowOf(async ({ flow: run }) => {
      await run
        .step("hang", null, () => new Promise<never>(() => undefined), { once: true })
        .catch((error: Failure) => limits.push(error.message));
    });
    const place = await requestedEcho(garden);
    const running = await engine(flow);
    await until(
      async () => (await readJournal(garden.store, place))?.objects.some(({ key }) => key.includes("begun")) === true,
    );
    await clock.pass(7500);
    await running.settled();
    expect(limits).toEqual(["the step hang took longer than 7 s"]);
  });

  test("a flow that ignores its abort does not block its agent", async () => {
    const { garden, engine, clock } = await ground();
    let runs = 0;
    const flow = flowOf(async () => {
      if (runs++ === 0) await new Promise(() => undefined);
    });
    await engine(flow);
    const [first, second] = [await requestedEcho(garden), await requestedEcho(garden)];
    await until(() => runs === 1);
    await cancelRun(garden, first, { by: "owner" });
    await clock.pass(11_000);
    await until(async () => (await endOf(garden, second)) !== undefined);
    expect((await endOf(garden, first))?.status).toBe("cancelled");
    expect((await endOf(garden, second))?.status).toBe("completed");
  });
});

describe("O-5 loss of the engine's views", () => {
  test("the cost of recovery grows with open runs, not with ended ones", async () => {
    const { garden, engine } = await ground();
    const counted = (open: number): Promise<number> => readsOfAStart(garden, engine, open);
    const few = await counted(3);
    const busy = await engine(flowOf(steps(1)));
    for (let n = 0; n < 60; n++) await requestedEcho(garden);
    await busy.settled();
    await busy.close();
    const withArchive = await counted(3);
    const more = await counted(6);
    // One more open run costs one entry, and the reads of its answer and its cancellation.
    expect({ withArchive, more }).toEqual({ withArchive: few, more: few + 3 * 3 });
  });

  test("with all views deleted every open run is found and finished", async () => {
    const { garden, engine } = await ground();
    const places = [await requestedEcho(garden), await requestedEcho(garden), await requestedEcho(garden)];
    const views: string[] = [];
    for await (const { key } of everyKey(garden.store, "views/")) views.push(key);
    for (const key of views) await garden.store.delete(key);
    await (await engine(flowOf(steps(2)))).settled();
    const ends = await Promise.all(places.map((place) => endOf(garden, place)));
    expect(ends.map((end) => end?.status)).toEqual(["completed", "completed", "completed"]);
  });

  test("an entry without a request is dropped after a while, and a damaged entry is restored from the run", async () => {
    const { garden, engine, clock } = await ground();
    const place = await requestedEcho(garden);
    await garden.store.put(keys.openRun(place.run), Buffer.from("{"));
    const orphan = "run_2026-02-14_075900_orphan";
    const entry = { slug: "echo", run: orphan, at: new Date(clock.world.now()).toISOString() };
    await garden.store.put(keys.openRun(orphan), Buffer.from(JSON.stringify(entry)));
    const running = await engine(flowOf(steps(1)));
    await running.settled();
    const early = await openRunIds(garden.store);
    await clock.pass(61_000);
    await until(async () => (await openRunIds(garden.store)).length === 0);
    expect(early).toEqual([orphan]);
    expect((await endOf(garden, place))?.status).toBe("completed");
  });

  test("a run whose agent was deleted leaves nothing behind", async () => {
    const { garden, engine } = await ground();
    const place = await requestedEcho(garden);
    for await (const { key } of everyKey(garden.store, keys.agentFolder("echo")))
      await garden.store.remove(key, (await garden.store.get(key))!.hash);
    await garden.store.put(
      keys.openRun(place.run),
      Buffer.from(JSON.stringify({ slug: "echo", run: place.run, at: "2026-02-14T07:00:00.000Z" })),
    );
    await (await engine(flowOf(steps(1)))).settled();
    expect(await openRunIds(garden.store)).toEqual([]);
    expect(await garden.store.get(contractKey("echo"))).toBeUndefined();
  });
});

/** Counts the reads of a start with this many held runs. The runs are cancelled afterwards. */
async function readsOfAStart(garden: Garden, engine: EngineGround["engine"], open: number): Promise<number> {
  const places: RunPlace[] = [];
  for (let n = 0; n < open; n++) places.push(await requestedEcho(garden));
  const holding = flowOf(async ({ place, garden: there }) => {
    const { request } = await askPerson({ ...there, pause: () => Promise.resolve() }, place, {
      tag: "01",
      reason: "asked",
      ask: { question: "?", form: "text" },
    });
    throw heldFor(request);
  });
  const first = await engine(holding);
  await first.settled();
  await first.close();
  let reads = 0;
  const store: Store = new Proxy(garden.store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        if (name === "get" || name === "list") reads++;
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  const second = await engine(holding, { garden: { ...garden, store } });
  await second.settled();
  await second.close();
  const counted = reads;
  const last = await engine(holding);
  for (const place of places) await last.cancel(place, "owner");
  await last.settled();
  await last.close();
  return counted;
}
