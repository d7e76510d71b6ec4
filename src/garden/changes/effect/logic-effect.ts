import { Failure, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { contractKey, logicPath } from "../../../domain/layout.ts";
import { versionAfter } from "../../../domain/logic/logic-version.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { Rationale } from "../../../domain/proposal/operation.ts";
import { noAgent } from "../../records/agents/read-agent.ts";
import { adoptionFiles, wholeSeconds } from "../../records/logic/adoption.ts";
import { compareLogic } from "../../records/logic/compare-logic.ts";
import { contractOrigin, mainFileOf } from "../../records/logic/contract-origin.ts";
import { evidenceProblem } from "../../records/logic/evidence.ts";
import { exportedContract } from "../../records/logic/exported-contract.ts";
import { languageAt } from "../../records/logic/garden-language.ts";
import { findHandChange } from "../../records/logic/hand-change.ts";
import { findLogic, type LogicState, logicTextAt } from "../../records/logic/logic-state.ts";
import { type LogicOperation, logicOfOperation } from "../../records/logic/operation-logic.ts";
import { projectLogic } from "../logic/project-logic.ts";
import type { EffectContext, EffectHandler, PreparedEffect, ReviewFile } from "./effect.ts";
import { effectId } from "./effect-id.ts";
import { fileChange } from "./file-change.ts";
import { contractStays, repeatedExport } from "./logic-export.ts";

/** L-3: a new version of an agent's logic, as the eight steps of source 000 §6.2 in one commit. */
export const logicUpdateHandler: EffectHandler<"logic-update"> = {
  prepare: (context, operation) => refusing(() => adoptionEffect(context, operation)),
};

/** L-7: a rollback is a new version with the old content and its behaviour id. */
export const logicRollbackHandler: EffectHandler<"logic-rollback"> = {
  prepare: (context, operation) => refusing(() => adoptionEffect(context, operation)),
};

interface LogicToChange {
  readonly state: LogicState | undefined;
  readonly mainFile: string;
  /** The present `_agent.md`, and the store's hash of it. */
  readonly contract: string;
  readonly contractHash: string;
}

/**
 * The logic that is to be changed. Throws if it changed since the proposal: a logic change never merges, it is proposed
 * anew (P-7).
 */
async function logicToChange(
  { garden, head, base, moment }: EffectContext,
  payload: { readonly agent: string; readonly currentVersion?: string | undefined; readonly rationale: Rationale },
): Promise<LogicToChange> {
  const { agent: slug } = payload;
  const stored = await garden.store.get(contractKey(slug));
  if (!stored) throw noAgent(slug);
  const contract = Buffer.from(stored.bytes).toString();
  const state = await findLogic(garden.repo, head, slug);
  const found = state?.meta.logicVersion;
  if (payload.currentVersion !== found) throw stale(slug, payload.currentVersion, found);
  if (base !== head) {
    for (const part of ["diagram", "pseudo"] as const) {
      const path = logicPath.current(slug, part);
      const [then, now] = [await logicTextAt(garden.repo, base, path), await logicTextAt(garden.repo, head, path)];
      if (then !== now) throw stale(slug, payload.currentVersion, found);
    }
  }
  if (state && (await findHandChange(garden.repo, head, slug))) throw unnoticed(slug);
  const problem = await evidenceProblem(garden.store, {
    slug,
    evidence: payload.rationale.evidenceRuns,
    first: state === undefined,
    byOwner: moment.by === "owner" && moment.agent === undefined,
    proposal: moment.proposal,
  });
  if (problem) throw problem;
  return { state, mainFile: mainFileOf(contract), contract, contractHash: stored.hash };
}

async function adoptionEffect(context: EffectContext, operation: LogicOperation): Promise<PreparedEffect> {
  const { garden, head, moment } = context;
  const { action, payload } = operation;
  const ground = await logicToChange(context, payload);
  const { state, mainFile, contract, contractHash } = ground;
  const logic = await logicOfOperation(garden, head, operation, { state, mainFile });
  const slug = payload.agent;
  if (state && state.diagram === logic.diagram && state.procedure === logic.procedure)
    return repeatedExport(garden.store, state, ground, moment);
  const version = versionAfter(state?.versions ?? []);
  const from = state?.meta.logicVersion ?? "v000";
  const comparison = compareLogic(state, logic);
  const run = action === "logic-update" ? payload.optimizerRunId : undefined;
  const files = adoptionFiles(state, {
    slug,
    version,
    diagram: logic.diagram,
    procedure: logic.procedure,
    at: wholeSeconds(moment.at),
    source: moment.proposal,
    initiator: run === undefined ? moment.by : `${moment.by} (${run})`,
    rationale: payload.rationale,
    comparison: comparison.summary,
    rollbackTo: action === "logic-rollback" ? payload.toVersion : undefined,
    language: await languageAt(context.garden.repo, context.head),
  });
  const { byHand } = contractOrigin(contract);
  const exported = exportedContract({
    contract,
    version,
    procedure: logic.procedure,
    mainFile: logic.diagram === undefined ? undefined : mainFile,
    language: logic.language,
    at: wholeSeconds(moment.at),
    overHand: true,
  });
  return {
    kind: "ready",
    edits: [...files].map(([path, text]) => ({ path, bytes: text === undefined ? undefined : Buffer.from(text) })),
    objects: [],
    // Only the body that the person saw is replaced, never a later one (D-6a).
    project: (open, by) =>
      projectLogic(open, slug, { overHand: byHand ? contractHash : undefined, by, cause: moment.proposal }),
    subject: `${action}: ${slug} ${from}→${version} / ${moment.proposal}`,
    review: reviewOf(files, ground, comparison.text, exported?.text),
    effect: effectId([
      {
        path: logicPath.current(slug, "pseudo"),
        what: [from, version, logic.diagram ?? "", logic.procedure, byHand ? contractHash : ""],
      },
    ]),
    merged: false,
    events: [actionTable[action].event],
    warnings: [...logic.warnings, ...(byHand ? [bodyByHand] : []), ...(exported ? [] : [contractStays])],
  };
}

/** The most important first: the procedure, the diagram, the reason; then the contract derived from them, then the rest. */
function reviewOf(
  files: ReadonlyMap<string, string | undefined>,
  { state, contract }: LogicToChange,
  summary: Text,
  exported: string | undefined,
): ReviewFile[] {
  const before = new Map<string, string | undefined>();
  if (state) {
    before.set(logicPath.current(state.slug, "diagram"), state.diagram);
    before.set(logicPath.current(state.slug, "pseudo"), state.pseudo);
    before.set(logicPath.current(state.slug, "meta"), state.metaText);
    before.set(logicPath.changelog(state.slug), state.changelog);
  }
  const order = (path: string): number =>
    ["current.pseudo.md", "current.drakon.json", "rationale.md", "changelog.md", ""].findIndex((end) =>
      path.endsWith(end),
    );
  const shown = [...files]
    .toSorted(([a], [b]) => order(a) - order(b))
    .flatMap(([path, text]) => {
      const old = before.get(path);
      if (old === text) return [];
      const { review } = fileChange(path, old, text);
      return [path.endsWith("current.drakon.json") ? { ...review, summary } : review];
    });
  const slug = [...files.keys()][0]!.split("/")[1]!;
  if (exported !== undefined && exported !== contract)
    shown.splice(3, 0, fileChange(`store:${contractKey(slug)}`, contract, exported).review);
  return shown;
}

async function refusing(prepare: () => Promise<PreparedEffect>): Promise<PreparedEffect> {
  try {
    return await prepare();
  } catch (error) {
    // An unavailable store or repository says nothing about the wish.
    if (!isFailure(error) || error.code === "UPSTREAM_UNAVAILABLE" || error.code === "INTERNAL_ERROR") throw error;
    return { kind: "refused", failure: error };
  }
}

const stale = (slug: string, expected: string | undefined, found: string | undefined): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the logic of ${slug} is at ${found ?? "no version yet"}, and this change was made for ${expected ?? "none"}`,
    uk: `логіка ${slug} — ${found ?? "ще без версії"}, а цю зміну зроблено для ${expected ?? "жодної"}`,
    hint: {
      en: "A change of logic is never merged: look at the current version and propose it anew.",
      uk: "Зміни логіки не зливаються: перегляньте поточну версію і запропонуйте зміну заново.",
    },
    details: { agent: slug, expected: expected ?? null, current: found ?? null },
  });

const unnoticed = (slug: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the logic of ${slug} was changed by hand in git and is not a version yet`,
    uk: `хтось змінив логіку ${slug} у git вручну, і це ще не стало версією`,
    hint: {
      en: "It is recorded when the garden is served (`bloom up`), unless `bloom verify` finds fault with it; then propose this anew.",
      uk: "Це буде записано, коли сад запустять (`bloom up`), якщо `bloom verify` не знайде вади; тоді запропонуйте зміну заново.",
    },
    details: { agent: slug },
  });

const bodyByHand: Text = {
  en: "the body of _agent.md says that it was changed by hand; applying replaces it by what the diagram says (the old text stays in the audit record)",
  uk: "тіло _agent.md каже, що його змінено вручну; застосування замінить його тим, що каже діаграма (старий текст лишиться в записі аудиту)",
};
