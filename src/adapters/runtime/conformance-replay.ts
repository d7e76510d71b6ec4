import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { Failure } from "../../base/failure.ts";
import { isThorough } from "../../base/testing/tries.ts";
import type { Briefing } from "../../ports/runtime.ts";
import { end, type MakeRuntime, play, testTools } from "./conformance-setup.ts";
import { memoryJournal } from "./testing/memory-journal.ts";
import type { Script } from "./testing/scripted-model.ts";

const fails = async () => {
  throw new Failure("NOT_FOUND", { en: "not there", uk: "немає" });
};
const tools = () => testTools({ fails });
const script: Script = [
  { text: "I look.", calls: [{ tool: "look" }, { tool: "fails" }, { tool: "fly" }] },
  {
    calls: [
      { tool: "note", input: "{broken" },
      { tool: "note", input: { text: "x" }, id: "same" },
    ],
  },
  { calls: [{ tool: "note", input: { text: "y" }, id: "same" }] },
  { text: "Done." },
];

/** Recorded calls are not repeated (O-3). */
export function replayConformance(family: string, make: MakeRuntime): void {
  describe("replay", () => {
    it("O-3: a replay of a whole journal makes no call and gives the same result", async () => {
      const first = await play(make, { script, tools: tools() });
      const again = await play(make, {
        script,
        tools: tools(),
        journal: memoryJournal({ records: first.journal.records }),
      });
      expect({
        end: end(again.acted),
        live: again.journal.live,
        did: again.did,
        modelCalls: again.model.seen.length,
        acted: again.acted,
      }).toEqual({ end: 'answered "Done."', live: [], did: [], modelCalls: 0, acted: first.acted });
    });

    it("O-3: a replay of any prefix of a journal makes only the remaining calls", async () => {
      const first = await play(make, { script, tools: tools() });
      const { records } = first.journal;
      for (let kept = 0; kept <= records.length; kept++) {
        const journal = memoryJournal({ records: records.slice(0, kept) });
        const { acted } = await play(make, { script, tools: tools(), journal });
        expect({ kept, acted, live: journal.live, hashes: journal.records.map(({ hash }) => hash) }).toEqual({
          kept,
          acted: first.acted,
          live: records.slice(kept).map(({ name }) => name),
          hashes: records.map(({ hash }) => hash),
        });
      }
    });

    it.each<[string, Partial<Briefing>]>([
      ["instructions", { instructions: "You are a lumberjack." }],
      ["question", { prompt: "Fell the trees." }],
      ["temperature", { temperature: 0.9 }],
      ["model", { model: "offline/other" }],
    ])("O-3a: a replay with another %s than recorded makes no call", async (_, changes) => {
      const { journal } = await play(make, { script, tools: tools() });
      const again = await play(make, {
        script,
        briefing: changes,
        tools: tools(),
        journal: memoryJournal({ records: journal.records }),
      });
      expect({ end: end(again.acted), live: again.journal.live }).toEqual({
        end: "stopped needs-decision INVALID_TRANSITION",
        live: [],
      });
    });

    it("O-3a: a replay with other tools than recorded makes no call", async () => {
      const { journal } = await play(make, { script, tools: tools() });
      const again = await play(make, {
        script,
        tools: testTools(),
        journal: memoryJournal({ records: journal.records }),
      });
      expect({ end: end(again.acted), live: again.journal.live }).toEqual({
        end: "stopped needs-decision INVALID_TRANSITION",
        live: [],
      });
    });

    it("R-5: the record of a turn holds only what is new in it, so a journal grows linearly with the act", async () => {
      const { journal } = await play(make, {
        briefing: { maxTurns: 40 },
        script: (_, turn) =>
          turn < 39 ? { text: "on", calls: [{ tool: "look", id: `call_${turn + 10}` }] } : { text: "ok" },
      });
      const sizes = journal.records
        .filter(({ name }) => name === "model")
        .map(({ input }) => JSON.stringify(input).length);
      expect({ turns: sizes.length, sizes: new Set(sizes.slice(10)).size }).toEqual({ turns: 40, sizes: 1 });
    });
  });

  describe("kill -9", () => {
    const made: string[] = [];
    afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));
    const scratch = (): string => {
      made.push(mkdtempSync(join(tmpdir(), "bloom-acting-")));
      return made.at(-1)!;
    };

    it.each([
      [
        "a process killed in each of its calls repeats no finished call",
        isThorough ? POINTS : SOME_POINTS,
        'answered "Done."',
      ],
      [
        "a process killed during a call that must not be repeated asks for a decision, and makes no call",
        ["3-post.begun"],
        "stopped needs-decision INVALID_TRANSITION",
      ],
    ])("O-3: %s", { timeout: 120_000 }, async (_, points, expected) => {
      const dir = scratch();
      const died: unknown[] = [];
      for (const point of points) died.push((await acting(family, dir, point)).signal);
      const { stdout, stderr, signal } = await acting(family, dir, "none");
      const report = JSON.parse(readFileSync(join(dir, "report.json"), "utf8")) as { end: string; network: string[] };
      expect({ died, signal, report, output: stdout + stderr, repeated: repeatedIn(dir) }).toEqual({
        died: points.map(() => "SIGKILL"),
        signal: null,
        report: { end: expected, network: [] },
        output: "",
        repeated: [],
      });
    });
  });
}

/** A turn, a look, a post (not idempotent), a turn. A crash in the middle of the post is a separate case. */
const POINTS = ["1-model", "2-look", "3-post", "4-model"]
  .flatMap((step) => ["looked", "worked", "recorded"].map((point) => `${step}.${point}`))
  .filter((point) => !["3-post.worked"].includes(point));

/** One of each call; `npm run soak` kills at all of them. */
const SOME_POINTS = POINTS.filter((_, index) => index % 3 === 0);

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly signal: string | null;
}

const ACTING = fileURLToPath(new URL("testing/acting-process.ts", import.meta.url));

function acting(family: string, dir: string, point: string): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "bloom-acting-cache") };
    execFile(process.execPath, [ACTING, family, dir, point], { env }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, signal: error?.signal ?? null }),
    );
  });
}

/** Calls that a process repeated although they were on record. */
function repeatedIn(dir: string): string[] {
  const processes = readFileSync(join(dir, "effects"), "utf8").split("--- ").slice(1);
  return processes.flatMap((lines) => {
    const [found = "", ...made] = lines.trimEnd().split("\n");
    return made.filter((call) => found.split(" ").includes(call));
  });
}
