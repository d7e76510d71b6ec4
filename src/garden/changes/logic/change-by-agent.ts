import { Failure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { contractKey } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { type LogicOperation, logicOfOperation } from "../../records/logic/operation-logic.ts";
import { staticReport } from "../../records/logic/static-report.ts";
import { attemptsTakenBack, type EarlierAttempt, earlierAttempts } from "./tried-before.ts";

/**
 * Additional rules for an agent's change of logic (Z-4, Z-5): it must pass the static check (L-8), must not have been
 * tried and taken back, and must not have been rejected by a person on the same evidence. People may do all of this,
 * because they see the report. Returns the failure, or undefined.
 */
export async function agentChangeProblem(
  garden: Garden,
  head: Oid,
  operation: LogicOperation,
): Promise<Failure | undefined> {
  const { agent: slug } = operation.payload;
  const tried =
    operation.action === "logic-rollback"
      ? await attemptsTakenBack(garden, slug, operation.payload.toVersion, head)
      : await triedIn(garden, head, operation);
  if (tried[0]) return triedFailure(tried[0]);
  return await unsound(garden, head, operation);
}

async function triedIn(garden: Garden, head: Oid, operation: LogicOperation): Promise<readonly EarlierAttempt[]> {
  const { agent: slug, rationale } = operation.payload;
  const { logic } = await worked(garden, head, operation);
  const tried = await earlierAttempts(garden, { slug, diagram: logic.diagram, procedure: logic.procedure }, head);
  const named = rationale.evidenceRuns.map((run) => run.toLowerCase());
  const isNew = ({ evidence }: EarlierAttempt): boolean => {
    const known = new Set(evidence.map((run) => run.toLowerCase()));
    return named.some((run) => !known.has(run));
  };
  return tried.filter((one) => one.kind !== "rejected" || !isNew(one));
}

/** The failing rows of the static check that did not fail before this change. */
async function unsound(garden: Garden, head: Oid, operation: LogicOperation): Promise<Failure | undefined> {
  const { agent: slug } = operation.payload;
  const { logic, state, mainFile, contract } = await worked(garden, head, operation);
  const rowsOf = async (of: typeof logic) =>
    (await staticReport(garden.store, slug, contract, { state, logic: of, mainFile })).rows;
  const standing = state && { ...logic, diagram: state.diagram, procedure: state.procedure };
  const before = new Set(
    (standing ? await rowsOf(standing) : []).flatMap((row) => (row.result === "fail" ? row.id : [])),
  );
  const failing = (await rowsOf(logic)).filter(({ id, result }) => result === "fail" && !before.has(id));
  if (failing.length === 0) return undefined;
  const rows = joined(
    failing.map(({ title, words }) => ({ en: `${title.en}: ${words.en}`, uk: `${title.uk}: ${words.uk}` })),
    "; ",
  );
  return new Failure("VALIDATION_FAILED", {
    en: `the changed logic does not hold: ${rows.en}`,
    uk: `змінена логіка не тримається: ${rows.uk}`,
    details: { agent: slug, checks: failing.map(({ id }) => id) },
  });
}

async function worked({ repo, store }: Garden, head: Oid, operation: LogicOperation) {
  const { agent: slug } = operation.payload;
  const stored = await store.get(contractKey(slug));
  const contract = stored?.bytes ?? new Uint8Array();
  const state = await findLogic(repo, head, slug);
  const mainFile = mainFileOf(Buffer.from(contract).toString());
  return {
    contract,
    state,
    mainFile,
    logic: await logicOfOperation({ repo, store }, head, operation, { state, mainFile }),
  };
}

const LOOP: Text = {
  en: "Write it to your open loops: a person will look at it.",
  uk: "Запиши це у відкриті питання: подивиться людина.",
};

function triedFailure({ kind, words, version, proposal }: EarlierAttempt): Failure {
  return new Failure("DUPLICATE_ENTRY", {
    en: `tried before: ${words.en}`,
    uk: `це вже пробували: ${words.uk}`,
    hint: LOOP,
    details: { tried: kind, version, proposal },
  });
}
