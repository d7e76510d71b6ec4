import { describe, expect, test } from "vitest";
import { type AnalysisRecord, onlyAnalysis, readAnalysis, withAnalysis } from "./logic-analysis.ts";
import { adoptedMeta, MAX_META_BYTES, metaText } from "./logic-meta.ts";

const meta = adoptedMeta({
  agentId: "a".repeat(63),
  logicVersion: "v007",
  activeSince: "2026-02-10T09:00:00Z",
  sourceProposal: "prop_2026-02-10_090000_abcdef",
});
const analysis = (over: Partial<AnalysisRecord> = {}): AnalysisRecord => ({
  agent: "archivist",
  version: "v007",
  behaviour: "b",
  by: "optimizer",
  run: "run_1",
  at: "2026-02-17T08:00:00.123Z",
  runs: 30,
  verdict: "problem",
  recommendation: "guard 12",
  ...over,
});

describe("Z-6 the optimizer fields of a meta", () => {
  test("an analysis sets the time to the second and the recommendation, within the size limit", () => {
    const full = { ...meta, runsOnThisVersion: 99_999, successRate: 0.1234, avgTokensPerRun: 123_456 };
    const written = metaText(withAnalysis(full, analysis({ recommendation: "threshold 123456789012" })));
    expect({ meta: JSON.parse(written), isWithinLimit: Buffer.byteLength(written) < MAX_META_BYTES }).toMatchObject({
      meta: { optimizerLastAnalysis: "2026-02-17T08:00:00Z", optimizerRecommendation: "threshold 123456789012" },
      isWithinLimit: true,
    });
  });

  test("an analysis of another version sets only the time; an older one changes nothing", () => {
    const once = withAnalysis(meta, analysis());
    expect({
      ofOtherVersion: withAnalysis(
        once,
        analysis({ version: "v006", at: "2026-02-18T08:00:00Z", recommendation: "none" }),
      ),
      older: withAnalysis(once, analysis({ at: "2026-02-16T08:00:00Z", recommendation: "none" })),
    }).toMatchObject({
      ofOtherVersion: { optimizerLastAnalysis: "2026-02-18T08:00:00Z", optimizerRecommendation: "guard 12" },
      older: { optimizerLastAnalysis: "2026-02-17T08:00:00Z", optimizerRecommendation: "guard 12" },
    });
  });

  const before = metaText(meta);
  const rows: [string, string | undefined, string | undefined, boolean][] = [
    ["what the optimizer says", before, metaText(withAnalysis(meta, analysis())), true],
    ["a figure beside it", before, metaText({ ...withAnalysis(meta, analysis()), runsOnThisVersion: 1 }), false],
    ["a damaged file", before, "{", false],
    ["a new file", undefined, before, false],
  ];
  test.each(rows)("P-8a a commit of analyses changes %s: %#", (_, then, now, expected) => {
    expect(onlyAnalysis(then, now)).toBe(expected);
  });

  test("a damaged record is not read", () => {
    const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
    expect({
      whole: readAnalysis(bytes(analysis())),
      invalid: readAnalysis(bytes({ ...analysis(), recommendation: "Rewrite it all!" })),
      torn: readAnalysis(Buffer.from("{")),
    }).toEqual({ whole: analysis(), invalid: undefined, torn: undefined });
  });
});
