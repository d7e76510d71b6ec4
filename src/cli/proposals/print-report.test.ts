import { expect, test } from "vitest";
import type { CounterfactualRow } from "../../domain/logic/counterfactual-report.ts";
import type { LogicReportRecord } from "../../garden/records/logic/report-gate.ts";
import { styleFor } from "../style.ts";
import { logicReportText } from "./print-report.ts";

const place = (icon: string, text: string) => ({ diagram: "main-flow.drakon.json", icon, text });
const row = (run: string, rest: Partial<CounterfactualRow> & Pick<CounterfactualRow, "kind">): CounterfactualRow => ({
  run,
  version: "v001",
  status: "completed",
  certainty: "fact",
  ...rest,
});

test("L-8 the table shows for each run what the proposed logic would have changed, in both languages", () => {
  const rows = [
    row("run_a", {
      kind: "parts",
      at: place("7", "n > 3"),
      end: { kind: "endless", at: place("9", "n ← 1") },
      proposals: { recorded: 2, lost: 2, gained: 0, undecided: 0 },
    }),
    row("run_b", {
      kind: "avoids",
      at: place("7", "n > 3"),
      failure: { call: "read-context", code: "NOT_FOUND", why: { en: "no", uk: "ні" }, at: place("4", "x\u001b[31m") },
    }),
    row("run_c", { kind: "cannot-tell", certainty: "claim", why: { en: "because", uk: "бо" } }),
    row("run_d", { kind: "unreadable", why: { en: "deleted", uk: "видалено" } }),
  ];
  const totals = {
    runs: 5,
    same: 1,
    parts: 1,
    avoids: 1,
    cannot_tell: 1,
    unreadable: 1,
    facts: 3,
    claims: 1,
    proposals: { recorded: 3, lost: 2, gained: 0, undecided: 1 },
  };
  const report = {
    static: { riskLevel: "low" },
    counterfactual: { program: "p", most_steps: 200, totals, icons: [], rows },
  } as unknown as LogicReportRecord;
  const { en, uk } = logicReportText(report, styleFor(false));
  expect(en.split("\n")).toEqual([
    "Recorded runs with the proposed logic (5)",
    "  same 1   different path 1   failure avoided 1   unknown 1   unreadable 1",
    "  recorded proposals 3: 2 lost, 0 gained, 1 unknown",
    "  recorded / claimed: 3 / 1   risk: low",
    "",
    "  run_a  differs at [7] n > 3; does not end within 200 steps [9] n ← 1; proposals −2",
    expect.stringMatching(
      /^ {2}run_b {2}differs at \[7\] n > 3; would not have reached read-context NOT_FOUND \[4\] x[^\u001b]*$/,
    ),
    "  run_c  unknown from (claimed by the model); because",
    "  run_d  unreadable; deleted",
    expect.stringContaining("Assumes the same answers"),
  ]);
  expect(uk).toContain("run_d  не читається; видалено");
});
