import { expect } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import type { Failure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { answerTo } from "../../../drakon/walk/request.ts";
import { answered, program } from "../../../drakon/walk/testing/procedures.ts";
import { replay } from "../../../drakon/walk/testing/replay.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { isDecisionNeeded } from "../../core/flow/decision-needed.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { drawnFrom } from "../../insight/learning/testing/drawn-agent.ts";
import { replayAgainstProposal } from "../../insight/replay/counterfactual.ts";
import { readRecordedRun } from "../../insight/replay/recorded-run.ts";
import type { SessionCheck } from "../../sessions/testing/object-checks.ts";
import { live, manifestOf, portsWith, requestedRun, stepsOf } from "./agent-ground.ts";
import { agentWith, nextOrder, ORDER, orderGarden, resultIn, resultOfOrder, startedOrder } from "./held-order.ts";

const order = program(ORDER);
const input = { base: 1 };
const journal = answered(order, input, [{ number: 9 }, { number: 5 }]);
const problemOf = ({ end }: ReturnType<typeof replay>): unknown =>
  end?.kind === "failed" && { code: end.problem.code, position: end.problem.position };

/** A garden in which one record of a journal reads otherwise: the store itself refuses to overwrite records. */
function tampered(
  garden: Garden,
  { slug, run }: RunPlace,
  [position, name]: readonly [number, string],
  change: (record: Record<string, Json>) => Record<string, Json>,
): Garden {
  const forged = keys.runStep(slug, run, position, name);
  const { store } = garden;
  const get: Store["get"] = async (key) => {
    const stored = await store.get(key);
    if (key !== forged || !stored) return stored;
    const record = JSON.parse(Buffer.from(stored.bytes).toString()) as Record<string, Json>;
    return { ...stored, bytes: Buffer.from(JSON.stringify(change(record))) };
  };
  const forgedStore = new Proxy(store, {
    get: (of, member) => {
      const own = Reflect.get(of, member) as unknown;
      return member === "get" ? get : typeof own === "function" ? own.bind(of) : own;
    },
  });
  return { ...garden, store: forgedStore };
}

/** The failure of the next life of a run. */
async function stopOf(garden: Garden, place: RunPlace): Promise<Failure> {
  const thrown = await live(garden, place, portsWith(scriptedModel([]))).catch((error: unknown) => error);
  if (!isDecisionNeeded(thrown)) throw thrown;
  return thrown;
}

/** D30 to D38. */
export const replayChecks: readonly SessionCheck[] = [
  [
    "tampered journal id is detected",
    async () => {
      const forged = [{ ...journal[0]!, id: "0".repeat(40) }, journal[1]!];
      expect(problemOf(replay(order, input, forged))).toEqual({ code: "non-determinism", position: 0 });
      const { garden, place } = await nextOrder(await startedOrder(), { number: 9 });
      const hash = "0".repeat(40);
      const forgery = tampered(garden, place, [2, "ask-human"], (record) => ({ ...record, input_hash: hash }));
      expect((await stopOf(forgery, place)).details).toMatchObject({ decision: "changed", position: 2 });
    },
  ],
  [
    "changed program is detected at the first differing request",
    async () => {
      const other = program(ORDER.replace("At which price?", "For whom?"));
      expect(problemOf(replay(other, input, journal))).toEqual({ code: "non-determinism", position: 1 });
      // The run is pinned to its own diagram: another one can get into its record by tampering only.
      const { garden, place } = await nextOrder(await startedOrder(), { number: 9 });
      const forgery = tampered(garden, place, [1, "load-context"], (record) => {
        const changed = JSON.stringify(record["output"]).replaceAll("How many?", "How few?");
        return { ...record, output: JSON.parse(changed) as Json };
      });
      expect((await stopOf(forgery, place)).details).toMatchObject({ decision: "changed", position: 2 });
    },
  ],
  [
    "changed input is detected",
    async () => {
      const asks = `BEGIN "Asks"\n  PARAMETERS base\n  a ← ask-human(base, form: "text")\n  b ← ask-human("So?")\nEND\n`;
      const given = answered(program(asks), { base: "One?" }, [{ text: "x" }]);
      expect(problemOf(replay(program(asks), { base: "Two?" }, given))).toEqual({
        code: "non-determinism",
        position: 0,
      });
      const { garden, place } = await nextOrder(await startedOrder(asks, { base: "One?" }), { text: "x" });
      const forgery = tampered(garden, place, [0, "request"], (record) => ({ ...record, input: { base: "Two?" } }));
      expect((await stopOf(forgery, place)).details).toMatchObject({ decision: "changed", position: 2 });
    },
  ],
  [
    "surplus journal entries are detected",
    async () => {
      expect(problemOf(replay(order, input, [...journal, journal[1]!]))).toEqual({ code: "surplus", position: 2 });
      const held = await nextOrder(await startedOrder(), { number: 9 });
      await resultOfOrder(held, { number: 5 });
      const { garden, place } = held;
      expect((await readRecordedRun(garden, place)).kind).toBe("recorded");
      const last = (await stepsOf(garden, place)).length + 1;
      const extra = { ...(await stepsOf(garden, place))[1]!, position: last };
      await garden.store.create(
        keys.runStep(place.slug, place.run, last, "ask-human"),
        Buffer.from(JSON.stringify(extra)),
      );
      expect((await readRecordedRun(garden, place)).kind).toBe("unreadable");
    },
  ],
  [
    "endless pure loop is bounded",
    async () => {
      const garden = orderGarden();
      const slug = await agentWith(
        `BEGIN "Endless"\n  n ← 0\n  REPEAT\n    n ← n + 1\n    IF n < 0\n      → END\nEND\n`,
      );
      const place = await requestedRun(garden, slug);
      await live(garden, place, portsWith(scriptedModel([])));
      const { status, error } = await manifestOf(garden, place);
      expect([status, error]).toEqual(["failed", expect.stringContaining("200000 steps")]);
    },
  ],
  [
    "time and chance are effects",
    async () => {
      const chance = `BEGIN "Chance"\n  t ← now()\n  r ← random()\n  a ← ask-human("Go on?")\n  result ← [t, r, a.text]\nEND\n`;
      const held = await startedOrder(chance, {});
      const drawn = (await stepsOf(held.garden, held.place)).slice(1).map(({ name, output }) => [name, output]);
      expect(drawn.map(([name]) => name)).toEqual(["clock", "chance"]);
      expect(await resultOfOrder(held, { text: "yes" })).toEqual([...drawn.map(([, value]) => value), "yes"]);
    },
  ],
  [
    "visits make loop requests distinct",
    async () => {
      const loop = `BEGIN "Loop"\n  FOR EACH i IN [1, 2]\n    a ← ask-human("Again?")\nEND\n`;
      const [one, two] = answered(program(loop), {}, [{ text: "a" }, { text: "b" }]);
      expect([one!.sem === two!.sem, one!.id === two!.id]).toEqual([true, false]);
      const first = await startedOrder(loop, {});
      const second = await nextOrder(first, { text: "a" });
      expect(second.request).not.toBe(first.request);
      await resultOfOrder(second, { text: "b" });
      expect((await manifestOf(second.garden, second.place)).status).toBe("completed");
    },
  ],
  [
    "parallel icons: both requests open, answers in any order, same end",
    async () => {
      const both = program(PARALLEL);
      const open = replay(both, {}, []).requests;
      const [one, two] = [answerTo(open[0]!, { text: "x" }), answerTo(open[1]!, { text: "y" })];
      const ends = [
        [one, two],
        [two, one],
      ].map((entries) => replay(both, {}, entries).end);
      expect([open.length, ...ends]).toEqual([2, ...ends.map(() => ({ kind: "returned", value: ["x", "y"] }))]);
    },
  ],
  [
    "natural-language icon becomes an llm effect",
    async () => {
      const garden = orderGarden();
      const tells = `BEGIN "Tells"\n  gist ← sum it up in a word\n  result ← gist\nEND\n`;
      const slug = await agentWith(tells, { model: "claude-sonnet-4-5-20250929" });
      const place = await requestedRun(garden, slug);
      await live(garden, place, portsWith(scriptedModel(() => ({ text: "sun" }))));
      const asked = (await stepsOf(garden, place)).find(({ kind }) => kind === "model");
      expect([asked?.icon !== undefined, await resultIn(garden, place)]).toEqual([true, "sun"]);
    },
  ],
];

export const PARALLEL = `BEGIN "Both"
  PARALLEL
    PROCESS 1
      a ← ask-human("Left?")
    PROCESS 2
      b ← ask-human("Right?")
  END PARALLEL
  result ← [a.text, b.text]
END
`;

/** The report of an ended order against another procedure, and what lies in the garden before and after. */
async function against(procedure: string) {
  const held = await nextOrder(await startedOrder(), { number: 9 });
  await resultOfOrder(held, { number: 5 });
  const { garden, place } = held;
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "logic-update",
    payload: {
      agent: place.slug,
      currentVersion: "v001",
      diagram: drawnFrom(procedure),
      rationale: { problem: "p", evidenceRuns: [place.run] },
      requiresHumanReview: true,
    },
    summary: "Other",
  });
  if (received.kind === "refused") throw received.failure;
  const before = await everything(garden);
  const report = await replayAgainstProposal(garden, received.proposal, { most: 0, runs: [place.run] });
  return { row: report.rows[0]!, before, after: await everything(garden) };
}

/** All objects but the cached rows, which are a view, and all refs. */
async function everything({ store, repo }: Garden): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, ""))
    if (!/counterfactual/.test(key)) found.push(`${key} ${(await store.get(key))?.hash}`);
  for (const { name, oid } of await repo.refs("refs/")) found.push(`${name} ${oid}`);
  return found;
}

/** D39 to D42. */
export const counterfactualChecks: readonly SessionCheck[] = [
  [
    "counterfactual reuses answers for unchanged requests",
    async () => {
      // The end is known without asking anybody: both answers are in the recording.
      const { row } = await against(ORDER.replace("* base", "* base + 1"));
      expect(row).toMatchObject({ kind: "parts", certainty: "fact", end: { kind: "returned" } });
    },
  ],
  [
    "counterfactual names the first new request",
    async () => {
      const { row } = await against(ORDER.replace("At which price?", "For whom?"));
      expect(row).toMatchObject({ kind: "cannot-tell", asked: { text: expect.stringContaining("For whom?") } });
    },
  ],
  [
    "counterfactual writes nothing",
    async () => {
      const { before, after } = await against(ORDER.replace("At which price?", "For whom?"));
      expect(after).toEqual(before);
    },
  ],
  [
    "strings with quotes and newlines are ordinary values",
    async () => {
      const text = `"one" 'two'\n\\three\t«й» \${x} \u2028 end`;
      const echo = `BEGIN "Echo"\n  a ← ask-human("Words?")\n  result ← a.text\nEND\n`;
      expect(await resultOfOrder(await startedOrder(echo, {}), { text })).toBe(text);
    },
  ],
];
