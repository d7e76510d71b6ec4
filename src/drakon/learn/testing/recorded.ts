import type { Json } from "../../../base/canonical.ts";
import type { JudgedPath } from "../../../domain/run/run-path.ts";
import type { Diagram } from "../../diagram/diagram.ts";
import { diagramFromTree } from "../../from-tree/diagram-from-tree.ts";
import { structure } from "../../structure/structure.ts";
import { type Program } from "../../walk/frame.ts";
import { type WalkInput, WalkMachine } from "../../walk/machine.ts";
import { answerTo, type JournalEntry, type Request } from "../../walk/request.ts";
import { programOf, treeOf } from "../../walk/testing/procedures.ts";
import type { Evidence } from "../evidence.ts";

/** A procedure as diagram and program. */
export function drawnProcedure(text: string): { readonly diagram: Diagram; readonly program: Program } {
  const diagram = diagramFromTree(treeOf(text));
  return { diagram, program: programOf(structure(diagram).tree!) };
}

/** Evidence of one run. `answer` gives the tool results (undefined: the call fails); `rejected`: its proposal is rejected. */
export function recorded(
  program: Program,
  run: string,
  input: WalkInput,
  answer: (request: Request) => Json | undefined,
  rejected = false,
): Evidence {
  const machine = new WalkMachine(program, input);
  const journal: JournalEntry[] = [];
  let failedAt: Request | undefined;
  const calls = new Set<string>();
  for (let [request] = machine.requests; request; [request] = machine.requests) {
    calls.add(`${request.icon} ${request.visit}`);
    const value = answer(request);
    if (value === undefined) {
      failedAt = request;
      break;
    }
    journal.push(answerTo(request, value));
    machine.answer(journal.at(-1)!, journal.length - 1);
  }
  const failed = failedAt !== undefined || machine.end?.kind === "failed";
  const path: JudgedPath = {
    run,
    version: null,
    behaviour: null,
    certainty: "fact",
    passed: machine.trace.map(({ diagram, icon, visit, answer: given }) => ({
      diagram,
      icon,
      ...(given !== undefined && { answer: given }),
      calls: Number(calls.has(`${icon} ${visit}`)),
      tokens: calls.has(`${icon} ${visit}`) ? 100 : 0,
      ms: 1,
      failed: failedAt?.icon === icon && failedAt.visit === visit,
      proposals: [],
    })),
    status: failed ? "failed" : "completed",
    outcome: failed ? { kind: "failed", reason: "x" } : { kind: "effects", proposals: [`${run}-p`] },
    tokens: calls.size * 100,
    logicIssue: false,
    verdict: failed || rejected ? "bad" : "good",
  };
  return { path, input, journal };
}
