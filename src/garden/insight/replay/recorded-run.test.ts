import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { keys } from "../../../domain/layout.ts";
import { PASSED } from "../../../domain/run/passed-lines.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import { live, portsWith, requestedRun } from "../../runs/testing/agent-ground.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { drawnAgent } from "../learning/testing/drawn-agent.ts";
import { type RecordedRun, readRecordedRun, recentRuns } from "./recorded-run.ts";

const shared = oneGarden();
let agents = 0;

const TIDY = `BEGIN "Tidy"
  notes ← read-notes()
  FOR EACH note IN notes
    IF wanted
      create-proposal(type: "propose-note", path: "notes/" + mark + note.slug + ".md", text: "# New")
    ELSE
      a ← note.slug
  IF missing
    text ← read-context("nowhere at all")
END
`;

interface Wanted {
  readonly execution: "flow" | "prompt";
  readonly input?: { readonly [name: string]: Json };
  readonly script?: Script;
  readonly procedure?: string;
}

async function ran({ execution, input = {}, script, procedure = TIDY }: Wanted) {
  const garden = shared();
  const slug = `tidy-${++agents}`;
  const { diagram } = await drawnAgent(garden, slug, procedure, {
    execution,
    model: script ? "claude-sonnet-4-5-20250929" : "bloom/follower",
    tools: "[read-notes, read-context, create-proposal]",
    safe_outputs: "[propose-note]",
    max_steps: "20",
  });
  const place = await requestedRun(garden, slug, { mark: slug, wanted: true, missing: false, ...input });
  await live(garden, place, portsWith(scriptedModel(script ?? [])));
  return { garden, place, texts: textsOf(diagram) };
}

/** The text of an icon. */
const textsOf = (diagram: string): ReadonlyMap<string, string> =>
  new Map([...readDiagram(diagram).diagram.icons.values()].map(({ id, text }) => [id, text]));

async function recorded(place: RunPlace): Promise<RecordedRun> {
  const read = await readRecordedRun(shared(), place);
  if (read.kind === "unreadable") throw new Error(read.why.en);
  return read.run;
}

/** The path as text: each acting icon with its answer, its calls and proposals, and failures. */
const wayOf = ({ path }: RecordedRun, texts: ReadonlyMap<string, string>): string[] =>
  path.passed
    .filter(({ icon }) => (texts.get(icon) ?? "") !== "")
    .map(({ icon, answer, calls, proposals, failed }) =>
      [
        texts.get(icon)!.slice(0, 16),
        ...(answer === undefined ? [] : [String(answer)]),
        ...(calls > 0 ? [`${calls} calls`] : []),
        ...(proposals.length > 0 ? [`${proposals.length} made`] : []),
        ...(failed ? ["failed"] : []),
      ].join(" | "),
    );

describe("L-8 a recorded run is read as its path through the diagram", () => {
  test("a `flow` run gives icons, answers, calls and proposals as facts", async () => {
    const { place, texts } = await ran({ execution: "flow" });
    const run = await recorded(place);
    expect(run.path).toMatchObject({ certainty: "fact", status: "completed", outcome: { kind: "effects" } });
    expect(wayOf(run, texts)).toEqual([
      "notes ← read-not | 1 calls",
      "note; notes | true",
      "wanted | true",
      "create-proposal( | 1 calls | 1 made",
      "note; notes | true",
      "wanted | true",
      "create-proposal( | 1 calls | 1 made",
      "note; notes | false",
      "missing | false",
    ]);
    expect(run.path.passed.every(({ diagram }) => diagram === "main-flow.drakon.json")).toBe(true);
    expect(run.journal.map(({ kind }) => kind)).toEqual(["tool", "propose", "propose"]);
  });

  test("a follower run gives the same from its conversation", async () => {
    const [flow, follower] = [await ran({ execution: "flow" }), await ran({ execution: "prompt" })];
    const [one, other] = [await recorded(flow.place), await recorded(follower.place)];
    expect(other.path).toMatchObject({ certainty: "fact", outcome: { kind: "effects" } });
    const bare = (way: readonly string[]) => way.map((each) => each.replace(/ \| \d calls/, ""));
    expect(bare(wayOf(other, follower.texts))).toEqual(bare(wayOf(one, flow.texts)));
    expect(other.path.passed.reduce((sum, { calls }) => sum + calls, 0)).toBe(3 + 3);
    expect(other.journal.map(({ kind }) => kind)).toEqual(["tool", "propose", "propose"]);
  });

  test.each(["flow", "prompt"] as const)("a permanently failed call ends a %s run at its icon", async (execution) => {
    const { place, texts } = await ran({ execution, input: { missing: true, wanted: false } });
    const run = await recorded(place);
    expect(run.path.status).toBe("failed");
    expect(wayOf(run, texts).slice(-2)).toEqual([
      "missing | true",
      expect.stringMatching(/^text ← read-cont.*failed$/),
    ]);
    expect(run.path.passed.filter(({ failed }) => failed)).toHaveLength(1);
  });
});

/** A model that makes these calls with their claims, and then says that it is done. */
const calling =
  (calls: readonly (readonly [tool: string, claim: unknown, input?: object])[]): Script =>
  (_, turn) =>
    calls[turn]
      ? { calls: [{ tool: calls[turn][0], input: { ...calls[turn][2], [PASSED]: calls[turn][1] } }] }
      : { text: "NOOP: nothing more" };

const note = (path: string) => ({ type: "propose-note", path, text: "# New" });

describe("R-1a another model gives only its claims", () => {
  test("claimed lines become icons with their answers, and costs are counted at the icons of the calls", async () => {
    const script = calling([
      ["read-notes", [3]],
      ["create-proposal", ["5 yes", "6 yes", 7], note("notes/by-claim.md")],
      ["read-context", ["5", "6 no", "9", "5 no", "11 yes", 12], { name: "nowhere" }],
    ]);
    const { place, texts } = await ran({ execution: "prompt", script });
    const run = await recorded(place);
    expect({ certainty: run.path.certainty, journal: run.journal }).toEqual({ certainty: "claim", journal: [] });
    expect(wayOf(run, texts)).toEqual([
      "notes ← read-not | 2 calls",
      "note; notes | true",
      "wanted | true",
      "create-proposal( | 2 calls | 1 made",
      "note; notes",
      "wanted | false",
      "a ← note.slug",
      "note; notes | false",
      "missing | true",
      "text ← read-cont | 3 calls | failed",
    ]);
    expect(run.path.passed.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(run.path.tokens);
  });

  test.each<[string, Script, number]>([
    ["nothing was claimed", [{ calls: [{ tool: "read-notes" }] }, { text: "NOOP: all is well" }], 0],
    [
      "the lines are no path",
      calling([
        ["read-notes", [3]],
        ["read-notes", [12, 3]],
      ]),
      1,
    ],
  ])("the path is unknown when %s", async (_, script, known) => {
    const { place } = await ran({ execution: "prompt", script });
    const { path } = await recorded(place);
    expect({ certainty: path.certainty, known: path.passed.length }).toEqual({ certainty: "unknown", known });
  });
});

describe("an unreadable run has its reason", () => {
  const of = async (place: RunPlace): Promise<string> => {
    const read = await readRecordedRun(shared(), place);
    return read.kind === "unreadable" ? read.why.en : "recorded";
  };

  test("L-8 an unfinished run, a deleted run and a run with changed records are unreadable", async () => {
    const garden = shared();
    const words = await ran({ execution: "prompt", script: [{ text: "NOOP: nothing" }] });
    expect(await of(words.place)).toBe("recorded");
    const open = await requestedRun(garden, words.place.slug);
    expect(await of(open)).toMatch(/has not ended/);
    expect(await of({ slug: words.place.slug, run: "run_2026-01-01_000000_aaaaaa" })).toMatch(/was deleted/);
    const { place } = await ran({ execution: "flow" });
    const key = keys.runStep(place.slug, place.run, 2, "read-notes");
    const stored = (await garden.store.get(key))!;
    await garden.store.remove(key, stored.hash);
    expect(await of(place)).toMatch(/records were changed/);
    await garden.store.create(key, stored.bytes);
    expect(await of(place)).toBe("recorded");
  });

  test("L-8 runs are listed newest first, with unreadable ones and without forks", async () => {
    const garden = shared();
    const { place } = await ran({ execution: "flow" });
    const later = await requestedRun(garden, place.slug, { mark: "x", wanted: false, missing: false });
    await live(garden, later, portsWith(scriptedModel([])));
    const key = keys.runStep(place.slug, place.run, 2, "read-notes");
    await garden.store.remove(key, (await garden.store.get(key))!.hash);
    const found: string[] = [];
    for await (const read of recentRuns(garden, place.slug, { most: 10 }))
      found.push(`${read.kind} ${read.kind === "recorded" ? read.run.path.run : read.run}`);
    expect(found).toEqual([`recorded ${later.run}`, `unreadable ${place.run}`]);
  });
});
