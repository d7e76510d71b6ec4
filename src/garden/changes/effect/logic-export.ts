import type { Text } from "../../../base/text.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import type { Store } from "../../../ports/store.ts";
import { auditOf } from "../../core/audit.ts";
import { wholeSeconds } from "../../records/logic/adoption.ts";
import { exportedContract } from "../../records/logic/exported-contract.ts";
import type { LogicState } from "../../records/logic/logic-state.ts";
import { languageOf } from "../../records/logic/proposed-logic.ts";
import { projectLogic } from "../logic/project-logic.ts";
import type { EffectMoment, ObjectWrite, PreparedEffect, ReviewFile } from "./effect.ts";
import { effectId } from "./effect-id.ts";
import { fileChange } from "./file-change.ts";

/** The present `_agent.md`, and the diagram's file beside it. */
export interface ExportSource {
  readonly contract: string;
  /** The store's hash of `contract`. */
  readonly contractHash: string;
  readonly mainFile: string;
}

/**
 * D-6a: git has this logic already, and the files in the store differ. The version stays; the diagram's file,
 * `pseudocode.md` and the contract are written again from it. The contract is last, so that after a crash it is still the
 * change that the person reviewed; its former text goes into the audit first, because the store has no history.
 */
export async function repeatedExport(
  store: Store,
  state: LogicState,
  { contract, contractHash: replaces, mainFile }: ExportSource,
  { at, proposal }: EffectMoment,
): Promise<PreparedEffect> {
  const { slug, meta, procedure, diagram } = state;
  const writes: ObjectWrite[] = [];
  const review: ReviewFile[] = [];
  const bring = async (key: string, wanted: string): Promise<void> => {
    const stored = await store.get(key);
    const before = stored && Buffer.from(stored.bytes).toString();
    if (before === wanted) return;
    writes.push({ key, bytes: Buffer.from(wanted), replaces: stored?.hash });
    review.push(fileChange(`store:${key}`, before, wanted).review);
  };
  if (diagram !== undefined)
    for (const { file, text } of diagramsOfVersion(diagram, mainFile, [])) await bring(keys.diagram(slug, file), text);
  await bring(keys.pseudocode(slug), procedure);
  const exported = exportedContract({
    contract,
    version: meta.logicVersion,
    procedure,
    mainFile: diagram === undefined ? undefined : mainFile,
    language: languageOf(procedure) ?? "uk",
    at: wholeSeconds(at),
    overHand: true,
  });
  if (exported && exported.text !== contract) {
    const { write: kept } = auditOf(`${slug}-${proposal}-body-replaced`, {
      kind: "body-replaced",
      at: wholeSeconds(at),
      by: "gateway",
      subject: slug,
      why: `${meta.logicVersion} takes the place of a body that no version has`,
      details: { replaced: contract, proposal },
    });
    writes.push({ ...kept, replaces: undefined });
    writes.push({ key: contractKey(slug), bytes: Buffer.from(exported.text), replaces });
    review.unshift(fileChange(`store:${contractKey(slug)}`, contract, exported.text).review);
  }
  if (writes.length === 0) return { kind: "nothing", why: alreadySo(state) };
  return {
    kind: "ready",
    edits: [],
    objects: writes,
    project: (garden, by) => projectLogic(garden, slug, { by, cause: proposal }),
    review,
    effect: effectId([{ path: `store:${contractKey(slug)}`, what: [meta.logicVersion, contractHash(contract)] }]),
    merged: false,
    events: [actionTable["logic-update"].event],
    warnings: [onlyExported(state), ...(exported ? [] : [contractStays])],
  };
}

const alreadySo = ({ meta }: LogicState): Text => ({
  en: `${meta.logicVersion} says just this already`,
  uk: `${meta.logicVersion} уже каже саме це`,
});

const onlyExported = ({ meta }: LogicState): Text => ({
  en: `the logic stays ${meta.logicVersion}: only the agent's files are written again from it (their present text goes into the audit record)`,
  uk: `логіка лишається ${meta.logicVersion}: заново виводиться лише те, що дістає агент (теперішній текст збережеться в записі аудиту)`,
});

export const contractStays: Text = {
  en: "the front matter of _agent.md cannot be changed in place: the contract stays as it is until this is fixed",
  uk: "front matter у _agent.md не вдається змінити на місці: контракт лишиться таким, доки його не виправлять",
};
