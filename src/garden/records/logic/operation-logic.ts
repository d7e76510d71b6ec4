import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import { otherDiagrams } from "../../../drakon/called-logic.ts";
import { meaningErrors } from "../../../drakon/meaning.ts";
import type { Tree } from "../../../drakon/tree.ts";
import type { Garden } from "../../core/garden.ts";
import { readDiagrams } from "../agents/agent-diagrams.ts";
import { languageAt } from "./garden-language.ts";
import { type LogicState, logicOfVersion } from "./logic-state.ts";
import { badDiagram, type Logic, proposedLogic } from "./proposed-logic.ts";

export type LogicOperation = OperationOf<"logic-update"> | OperationOf<"logic-rollback">;

/** The logic that an operation asks for, at a commit. Throws VALIDATION_FAILED with all problems. */
export async function logicOfOperation(
  { repo, store }: Pick<Garden, "repo" | "store">,
  head: Oid,
  { action, payload }: LogicOperation,
  { state, mainFile }: { readonly state: LogicState | undefined; readonly mainFile: string },
): Promise<Logic> {
  const asked = action === "logic-update" ? payload : await oldLogic(repo, head, state, payload.toVersion);
  const logic = await proposedLogic({
    diagram: asked.diagram,
    pseudocode: asked.pseudocode,
    // A rollback ignores the current logic: a version without a diagram is restored without one.
    current: action === "logic-update" ? state : undefined,
    mainFile,
    // An old version does not hold the diagrams that it calls: a rollback to it keeps those of today.
    others: otherDiagrams(await readDiagrams(store, payload.agent), state, mainFile),
    language: await languageAt(repo, head),
  });
  // A rollback restores what was approved once, with its errors.
  const errors = action === "logic-update" && logic.tree ? programErrors(logic, logic.tree) : [];
  if (errors.length > 0) throw badDiagram(errors);
  return logic;
}

const programErrors = ({ called }: Logic, tree: Tree): Parameters<typeof badDiagram>[0] => [
  ...meaningErrors(tree),
  ...[...called].flatMap(([file, one]) => meaningErrors(one).map((found) => ({ ...found, file }))),
];

async function oldLogic(
  repo: Garden["repo"],
  head: Oid,
  state: LogicState | undefined,
  version: string,
): Promise<{ readonly diagram: string | undefined; readonly pseudocode: string }> {
  const old = state && (await logicOfVersion(repo, head, state, version));
  if (!old) throw unknownVersion(version, state);
  return { diagram: old.diagram, pseudocode: old.procedure };
}

export const unknownVersion = (version: string, state: LogicState | undefined): Failure => {
  const known = [...(state?.versions ?? [])].toSorted();
  return new Failure("NOT_FOUND", {
    en: `there is no version ${version} of this logic`,
    uk: `немає версії ${version} цієї логіки`,
    hint:
      known.length === 0
        ? { en: "The agent has no version yet.", uk: "Агент ще не має версій." }
        : { en: `There are: ${known.join(", ")}.`, uk: `Є: ${known.join(", ")}.` },
    details: { version, known },
  });
};
