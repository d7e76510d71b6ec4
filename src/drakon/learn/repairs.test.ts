import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import { structure } from "../structure/structure.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Request } from "../walk/request.ts";
import { analyseRuns } from "./analyse.ts";
import { repairs } from "./repairs.ts";
import { drawnProcedure, recorded } from "./testing/recorded.ts";

interface Fault {
  readonly fault: string;
  readonly lines: readonly string[];
  /** Results of tools in a run; undefined: the call fails. */
  readonly answer: (name: string, run: number, request: Request) => Json | undefined;
  readonly rejected?: (run: number) => boolean;
  readonly icon: string;
  readonly kind: string;
  readonly mended: readonly string[];
}

const often = (run: number): boolean => run % 3 === 0;
const proposal = (name: string): Json | undefined => (name === "create-proposal" ? { proposal: "p" } : undefined);
const last = 'create-proposal(type: "propose-note", path: "notes/n.md", content: "Done: " + out)';

const faults: readonly Fault[] = [
  {
    fault: "a missing guard",
    lines: ['out ← "none"', "hits ← find-all(topic)", "out ← digest(hits)", last],
    answer: (name, run, { payload }) => {
      if (name === "find-all") return often(run) ? [] : ["a", "b"];
      return name === "digest" ? ((payload["args"] as Json[][])[0]!.length === 0 ? undefined : "d") : proposal(name);
    },
    icon: "out ← digest(hits)",
    kind: "guard",
    mended: ['out ← "none"', "hits ← find-all(topic)", "IF not hits is empty", "  out ← digest(hits)", last],
  },
  {
    fault: "a wrong order",
    lines: ["out ← query-index(topic)", "refresh-index(topic)", last],
    answer: (name, run) => {
      if (name === "query-index") return often(run) ? undefined : "hit";
      return name === "refresh-index" ? null : proposal(name);
    },
    icon: "out ← query-index(topic)",
    kind: "reorder",
    mended: ["refresh-index(topic)", "out ← query-index(topic)", last],
  },
  {
    fault: "a redundant step",
    lines: ["idle ← look-up(topic)", "out ← make(topic)", last],
    answer: (name) => (name === "look-up" ? "sky" : name === "make" ? "made" : proposal(name)),
    icon: "idle ← look-up(topic)",
    kind: "remove",
    mended: ["out ← make(topic)", last],
  },
  {
    fault: "a wrong threshold",
    lines: ["score ← rate(topic)", "IF score > 20", "  out ← publish(topic)", "ELSE", "  out ← shelve(topic)", last],
    answer: (name, run) => (name === "rate" ? (run * 7) % 100 : (proposal(name) ?? name)),
    rejected: (run) => (run * 7) % 100 > 20 && (run * 7) % 100 <= 50,
    icon: "score > 20",
    kind: "threshold",
    mended: ["score ← rate(topic)", "IF score > 50", "  out ← publish(topic)", "ELSE", "  out ← shelve(topic)", last],
  },
  {
    fault: "a call inside a loop that asks the same in every round",
    lines: [
      'out ← ""',
      "hits ← find-all(topic)",
      "FOR EACH hit IN hits",
      "  style ← look-up(topic)",
      "  out ← out + make(hit, style)",
      last,
    ],
    answer: (name) =>
      name === "find-all" ? ["a", "b", "c"] : name === "look-up" ? "sky" : name === "make" ? "x" : proposal(name),
    icon: "style ← look-up(topic)",
    kind: "reorder",
    mended: [
      'out ← ""',
      "hits ← find-all(topic)",
      "style ← look-up(topic)",
      "FOR EACH hit IN hits",
      "  out ← out + make(hit, style)",
      last,
    ],
  },
  {
    fault: "a question without its second condition",
    lines: ["doc ← open(topic)", "IF doc.words > 20", "  out ← publish(topic)", "ELSE", "  out ← shelve(topic)", last],
    answer: (name, run) =>
      name === "open"
        ? { words: run % 2 === 0 ? 50 : 10, state: run % 4 === 0 ? "draft" : "final" }
        : (proposal(name) ?? name),
    rejected: (run) => run % 4 === 0,
    icon: "doc.words > 20",
    kind: "guard",
    mended: [
      "doc ← open(topic)",
      'IF doc.words > 20 and doc.state ≠ "draft"',
      "  out ← publish(topic)",
      "ELSE",
      "  out ← shelve(topic)",
      last,
    ],
  },
  {
    fault: "a check of a list's items that is missing",
    lines: ['out ← "kept"', "doc ← open(topic)", "out ← publish(doc)", last],
    answer: (name, run) =>
      name === "open" ? { tags: often(run) ? ["a", "private"] : ["a", `b${run % 2}`] } : (proposal(name) ?? name),
    rejected: often,
    icon: "out ← publish(doc)",
    kind: "guard",
    mended: ['out ← "kept"', "doc ← open(topic)", 'IF not doc.tags contains "private"', "  out ← publish(doc)", last],
  },
  {
    fault: "a missing comparison of two values",
    lines: ['out ← "full"', "size ← rate(topic)", "room ← look-up(topic)", "out ← store(size)", last],
    answer: (name, run) => {
      const size = 10 + ((run * 7) % 50);
      if (name === "rate") return size;
      if (name === "look-up") return size + (often(run) ? -1 - (run % 4) : run % 5);
      return name === "store" ? (often(run) ? undefined : "stored") : proposal(name);
    },
    icon: "out ← store(size)",
    kind: "guard",
    mended: [
      'out ← "full"',
      "size ← rate(topic)",
      "room ← look-up(topic)",
      "IF size ≤ room",
      "  out ← store(size)",
      last,
    ],
  },
  {
    fault: "a preparation behind the loop that needs it",
    lines: [
      'out ← ""',
      "hits ← find-all(topic)",
      "FOR EACH hit IN hits",
      "  out ← out + query-index(hit, topic)",
      "refresh-index(topic)",
      last,
    ],
    answer: (name, run) => {
      if (name === "find-all") return ["a", "b"];
      if (name === "query-index") return often(run) ? undefined : "hit";
      return name === "refresh-index" ? null : proposal(name);
    },
    icon: "out ← out + query-index(hit, topic)",
    kind: "reorder",
    mended: [
      'out ← ""',
      "hits ← find-all(topic)",
      "refresh-index(topic)",
      "FOR EACH hit IN hits",
      "  out ← out + query-index(hit, topic)",
      last,
    ],
  },
  {
    fault: "a needless branch",
    lines: ["doc ← open(topic)", 'IF NOT doc.kind = "memo"', "  doc ← proof-read(doc)", "out ← hand-in(doc)", last],
    answer: (name, run) => {
      if (name === "open") return { kind: often(run) ? "memo" : "letter", n: run };
      return name === "proof-read" ? { kind: "letter", n: run, read: true } : (proposal(name) ?? "in");
    },
    rejected: often,
    icon: 'doc.kind = "memo"',
    kind: "simplify",
    mended: ["doc ← open(topic)", "doc ← proof-read(doc)", "out ← hand-in(doc)", last],
  },
];

const READERS = new Set(["find-all", "digest", "query-index", "look-up", "make", "rate", "open", "proof-read"]);
const onlyReads = (tool: string): boolean => READERS.has(tool);
const textOf = (lines: readonly string[]): string =>
  ['BEGIN "p"', "  PARAMETERS: topic", ...lines.map((line) => `  ${line}`), "END", ""].join("\n");

describe("a fault is located, and repaired by an edit of the diagram", () => {
  test.each(faults)("Z-3 $fault", ({ lines, answer, rejected, icon, kind, mended }) => {
    const { diagram, program } = drawnProcedure(textOf(lines));
    const runs = Array.from({ length: 40 }, (_, run) =>
      recorded(
        program,
        `run-${run}`,
        { topic: "t" },
        (request) => answer(request.name, run, request),
        rejected?.(run) ?? false,
      ),
    );
    const { alarm, findings } = analyseRuns(runs, program, { onlyReads });
    const [first] = findings;
    expect({ alarm, text: diagram.icons.get(first!.icon)?.text }).toEqual({ alarm: true, text: icon });
    const [best] = repairs(first!, diagram, runs, program, { onlyReads });
    const text = (lines_: readonly string[]): string =>
      renderPseudocode(structure(drawnProcedure(textOf(lines_)).diagram).tree!, { language: "en" }).text;
    expect(best!.kind).toBe(kind);
    expect(renderPseudocode(structure(best!.diagram).tree!, { language: "en" }).text).toBe(text(mended));
    expect(best!.expected.badAfter).toBeLessThanOrEqual(best!.expected.bad);
  });
});

describe("runs with little evidence give no more than it supports", () => {
  const { program } = drawnProcedure(textOf(faults[0]!.lines));
  const runs = Array.from({ length: 40 }, (_, run) =>
    recorded(program, `run-${run}`, { topic: "t" }, (request) => faults[0]!.answer(request.name, run, request)),
  );
  const icon = (one: { findings: readonly { icon: string }[] }): string | undefined => one.findings[0]?.icon;
  const whole = icon(analyseRuns(runs, program, { onlyReads }));

  test("Z-3 without journals, the visited icons still show where runs fail", () => {
    const bare = runs.map(({ path }) => ({ path: { ...path, certainty: "claim" as const } }));
    const found = analyseRuns(bare, program, { onlyReads });
    expect({ icon: icon(found), when: found.findings[0]!.when }).toEqual({ icon: whole, when: undefined });
  });

  test.each([
    [
      "without a decision",
      runs.map((run) => ({ ...run, path: { ...run.path, status: "completed" as const, verdict: "open" as const } })),
    ],
    ["that were cancelled", runs.map((run) => ({ ...run, path: { ...run.path, status: "cancelled" as const } }))],
    ["in an empty list", []],
  ])("Z-3 runs %s give no finding", (_, silent) => {
    expect(analyseRuns(silent, program)).toEqual({
      runs: 0,
      failures: 0,
      rejections: 0,
      tokensPerRun: 0,
      alarm: false,
      findings: [],
    });
  });

  test("Z-3 unknown icons and journals of another diagram are ignored", () => {
    const other = drawnProcedure(textOf(faults[3]!.lines)).program;
    const { alarm, findings } = analyseRuns(runs, other, { onlyReads });
    expect(findings.every(({ when }) => when === undefined)).toBe(true);
    expect({ alarm, words: typeof findings[0]?.words.uk }).toEqual({ alarm: true, words: "string" });
  });

  test("Z-3 a place that merely goes with the trouble of another one gets no repair", () => {
    const { diagram } = drawnProcedure(textOf(faults[0]!.lines));
    const [first] = analyseRuns(runs, program, { onlyReads }).findings;
    const repaired = (change: object): number =>
      repairs({ ...first!, ...change }, diagram, runs, program, { onlyReads }).length;
    expect([repaired({}) > 0, repaired({ confidence: 0.01 }), repaired({ pValue: 1 })]).toEqual([true, 0, 0]);
  });

  test("Z-3 a fault without a repair gets no proposal", () => {
    const lines = ["out ← fetch(topic)", last];
    const flaky = drawnProcedure(textOf(lines));
    const failing = Array.from({ length: 40 }, (_, run) =>
      recorded(flaky.program, `run-${run}`, { topic: "t" }, ({ name }) =>
        name === "fetch" && often(run) ? undefined : (proposal(name) ?? "x"),
      ),
    );
    const [first] = analyseRuns(failing, flaky.program).findings;
    expect(flaky.diagram.icons.get(first!.icon)?.text).toBe("out ← fetch(topic)");
    expect(repairs(first!, flaky.diagram, failing, flaky.program)).toEqual([]);
  });
});
