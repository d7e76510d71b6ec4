import { z } from "zod";
import { readContract } from "../../../domain/contract/contract.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import { readProgram } from "../../../drakon/diagram-program.ts";
import { analyse } from "../../../drakon/expression/analyse.ts";
import type { Store } from "../../../ports/store.ts";
import { diagramOf, readDiagrams } from "../agents/agent-diagrams.ts";
import { checkStatically } from "../agents/static-check.ts";
import { compareLogic } from "./compare-logic.ts";
import type { LogicState } from "./logic-state.ts";
import { type Logic, logicOfFiles } from "./proposed-logic.ts";

const text = z.strictObject({ uk: z.string(), en: z.string() });

/** L-8, the part of the report that needs no run. */
export const staticReportSchema = z.strictObject({
  /** Reachable, loops end, a bound on steps, nothing called or proposed beyond the contract. */
  rows: z.array(
    z.looseObject({ id: z.string(), title: text, result: z.enum(["pass", "fail", "warning", "skipped"]), words: text }),
  ),
  /** Tools that the change adds and removes. */
  tools: z.strictObject({ added: z.array(z.string()), removed: z.array(z.string()) }),
  behaviour: z.strictObject({ before: z.string().nullable(), after: z.string() }),
  summary: text,
  riskLevel: z.enum(["low", "medium", "high"]),
  reasons: z.array(text),
});
export type StaticReport = z.infer<typeof staticReportSchema>;

export async function staticReport(
  store: Store,
  slug: string,
  contractBytes: Uint8Array,
  of: { readonly state: LogicState | undefined; readonly logic: Logic; readonly mainFile: string },
): Promise<StaticReport> {
  const { state, logic, mainFile } = of;
  const reading = readContract(contractBytes);
  const stored = await readDiagrams(store, slug);
  const diagrams =
    logic.diagram === undefined
      ? stored.filter(({ file }) => file !== mainFile)
      : diagramsOfVersion(logic.diagram, mainFile, stored).map(({ file, text: drawn }) =>
          diagramOf(file, Buffer.from(drawn)),
        );
  const rows =
    reading.kind === "contract"
      ? checkStatically(
          { ...reading.contract, generated_from: logic.diagram === undefined ? undefined : mainFile },
          diagrams,
        ).rows
      : [];
  const comparison = compareLogic(state, logic);
  const [before, after] = [callsIn(state?.diagram), callsIn(logic.diagram)];
  return {
    rows: rows.map(({ id, title, result, words }) => ({ id, title, result, words })),
    tools: {
      added: [...after].filter((name) => !before.has(name)).toSorted(),
      removed: [...before].filter((name) => !after.has(name)).toSorted(),
    },
    behaviour: { before: state ? logicOfFiles(state).behaviour : null, after: logic.behaviour },
    summary: comparison.summary,
    riskLevel: comparison.riskLevel,
    reasons: [...comparison.reasons],
  };
}

function callsIn(diagram: string | undefined): Set<string> {
  if (diagram === undefined) return new Set();
  const { main, called } = readProgram(diagram);
  const trees = [main, ...called.values()].flatMap(({ tree }) => tree ?? []);
  return new Set(trees.flatMap((tree) => analyse(tree).calls.map(({ name }) => name)));
}
