import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { keys } from "../../../domain/layout.ts";
import { inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { reject } from "../proposals/testing/decisions.ts";
import { newRateLimit } from "./rate-limit.ts";
import { inboxEntries, inboxStats, readEntry } from "./read-inbox.ts";
import { receive } from "./receive.ts";
import {
  accepted,
  answered,
  archivist,
  audited,
  calendar,
  clock,
  gateway,
  keysUnder,
  note,
  owner,
  withAgent,
} from "./testing/people.ts";

const MINUTE = 60_000;

describe("P-2 an entry", () => {
  test("an accepted entry is filed under processed/ with its proposal", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden, { summary: "Add it", reasoning: "because", correlation_id: "c-1" });
    const stored = (await garden.store.get(keys.processedEntry(proposal.created_at, proposal.entry_id)))!;
    const { proposal_id, ...entry } = JSON.parse(Buffer.from(stored.bytes).toString()) as Record<string, unknown>;
    expect(proposal_id).toBe(proposal.id);
    expect(inboxEntry.parse(entry)).toEqual({
      id: proposal.entry_id,
      source: { type: "owner", identity: "owner", authenticated: true, timestamp: proposal.created_at },
      intent: {
        action: "propose-note",
        target: "notes/new.md",
        payload: note().payload,
        summary: "Add it",
        reasoning: "because",
      },
      metadata: { correlation_id: "c-1", priority: "normal", ttl_hours: 72 },
    });
  });

  test("an entry leaves pending/ empty, accepted or refused", async () => {
    const { garden } = await gardenWith();
    await accepted(garden);
    await receive(garden, { identity: owner, action: "propose-edit", payload: { path: "notes/gone.md", text: "x" } });
    expect(await keysUnder(garden.store, "inbox/pending/")).toEqual([]);
  });

  test("an entry of an unauthenticated sender is stored without its payload", async () => {
    const { garden } = await gardenWith();
    const received = await receive(garden, { identity: undefined, ...note() });
    const { entry } = await readEntry(garden, received.entry!.id);
    expect({
      authenticated: entry.source.authenticated,
      payload: entry.intent.payload,
      code: entry.rejection?.code,
    }).toEqual({ authenticated: false, payload: {}, code: "AUTH_REQUIRED" });
  });

  test("entries are counted by source and listed newest first", async () => {
    const { garden } = await gardenWith();
    await accepted(garden);
    await accepted(garden, { identity: calendar, ...note("notes/2.md") });
    await answered(garden, { identity: calendar, action: "propose-edit", payload: {} });
    await answered(garden, { payload: {} });
    expect(await inboxStats(garden)).toMatchObject({
      month: "2026-02",
      pending: 0,
      processed: 2,
      rejected: 2,
      by_source: { owner: { processed: 1, rejected: 1 }, webhook: { processed: 1, rejected: 1 } },
    });
    const first = await inboxEntries(garden, { folder: "rejected", limit: 1 });
    const second = await inboxEntries(garden, { folder: "rejected", limit: 1, after: first.next });
    const told = [first, second].flatMap(({ entries }) =>
      entries.map(({ source, rejection }) => [source.type, rejection?.check]),
    );
    expect(told).toEqual([
      ["owner", "readable"],
      ["webhook", "may-act"],
    ]);
    expect(second.next).toBeUndefined();
  });

  test("P-12 an entry and its answer have audit records", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    await answered(garden, { payload: {} });
    await answered(garden, { action: "nonsense" });
    await reject(garden, proposal.id, "no");
    expect(await audited(garden.store)).toEqual(["proposed owner", "refused owner", "refused owner", "decided owner"]);
  });
});

describe("P-3 repeating a request", () => {
  test("a repetition with the same correlation id gets the first answer and makes nothing", async () => {
    const { garden } = await gardenWith();
    const wish = { identity: owner, ...note(), correlation_id: "c-1" };
    const first = await receive(garden, wish);
    await reject(garden, first.kind === "accepted" ? first.proposal.id : "", "no");
    const again = await receive(garden, wish);
    expect(again).toMatchObject({ kind: "accepted", repeated: true, entry: first.entry });
    expect(again.kind === "accepted" && again.proposal.status).toBe("rejected");
    expect(await keysUnder(garden.store, "inbox/processed/")).toHaveLength(1);
  });

  test("a repetition gets the first refusal, although it would be accepted now", async () => {
    const { garden, dir } = await gardenWith();
    const wish = {
      identity: owner,
      action: "propose-edit",
      payload: { path: "notes/late.md", text: "x" },
      correlation_id: "c",
    };
    const first = await receive(garden, wish);
    appendFileSync(`${dir}/notes/late.md`, "now\n");
    git(dir, "add", ".");
    git(dir, "commit", "-qm", "late");
    const again = await receive(garden, wish);
    expect({ first: first.kind, again }).toMatchObject({
      first: "refused",
      again: { kind: "refused", repeated: true, failure: { code: "NOT_FOUND" } },
    });
  });

  test("ten concurrent repetitions make one proposal", async () => {
    const { garden } = await gardenWith();
    const wish = { identity: owner, ...note(), correlation_id: "c" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => receive(garden, wish)));
    const ids = new Set(answers.map((answer) => answer.kind === "accepted" && answer.proposal.id));
    expect({ ids: ids.size, pending: (await keysUnder(garden.store, "proposals/pending/")).length }).toEqual({
      ids: 1,
      pending: 1,
    });
  });

  test("another request under the same correlation id is refused", async () => {
    const { garden } = await gardenWith();
    await accepted(garden, { correlation_id: "c" });
    expect(await answered(garden, { correlation_id: "c", ...note("notes/other.md") })).toBe("DUPLICATE_ENTRY unfiled");
  });

  test("the same correlation id of another sender is another request", async () => {
    const { garden } = await gardenWith();
    const one = await accepted(garden, { correlation_id: "c" });
    const two = await accepted(garden, { correlation_id: "c", identity: gateway, ...note("notes/2.md") });
    expect(two.id).not.toBe(one.id);
  });
});

describe("P-3 an identical change", () => {
  test("an identical change sent by many at once is accepted once", async () => {
    const { garden } = await gardenWith();
    const answers = await Promise.all(Array.from({ length: 8 }, () => answered(garden, {})));
    expect(answers.toSorted()).toEqual(
      ["DUPLICATE_ENTRY not-pending-already", "accepted"].flatMap((each) =>
        each === "accepted" ? [each] : Array.from({ length: 7 }, () => each),
      ),
    );
  });

  test("an identical change is accepted again when the first was decided", async () => {
    const { garden } = await gardenWith();
    const first = await accepted(garden);
    await reject(garden, first.id, "no");
    expect(await answered(garden, {})).toBe("accepted");
  });
});

describe("A-3 rate limits", () => {
  test("an agent has twenty changes a minute, and a refusal says when to retry", async () => {
    const world = clock();
    const { garden } = await gardenWith(undefined, testPorts(world));
    await withAgent(garden);
    const ask = (n: number) => receive(garden, { identity: archivist, ...note(`notes/n${n}.md`) });
    const kinds: string[] = [];
    for (let n = 0; n < 21; n++) kinds.push((await ask(n)).kind);
    expect(kinds).toEqual([...Array.from({ length: 20 }, () => "accepted"), "refused"]);
    expect(await ask(21)).toMatchObject({ failure: { code: "RATE_LIMITED", details: { retryAfterSeconds: 3 } } });
    world.move(3000);
    expect((await ask(22)).kind).toBe("accepted");
  });

  test("a repetition does not count, and a rate-limited request may be repeated", async () => {
    const world = clock();
    const { garden, dir } = await gardenWith(undefined, testPorts(world));
    appendFileSync(`${dir}/garden.yaml`, "limits: { owner_per_minute: 2 }\n");
    const ask = (n: number) => receive(garden, { identity: owner, ...note(`notes/n${n}.md`), correlation_id: `c${n}` });
    for (let time = 0; time < 5; time++) await ask(0);
    const second = await ask(1);
    const third = await ask(2);
    world.move(MINUTE);
    const thirdAgain = await ask(2);
    expect({ second: second.kind, third: third.kind, thirdAgain: thirdAgain.kind }).toEqual({
      second: "accepted",
      third: "refused",
      thirdAgain: "accepted",
    });
    expect(thirdAgain.entry?.id).toBe(third.entry?.id);
  });

  test("a refusal by the gate takes no token until there are too many", async () => {
    const world = clock();
    const { garden, dir } = await gardenWith(undefined, testPorts(world));
    appendFileSync(`${dir}/garden.yaml`, "limits: { owner_per_minute: 1 }\n");
    for (let n = 0; n < 9; n++) await answered(garden, { payload: {} });
    expect(await answered(garden, {})).toBe("accepted");
    await answered(garden, { payload: {} });
    expect(await answered(garden, { payload: {} })).toBe("RATE_LIMITED unfiled");
  });

  test("a clock that jumps fills a bucket at most once and takes nothing", () => {
    const world = clock();
    const limit = newRateLimit(world);
    const drain = (): number => {
      let taken = 0;
      while (taken < 1000 && limit.take("x", 10) === undefined) taken++;
      return taken;
    };
    const counts = [drain()];
    for (const jump of [-1e12, 6000, 1e13, -1e13]) {
      world.move(jump);
      counts.push(drain());
    }
    expect(counts).toEqual([10, 0, 1, 10, 0]);
  });
});

describe("P-9 the owner's rules", () => {
  const rules = `auto_approve:
  - { source: owner, actions: [propose-note], folder: notes/music }
  - { source: agent, identity: archivist, actions: [propose-note], folder: notes/inbox }
  - { source: webhook, identity: calendar, actions: [propose-note] }
`;

  test.each([
    [
      "the owner in the folder of a rule",
      owner,
      "notes/music/a.md",
      "applied",
      "auto_approve[1] owner: propose-note in notes/music",
    ],
    ["the owner in a folder with the same prefix", owner, "notes/musical.md", "pending", undefined],
    ["an agent without a rule for that folder", archivist, "notes/music/a.md", "pending", undefined],
    [
      "an agent with its rule",
      archivist,
      "notes/inbox/a.md",
      "applied",
      "auto_approve[2] agent archivist: propose-note in notes/inbox",
    ],
    [
      "a webhook by its bare name",
      calendar,
      "notes/a-b.md",
      "applied",
      "auto_approve[3] webhook calendar: propose-note",
    ],
    ["the program itself", gateway, "notes/music/a.md", "pending", undefined],
  ])("decide whether a change is approved: %s", async (_, identity, path, status, rule) => {
    const { garden, dir } = await gardenWith();
    await withAgent(garden);
    appendFileSync(`${dir}/garden.yaml`, rules);
    const proposal = await accepted(garden, { identity, ...note(path) });
    const { decision, decided_by, decision_note } = proposal.approval ?? {};
    expect({ status: proposal.status, rule: decision_note }).toEqual({ status, rule });
    expect({ decision, decided_by }).toEqual(
      rule === undefined
        ? { decision: undefined, decided_by: undefined }
        : { decision: "auto_approved", decided_by: `rule:${/\d+/.exec(rule)?.[0]}` },
    );
  });

  test("are read for every request", async () => {
    const { garden, dir } = await gardenWith();
    const before = await accepted(garden, note("notes/music/1.md"));
    appendFileSync(`${dir}/garden.yaml`, rules);
    const after = await accepted(garden, note("notes/music/2.md"));
    expect({ before: before.status, after: after.status }).toEqual({ before: "pending", after: "applied" });
  });
});
