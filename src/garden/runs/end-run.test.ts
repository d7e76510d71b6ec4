import { describe, expect, test } from "vitest";
import { FAULTS, faultyStore } from "../../adapters/store/testing/faulty-store.ts";
import { stoppingStore } from "../../adapters/store/testing/stopping-store.ts";
import { keys } from "../../domain/layout.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import { journalId } from "../../domain/run/run-manifest.ts";
import type { Store } from "../../ports/store.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import { acquireLease } from "../core/flow/lease.ts";
import { type CreatedJournal, openFlow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import { type EndDeps, endRun, settleEndedRun } from "./end-run.ts";
import { requestRun } from "./request-run.ts";
import { ENDING, noPause } from "./testing/agent-ground.ts";
import { engineGround } from "./testing/engine-ground.ts";
import { auditKinds, statusOf, withAgent } from "./testing/sample-flow.ts";
import type { RunVerdict } from "./verdict.ts";

const NOOP: RunVerdict = {
  status: "completed",
  outcome: { kind: "noop", reason: "nothing to do" },
  error: null,
  critical: false,
};

interface WorkedRun {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly request: RunRequest;
  readonly written: CreatedJournal;
}

/** A run with two steps that has no end yet. */
async function workedRun(): Promise<WorkedRun> {
  const { garden } = await engineGround();
  await withAgent(garden, "echo");
  const request = await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner" });
  const place = { slug: "echo", run: request.run_id };
  const held = await acquireLease(garden, "run:echo", { holder: "test", ttlMs: 60_000 });
  const flow = openFlow({ ...garden, pause: noPause }, place, held.kind === "held" ? held.lease : undefined);
  for (const name of ["a", "b"]) await flow.step(name, { name }, async () => name);
  return { garden, place, request, written: flow.created()! };
}

const depsOf = (garden: Garden, store: Store = garden.store): EndDeps => ({
  ...ENDING,
  pause: noPause,
  garden: { ...garden, store },
  isRequestAudited: () => true,
});

const ended = (run: WorkedRun, store?: Store): Promise<void> =>
  endRun(depsOf(run.garden, store), run.place, run.request, NOOP, { written: run.written });

/** The end of a run as it is in the store. */
async function endIn({ garden, place }: WorkedRun) {
  const { manifest, objects, records } = (await readJournal(garden.store, place))!;
  return {
    status: (await statusOf(garden, place))?.state,
    isOpen: (await garden.store.get(keys.openRun(place.run))) !== undefined,
    told: (await auditKinds(garden)).filter((kind) => kind === "run-finished").length,
    steps: [manifest?.steps_count, records.length],
    isJournalWhole: manifest?.journal === journalId(objects),
  };
}

const WHOLE = { status: "completed", isOpen: false, told: 1, steps: [2, 2], isJournalWhole: true };

describe("O-9 the end of a run", () => {
  test("a completed run ends with one group of writes, and its journal is not read again", async () => {
    const run = await workedRun();
    const calls: string[] = [];
    const store = new Proxy(run.garden.store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]): unknown => {
          calls.push(typeof given[0] === "string" ? `${String(name)} ${given[0]}` : String(name));
          return member.apply(target, given) as unknown;
        };
      },
    });
    await ended(run, store);
    const reads = calls.filter((call) => /\/steps\/0[12]-[ab]/.test(call) || call.startsWith("list"));
    expect({ groups: calls.filter((call) => call === "inOrder").length, reads }).toEqual({ groups: 1, reads: [] });
    expect(await endIn(run)).toEqual(WHOLE);
  });

  test("a process that dies after any of the writes leaves a run that the next one ends once", async () => {
    for (let writes = 0; ; writes++) {
      const run = await workedRun();
      const store = stoppingStore(run.garden.store, writes);
      await ended(run, store).catch(() => undefined);
      if (!store.stopped()) {
        expect(writes).toBeGreaterThan(3);
        return;
      }
      // As an engine does at its start: the entry among the open runs is deleted last.
      if (!(await settleEndedRun(depsOf(run.garden), run.place))) await ended(run);
      expect({ writes, ...(await endIn(run)) }).toEqual({ writes, ...WHOLE });
    }
  });

  test.each(FAULTS)("a write that fails (%s) does not make the end twice", async (fault) => {
    for (let write = 1; write <= 4; write++) {
      const run = await workedRun();
      let heard = 0;
      run.garden.signals.subscribe(({ record }) => void (heard += record.kind === "run-finished" ? 1 : 0));
      const store = faultyStore(run.garden.store, { seed: 1 });
      store.faults.failAt(write, fault);
      await ended(run, store).catch(() => ended(run));
      expect({ write, ...(await endIn(run)), heard: heard <= 1 }).toEqual({ write, ...WHOLE, heard: true });
    }
  });

  test("a manifest that another process created first counts, and its end is published", async () => {
    const run = await workedRun();
    await endRun(depsOf(run.garden), run.place, run.request, { ...NOOP, outcome: { kind: "noop", reason: "first" } });
    await ended(run);
    expect((await readJournal(run.garden.store, run.place))?.manifest?.outcome).toMatchObject({ reason: "first" });
    expect(await endIn(run)).toEqual(WHOLE);
  });
});
