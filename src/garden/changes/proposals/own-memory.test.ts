import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../base/canonical.ts";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import { readValues } from "../../../domain/memory/memory-meta.ts";
import type { MemoryOperation } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { readMemory } from "../../records/memory/memory-state.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { files, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { applyAfterGrace } from "../apply/apply-proposal.ts";
import { reviewProposal } from "../effect/review.ts";
import { accepted, archivist, clock, withAgent } from "../inbox/testing/people.ts";
import { decide, decideBatch, retryApply } from "./decide.ts";

const SLUG = "archivist";

async function withRemembering() {
  const world = clock();
  const { garden, dir } = await gardenWith(undefined, testPorts(world));
  return { garden, dir, world, remember: await rememberingAgent(garden, world) };
}

async function rememberingAgent(garden: Garden, world: ReturnType<typeof clock>, slug = SLUG) {
  await withAgent(garden, slug, { safe_outputs: "[memory-update]", tools: "[write-memory]" });
  return async (...operations: MemoryOperation[]): Promise<Proposal> => {
    world.move(4000); // within the rate limit of an agent
    const { version } = await memory(garden, slug);
    const payload = { agent: slug, operations, expectedVersion: version, priority: "normal" };
    return accepted(garden, { identity: { ...archivist, slug }, action: "memory-update", payload });
  };
}

const memory = async (garden: Garden, slug = SLUG) =>
  readMemory(garden.repo, (await garden.repo.resolve(MAIN_REF))!, slug);
const values = async (garden: Garden) => readValues((await memory(garden)).files["values.json"]);
const observe = (text: string, named: Record<string, Json>): MemoryOperation =>
  ({ op: "observe", text, values: named }) as MemoryOperation;
const seen = async (garden: Garden, made: readonly Proposal[]) =>
  Promise.all(made.map(async (each) => ({ id: each.id, digest: (await reviewProposal(garden, each)).digest })));
const statuses = (garden: Garden, made: readonly Proposal[]): Promise<string[]> =>
  Promise.all(made.map(async ({ id }) => (await readProposal(garden.store, id)).status));
const observed = async (garden: Garden, slug = SLUG): Promise<string[]> =>
  Buffer.from((await garden.store.get(keys.observations(slug)))?.bytes ?? [])
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { observation: string }).observation);

test.each([
  ["at once", 0],
  ["after their grace", 8000],
])(
  "M-4 P-10 four memory updates of one agent are approved together and applied %s, none fails and none is lost",
  async (_, graceMs) => {
    const { garden, world, remember } = await withRemembering();
    const made: Proposal[] = [];
    for (const index of [1, 2, 3, 4])
      made.push(
        await remember(observe(`run ${index}`, { last_run: `T${index}`, processed: [`note-${index}`] }), {
          op: "replace",
          file: "snapshot.md",
          text: `State ${index}`,
        }),
      );
    const proposals = (await seen(garden, made)).toReversed();
    await decideBatch(garden, { proposals, verdict: "approve", by, graceMs });
    world.move(graceMs);
    if (graceMs > 0) await applyAfterGrace(garden);
    expect({
      statuses: await statuses(garden, made),
      values: await values(garden),
      snapshot: (await memory(garden)).files["snapshot.md"],
      observed: await observed(garden),
    }).toEqual({
      statuses: ["applied", "applied", "applied", "applied"],
      values: { last_run: "T4", processed: ["note-1", "note-2", "note-3", "note-4"] },
      snapshot: "State 4\n",
      observed: ["run 1", "run 2", "run 3", "run 4"],
    });
  },
);

test("M-4 an older update approved after a newer one keeps the newer values and adds only what is missing", async () => {
  const { garden, remember } = await withRemembering();
  const older = await remember(observe("first", { last_run: "T1", processed: ["a"] }));
  const bare = await remember(observe("", { last_run: "T1.5" }));
  const newer = await remember(observe("second", { last_run: "T2", processed: ["b"] }));
  await decideBatch(garden, { proposals: await seen(garden, [newer]), verdict: "approve", by });
  const ended = await readProposal(garden.store, bare.id);
  const review = await reviewProposal(garden, older);
  const stale = decide(garden, { proposal: older.id, verdict: "approve", digest: older.digest, by });
  await expect(stale).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
  const applied = await decide(garden, { proposal: older.id, verdict: "approve", digest: review.digest, by });
  expect({
    bare: [ended.status, ended.approval?.superseded_by],
    warns: review.warnings.map(({ en }) => en),
    shown: review.sentences.map(({ en }) => en),
    applied: applied.status,
    values: await values(garden),
  }).toEqual({
    bare: ["rejected", newer.id],
    warns: [`“last_run” stays as the agent's update ${newer.id} set it`],
    shown: ["Observes: first", "processed: 1 → 2 items, new: a"],
    applied: "applied",
    values: { last_run: "T2", processed: ["b", "a"] },
  });
});

test("P-10a an approved update that would lose text of another one goes back to pending with the reason, and can be decided anew", async () => {
  const { garden, remember } = await withRemembering();
  const append = await remember({ op: "append", file: "facts.md", text: "Bach wrote six sonatas" });
  const replace = await remember({ op: "replace", file: "facts.md", text: "# Facts\n\n- All is said\n" });
  await decideBatch(garden, { proposals: await seen(garden, [append, replace]), verdict: "approve", by });
  const back = await readProposal(garden.store, replace.id);
  expect({ status: back.status, why: back.returned?.why.en, main: (await memory(garden)).files["facts.md"] }).toEqual({
    status: "pending",
    why: "what it would change now is not what was approved",
    main: "# Facts: archivist\n\n- Bach wrote six sonatas\n",
  });
  const review = await reviewProposal(garden, back);
  expect(review.files[0]?.patch).toContain("-- Bach wrote six sonatas");
  const done = await decide(garden, { proposal: back.id, verdict: "approve", digest: review.digest, by });
  expect({ status: done.status, returned: done.returned }).toEqual({ status: "applied", returned: undefined });
});

test("G-5 M-4 an update does not overwrite a value that a person changed by hand", async () => {
  const { garden, dir, remember } = await withRemembering();
  const first = await remember(observe("", { last_run: "T1" }));
  const second = await remember(observe("", { last_run: "T2" }));
  const [one, two] = await seen(garden, [first, second]);
  await decideBatch(garden, { proposals: [one!], verdict: "approve", by });
  files(dir, { "memory/archivist/values.json": '{\n  "last_run": "mine"\n}\n' });
  git(dir, "commit", "-qam", "by hand");
  const failed = await decide(garden, { proposal: two!.id, verdict: "approve", digest: two!.digest, by });
  const again = await retryApply(garden, { proposal: second.id, by });
  expect([failed.status, again.status, await values(garden)]).toEqual(["failed", "failed", { last_run: "mine" }]);
});

/** Keys of scalar and list values, and texts, of one update of the random sequence. */
const update = fc.record({
  scalars: fc.subarray(["a", "b"]),
  lists: fc.subarray(["x", "y"]),
  text: fc.boolean(),
  snapshot: fc.boolean(),
});
/** Updates are proposed one by one; between them, some of the pending ones are approved, in any order, alone or together. */
const step = fc.oneof(
  { weight: 3, arbitrary: update.map((made) => ({ kind: "propose", made }) as const) },
  {
    weight: 2,
    arbitrary: fc
      .record({ picks: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }), together: fc.boolean() })
      .map((how) => ({ kind: "approve", ...how }) as const),
  },
);

test("M-4 an agent's updates, approved in any order, alone or in batches, leave what they would leave in their own order", async () => {
  const world = clock();
  const { garden } = await gardenWith(undefined, testPorts(world));
  let agents = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const slug = `keeper-${++agents}`;
      const remember = await rememberingAgent(garden, world, slug);
      const made: { proposal: Proposal; operations: MemoryOperation[] }[] = [];
      const approved = new Set<string>();
      const approve = async (chosen: readonly Proposal[]): Promise<void> => {
        const open = (await Promise.all(chosen.map(({ id }) => readProposal(garden.store, id)))).filter(
          ({ status }) => status === "pending",
        );
        if (open.length === 0) return;
        const answers = await decideBatch(garden, { proposals: await seen(garden, open), verdict: "approve", by });
        for (const { id, proposal } of answers) {
          expect(["applied", "pending", "rejected"]).toContain(proposal?.status);
          if (proposal?.status === "rejected") expect(proposal.approval?.superseded_by).toBeDefined();
          if (proposal?.status === "pending") expect(proposal.returned).toBeDefined();
          else approved.add(id);
        }
      };
      for (const each of steps) {
        const number = made.length + 1;
        if (each.kind === "propose") {
          const { scalars, lists, text, snapshot } = each.made;
          const known = readValues((await memory(garden, slug)).files["values.json"]) ?? {};
          const named = {
            ...Object.fromEntries(scalars.map((key) => [key, number])),
            ...Object.fromEntries(lists.map((key) => [key, [...((known[key] as string[]) ?? []), `${key}${number}`]])),
          };
          const operations = [
            ...(text || scalars.length + lists.length > 0 ? [observe(text ? `seen ${number}` : "", named)] : []),
            ...(snapshot
              ? [{ op: "replace", file: "snapshot.md", text: `State ${number}` } satisfies MemoryOperation]
              : []),
          ];
          if (operations.length > 0) made.push({ proposal: await remember(...operations), operations });
          continue;
        }
        const chosen = [...new Set(each.picks)].flatMap((pick) => made[pick]?.proposal ?? []);
        if (each.together) await approve(chosen);
        else for (const one of chosen) await approve([one]);
      }
      for (const { proposal } of made) await approve([proposal]); // those that came back, and the rest
      const model = new Map<string, unknown>();
      const seenTexts: string[] = [];
      for (const { operations } of made)
        for (const operation of operations) {
          if (operation.op === "replace") model.set("snapshot", `${operation.text}\n`);
          if (operation.op !== "observe") continue;
          if (operation.text !== "") seenTexts.push(operation.text);
          for (const [name, value] of Object.entries(operation.values ?? {}))
            model.set(
              name,
              Array.isArray(value)
                ? [...new Set([...((model.get(name) as Json[]) ?? []), ...value])].map(String).toSorted()
                : value,
            );
        }
      const now = await memory(garden, slug);
      const left = Object.entries(readValues(now.files["values.json"]) ?? {}).map(
        ([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value] as const,
      );
      const snapshot = now.files["snapshot.md"];
      expect(new Map([...left, ...(snapshot === undefined ? [] : [["snapshot", snapshot] as const])])).toEqual(model);
      expect((await observed(garden, slug)).toSorted()).toEqual(seenTexts.toSorted());
      expect(
        (
          await statuses(
            garden,
            made.map(({ proposal }) => proposal),
          )
        ).filter((each) => !/applied|rejected/.test(each)),
      ).toEqual([]);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});
