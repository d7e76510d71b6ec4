import { describe, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { keepEvent } from "../records/runs/pending-events.ts";
import { approved, wished } from "../testing/tended-garden.ts";
import { isAwaited } from "./event-delivery.ts";
import { deliverEvents, emit } from "./events.ts";
import { requestAt } from "./open-runs.ts";
import { requestRun } from "./request-run.ts";
import { type EngineGround, engineGround } from "./testing/engine-ground.ts";
import { endOf, flowOf, steps, until, withAgent } from "./testing/sample-flow.ts";

async function ground(...events: string[]): Promise<EngineGround> {
  const made = await engineGround();
  await withAgent(made.garden, "echo", { triggers: `{ events: [${events.join(", ")}] }` });
  return made;
}

const told = { name: "mail/received", id: "42", subject: "a letter", payload: { from: "ann" }, by: "owner" };
const kept = async ({ store }: Garden): Promise<number> => {
  let count = 0;
  for await (const _ of everyKey(store, keys.pendingEvents)) count++;
  return count;
};
const askedIn = async (garden: Garden): Promise<string[]> => {
  const { asked, failed } = await deliverEvents(garden);
  expect(failed).toEqual([]);
  return asked.map(({ slug }) => slug);
};

describe("O-4 an event", () => {
  test("an event requests a run of every active agent that waits for it, with the event as input", async () => {
    const { garden } = await ground("mail/received");
    await withAgent(garden, "deaf");
    await withAgent(garden, "paused", { status: "paused", triggers: "{ events: [mail/received] }" });
    await emit(garden, told);
    const { asked } = await deliverEvents(garden);
    const request = await requestAt(garden.store, asked[0]!);
    expect(asked).toHaveLength(1);
    expect(request).toMatchObject({ trigger: "event", cause: "mail/received" });
    expect(request?.input).toEqual({ event: "mail/received", subject: "a letter", payload: { from: "ann" } });
    expect(await kept(garden)).toBe(0);
  });

  test("an event sent again with its id is the same event, also later; another id is another event", async () => {
    const { garden, clock } = await ground("mail/received");
    const runs = new Set<string>();
    for (const id of ["42", "42", "43"]) {
      await emit(garden, { ...told, id });
      for (const { run } of (await deliverEvents(garden)).asked) runs.add(run);
      clock.jump(3_600_000);
    }
    expect(runs.size).toBe(2);
  });

  test.each<[string, Partial<typeof told>, string]>([
    ["of the garden itself", { name: "note/created" }, "FORBIDDEN"],
    ["without a proper name", { name: "Mail" }, "VALIDATION_FAILED"],
    ["without an id that fits", { id: "x".repeat(400) }, "VALIDATION_FAILED"],
  ])("%s is refused", async (_, over, code) => {
    const { garden } = await ground("mail/received");
    const error: unknown = await emit(garden, { ...told, ...over }).catch((thrown: unknown) => thrown);
    expect(isFailure(error) && error.code).toBe(code);
    expect(await kept(garden)).toBe(0);
  });

  test("an event that cannot be delivered now stays, and does not block others", async () => {
    const { garden } = await ground("mail/received");
    await emit(garden, told);
    const { asked, failed } = await deliverEvents({ ...garden, store: proxied(garden.store) });
    expect({ asked, failures: failed.length, kept: await kept(garden) }).toEqual({ asked: [], failures: 1, kept: 1 });
    expect(await askedIn(garden)).toEqual(["echo"]);
  });

  test("an event older than a week is dropped and audited", async () => {
    const { garden, clock } = await ground("mail/received");
    await emit(garden, told);
    clock.jump(8 * 86_400_000);
    expect(await askedIn(garden)).toEqual([]);
    expect(await kept(garden)).toBe(0);
  });
});

describe("O-4 events of an applied change", () => {
  test("an applied change triggers the agents that wait for it, also after a crash in between", async () => {
    const { garden, engine } = await ground("note/created");
    await approved(garden, await wished(garden, "propose-note", { path: "notes/new.md", text: "# New\n" }));
    // No engine ran when it was applied. Another process starts one later.
    const before = await kept(garden);
    const running = await engine(flowOf(steps(1)));
    await running.settled();
    await until(async () => (await kept(garden)) === 0);
    const places = await runsOf(garden, "echo");
    await running.close();
    expect({ keptBefore: before, runs: places.length }).toEqual({ keptBefore: 1, runs: 1 });
    expect((await endOf(garden, places[0]!))?.trigger).toBe("event");
  });

  test("a change by an agent's run never triggers that agent, nor one earlier in its chain", async () => {
    const { garden } = await ground("note/created");
    await withAgent(garden, "linker", { triggers: "{ events: [note/created] }" });
    const first = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
    const event = { name: "note/created", at: "2026-02-14T08:00:00.000Z", by: "owner", subject: "notes/x.md" };
    await keepEvent(garden.store, { ...event, id: "1", from: { slug: "echo", run: first.run_id } });
    const { asked } = await deliverEvents(garden);
    await keepEvent(garden.store, { ...event, id: "2", from: asked[0]! });
    const second = await askedIn(garden);
    expect(asked.map(({ slug }) => slug)).toEqual(["linker"]);
    expect((await requestAt(garden.store, asked[0]!))?.chain).toEqual(["echo"]);
    expect(second).toEqual([]);
  });

  test("a chain of agents ends after MAX_CHAIN", async () => {
    const { garden } = await ground("mail/received");
    const slugs = Array.from({ length: 12 }, (_, n) => `agent-${String.fromCharCode(97 + n)}`);
    for (const slug of slugs) await withAgent(garden, slug, { triggers: "{ events: [agent/run.finished] }" });
    const first = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
    let from: { slug: string; run: string } | undefined = { slug: "echo", run: first.run_id };
    let longest = 0;
    while (from) {
      await keepEvent(garden.store, {
        name: "agent/run.finished",
        id: `${from.run}:finished`,
        at: "2026-02-14T08:00:00.000Z",
        by: "echo",
        subject: from.run,
        from,
      });
      const { asked } = await deliverEvents(garden);
      from = asked[0];
      if (from) longest = (await requestAt(garden.store, from))!.chain!.length;
    }
    expect(longest).toBe(7);
  });

  test("the end of a run can trigger another agent", async () => {
    const { garden, engine } = await ground("agent/run.finished");
    await withAgent(garden, "worker");
    const running = await engine(flowOf(steps(1)));
    await requestRun(garden, { slug: "worker", trigger: "manual", by: "owner" });
    await running.settled();
    await until(async () => (await runsOf(garden, "echo")).length === 1);
    await running.settled();
    await running.close();
    expect(await runsOf(garden, "echo")).toHaveLength(1);
    expect(await runsOf(garden, "worker")).toHaveLength(1);
  });
});

describe("O-4 awaited events", () => {
  const counting = (garden: Garden): { readonly garden: Garden; readonly lists: () => number } => {
    let lists = 0;
    const store = new Proxy(garden.store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]): unknown => {
          if (name === "list" && given[0] === "agents/") lists++;
          return member.apply(target, given) as unknown;
        };
      },
    });
    return { garden: { ...garden, store }, lists: () => lists };
  };
  const NO_EVENTS = { orchestrator: {}, over: new AbortController().signal };

  test("contracts are not read again while this process changes nothing but runs", async () => {
    const { garden, clock } = await ground("mail/received");
    const counted = counting(garden);
    const awaited = isAwaited(counted.garden, NO_EVENTS);
    await awaited("mail/received");
    const first = counted.lists();
    clock.jump(900);
    await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
    await awaited("mail/received");
    const second = counted.lists();
    clock.jump(200);
    await awaited("mail/received");
    expect([second - first, counted.lists() > second]).toEqual([0, true]);
  });

  test("an agent that this process changes is known at the next event", async () => {
    const { garden } = await ground("mail/received");
    const awaited = isAwaited(garden, NO_EVENTS);
    const before = await awaited("note/created");
    await withAgent(garden, "reader", { triggers: "{ events: [note/created] }" });
    const at = "2026-02-14T08:00:00.000Z";
    await recordAudit(garden, "reader-created", {
      kind: "agent-created",
      at,
      by: "owner",
      subject: "reader",
      details: {},
    });
    expect([before, await awaited("note/created")]).toEqual([false, true]);
  });
});

/** A store whose views cannot be put. */
const proxied = (store: Garden["store"]): Garden["store"] =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === "inOrder") return () => Promise.reject(new Error("full"));
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });

async function runsOf(garden: Garden, slug: string): Promise<{ slug: string; run: string }[]> {
  const found: { slug: string; run: string }[] = [];
  for await (const { key } of everyKey(garden.store, keys.runs(slug))) {
    const run = /\/(run_[^/]+)\/steps\/00-request\.json$/.exec(key)?.[1];
    if (run !== undefined) found.push({ slug, run });
  }
  return found;
}
