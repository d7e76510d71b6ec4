import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FAULTS, faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { Garden } from "../../core/garden.ts";
import { gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { resumeApplying } from "../apply/apply-proposal.ts";
import { listPending } from "../proposals/list-proposals.ts";
import { approve, reject } from "../proposals/testing/decisions.ts";
import { recoverChanges } from "../recover-changes.ts";
import { type Received, receive } from "./receive.ts";
import { recoverInbox } from "./recover-inbox.ts";
import { accepted, audited, clock, keysUnder, note, owner } from "./testing/people.ts";

/** A garden whose store fails at chosen writes. */
async function faulty(): Promise<{ garden: Garden; dir: string; store: ReturnType<typeof faultyStore> }> {
  const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" });
  const store = faultyStore(garden.store, { seed: 1 });
  store.faults.off();
  return { garden: { ...garden, store }, dir, store };
}

const calm = async (work: Promise<unknown>): Promise<"done" | "away"> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (isFailure(error, "UPSTREAM_UNAVAILABLE")) return "away";
      throw error;
    },
  );

/** The number of writes of an action without failures. */
async function counted(store: ReturnType<typeof faultyStore>, work: () => Promise<unknown>): Promise<number> {
  const before = store.faults.counts.writes;
  await work();
  return store.faults.counts.writes - before;
}

describe("P-2 a store that fails in the middle", () => {
  test("a request can be sent again after a fault at any write", async () => {
    const wrong: string[] = [];
    const { garden, store } = await faulty();
    const writes = await counted(store, () => receive(garden, { identity: owner, ...note(), correlation_id: "count" }));
    for (const fault of FAULTS) {
      for (let at = 1; at <= writes; at++) {
        const path = `notes/${fault}-${at}.md`;
        const wish = { identity: owner, ...note(path), correlation_id: `${fault}-${at}` };
        store.faults.failAt(at, fault);
        await calm(receive(garden, wish));
        const again = await receive(garden, wish);
        const { proposals } = await listPending(garden);
        const mine = proposals.filter(({ target }) => target === path);
        if (again.kind !== "accepted" || mine.length !== 1) wrong.push(`${fault} at write ${at}: ${mine.length}`);
        if (again.kind === "accepted") await reject(garden, again.proposal.id, "next");
      }
    }
    await recoverChanges(garden);
    const left = [...(await keysUnder(store, "inbox/pending/")), ...(await keysUnder(store, "proposals/pending/"))];
    expect({ wrong, left: left.length, writes }).toEqual({ wrong: [], left: 1, writes: 8 }); // the counted one is pending
  });

  test("a request that another process recovers gets the same answer in both", async () => {
    const world = clock();
    const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" }, testPorts(world));
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [propose-note] }\n");
    // Both processes have seen that there is no proposal yet. The other one reads main only after the first has applied it.
    const [seen, applied] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let recovered: Promise<readonly Received[]> | undefined;
    const resolving = (wait: () => Promise<void>): Garden["repo"] =>
      new Proxy(garden.repo, {
        get: (real, name) =>
          name === "resolve"
            ? (ref: string) => wait().then(() => real.resolve(ref))
            : (Reflect.get(real, name) as unknown),
      });
    const first = { ...garden, repo: resolving(async () => (recovered ? seen.promise : undefined)) };
    const repo = resolving(() => {
      seen.resolve();
      return applied.promise;
    });
    const other = { ...garden, repo, store: faultyStore(garden.store, { seed: 1 }) };
    const disarm = armCrashPoints((name) => {
      if (name !== "inbox.pending" || recovered) return;
      world.move(20_000);
      recovered = recoverInbox(other);
    });
    const answer = await receive(first, { identity: owner, ...note() });
    disarm();
    applied.resolve();
    expect([answer, ...(await recovered!)].map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
    expect(await keysUnder(garden.store, "inbox/rejected/")).toEqual([]);
    expect(await audited(garden.store)).toEqual(["proposed owner", "decided rule:1", "applied rule:1"]);
  });

  test("A-6 a wish that a rule approves is accepted while git is away, and applied later", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" });
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [propose-note] }\n");
    const away = new Failure("UPSTREAM_UNAVAILABLE", { en: "the remote does not answer", uk: "немає відповіді" });
    const repo = new Proxy(garden.repo, {
      get: (real, name) => (name === "move" ? () => Promise.reject(away) : (Reflect.get(real, name, real) as unknown)),
    });
    const answer = await receive(
      { ...garden, repo, store: faultyStore(garden.store, { seed: 1 }) },
      { identity: owner, ...note() },
    );
    const later = await resumeApplying(garden);
    expect({
      answer: answer.kind === "accepted" && answer.proposal.status,
      later: later.length,
      audited: await audited(garden.store),
    }).toEqual({
      answer: "auto_approved",
      later: 1,
      audited: ["proposed owner", "decided rule:1", "applied rule:1"],
    });
  });

  test("recovery skips a fresh request", async () => {
    const world = clock();
    const { garden } = await gardenWith(undefined, testPorts(world));
    const disarm = armCrashPoints((name) => {
      if (name === "inbox.claimed") throw new Error("left standing");
    });
    await receive(garden, { identity: owner, ...note() }).catch(() => undefined);
    disarm();
    const counts = [(await recoverInbox(garden)).length];
    world.move(10_000);
    counts.push((await recoverInbox(garden)).length);
    expect(counts).toEqual([0, 1]);
  });

  test("P-6 a decision interrupted by a store fault gets its audit record later", async () => {
    const wrong: string[] = [];
    const { garden, dir, store } = await faulty();
    const first = (await accepted(garden)).id;
    const writes = await counted(store, () => approve(garden, first));
    for (const fault of FAULTS) {
      for (let at = 1; at <= writes; at++) {
        const { id } = await accepted(garden, note(`notes/${fault}-${at}.md`));
        store.faults.failAt(at, fault);
        await calm(approve(garden, id));
        await recoverChanges(garden);
        const { proposals } = await listPending(garden);
        if (proposals.length > 0) await approve(garden, id); // nothing was decided: the owner repeats the request
        const landed = git(dir, "log", "--format=%H", "--grep", id).split("\n").filter(Boolean).length;
        if (landed !== 1) wrong.push(`${fault} at write ${at}: ${landed} commits`);
      }
    }
    const records = await audited(store);
    const told = (kind: string): number => records.filter((each) => each === `${kind} owner`).length;
    expect({ wrong, decided: told("decided"), applied: told("applied") }).toEqual({
      wrong: [],
      decided: told("proposed"),
      applied: told("proposed"),
    });
  });
});

test("P-2 an entry that makes recovery fail is refused and does not block the others", async () => {
  const world = clock();
  const { garden: made } = await gardenWith({ "notes/a.md": "a\n" }, testPorts(world));
  const read: Garden["repo"]["read"] = (at, path) => {
    if (path.includes("poison")) throw new RangeError("Maximum call stack size exceeded");
    return made.repo.read(at, path);
  };
  const garden: Garden = { ...made, repo: { ...made.repo, read } };
  await expect(receive(garden, { identity: owner, ...note("notes/poison.md") })).rejects.toMatchObject({});
  const disarm = armCrashPoints((point) => {
    if (point === "inbox.pending") throw new Error("the process died");
  });
  await expect(receive(garden, { identity: owner, ...note("notes/zest.md") })).rejects.toMatchObject({});
  disarm();
  world.move(60_000);
  await recoverChanges(garden);
  const { proposals } = await listPending(garden);
  expect({
    targets: proposals.map(({ target }) => target),
    pending: await keysUnder(garden.store, "inbox/pending/"),
    rejected: (await keysUnder(garden.store, "inbox/rejected/")).length,
  }).toEqual({ targets: ["notes/zest.md"], pending: [], rejected: 1 });
});
