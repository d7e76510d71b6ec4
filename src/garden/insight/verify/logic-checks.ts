import type { Text } from "../../../base/text.ts";
import { contractFile, frontValue } from "../../../domain/contract/contract-file.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { contractKey, keys, logicPath, tree } from "../../../domain/layout.ts";
import { MAX_META_BYTES, readMeta } from "../../../domain/logic/logic-meta.ts";
import { procedureOf, readPseudo } from "../../../domain/logic/logic-pseudo.ts";
import { versionNumber, versionOfPath } from "../../../domain/logic/logic-version.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import { readProgram } from "../../../drakon/diagram-program.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import { driftIn } from "../../records/agents/agent-diagrams.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { logicIn } from "../../records/logic/exported-contract.ts";
import {
  agentsWithLogic,
  archiveAt,
  findLogic,
  type LogicState,
  logicTextAt,
} from "../../records/logic/logic-state.ts";
import { isConsistentLogic } from "../../records/logic/proposed-logic.ts";
import { approvedWithReport } from "../../records/logic/report-gate.ts";
import { type Check, type CheckFinding, mainOf, subjects } from "./check.ts";

/**
 * L-1, verified from history: every file that was ever archived is at main with its first bytes. A file that a revert removed and the
 * gateway restored (L-7) is fine; a changed or missing one is a finding.
 */
export const versionsCheck: Check = {
  id: "logic-versions",
  rule: "L-1",
  title: { en: "archived versions of logic never changed", uk: "архівні версії логіки ніколи не змінювалися" },
  async *run(garden) {
    const main = await mainOf(garden);
    if (!main) return;
    const { repo, head } = main;
    const first = new Map<string, Oid>();
    for (const commit of (await repo.history(head, tree.logic)).toReversed()) {
      for (const { path, after } of await repo.changes(commit.parents[0], commit.oid, tree.logic)) {
        if (after && ARCHIVED.test(path) && !first.has(path)) first.set(path, after.oid);
      }
    }
    const now = new Map((await repo.list(head, tree.logic)).map(({ path, oid }) => [path, oid]));
    for (const [path, oid] of [...first].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const there = now.get(path);
      if (there === undefined) yield { where: path, what: removed };
      else if (there !== oid) yield { where: path, what: changed };
    }
  },
};

const ARCHIVED = /^logic\/[^/]+\/versions\/v\d{3}\./;

/** L-1a: meta, header, procedure and diagram of the current logic agree. */
export const currentCheck: Check = {
  id: "logic-current",
  rule: "L-1a",
  title: { en: "the current logic is of one piece", uk: "поточна логіка узгоджена" },
  async *run(garden) {
    const main = await mainOf(garden);
    if (!main) return;
    for (const slug of await agentsWithLogic(main.repo, main.head)) yield* currentFindings(main.repo, main.head, slug);
  },
};

/** L-2: diagram, pseudocode and contract in the store match git. Contradictions inside the store are reported by driftCheck (D-6). */
export const projectionCheck: Check = {
  id: "logic-projection",
  rule: "L-2",
  title: { en: "agents follow the logic that git has", uk: "агенти виконують логіку, що є в git" },
  async *run(garden) {
    const main = await mainOf(garden);
    if (!main || garden.store.kind === "failed") return;
    for (const slug of await agentsWithLogic(main.repo, main.head)) {
      const state = await findLogic(main.repo, main.head, slug).catch(() => undefined);
      // currentCheck reports inconsistent logic.
      if (state && isConsistentLogic(state)) yield* projectionFindings(garden.store.value, state);
    }
  },
};

async function* currentFindings(repo: Repo, head: Oid, slug: string): AsyncGenerator<CheckFinding> {
  const paths = { meta: logicPath.current(slug, "meta"), pseudo: logicPath.current(slug, "pseudo") };
  const metaText = await logicTextAt(repo, head, paths.meta);
  const pseudo = await logicTextAt(repo, head, paths.pseudo);
  const diagram = await logicTextAt(repo, head, logicPath.current(slug, "diagram"));
  const meta = metaText === undefined ? undefined : readMeta(metaText);
  if (metaText === undefined || !meta || meta.agentId !== slug) yield { where: paths.meta, what: badMeta };
  else if (Buffer.byteLength(metaText) >= MAX_META_BYTES) yield { where: paths.meta, what: largeMeta };
  else if (await isSetBack(repo, head, slug, versionNumber(meta.logicVersion)))
    yield { where: paths.meta, what: setBack };
  if (pseudo === undefined) return yield { where: paths.pseudo, what: noPseudo };
  const header = readPseudo(pseudo);
  if (meta && (header?.version !== meta.logicVersion || header.agentId !== slug))
    yield { where: paths.pseudo, what: otherHeader };
  if (diagram === undefined) return;
  const { main, behaviour } = readProgram(diagram);
  if (!main.tree || behaviour === undefined) yield { where: logicPath.current(slug, "diagram"), what: brokenDiagram };
  else if (!isConsistentLogic({ diagram, procedure: procedureOf(pseudo) }))
    yield { where: paths.pseudo, what: otherText };
}

/** The archive has a version that is not older than the current one: the number was set back. */
async function isSetBack(repo: Repo, head: Oid, slug: string, current: number): Promise<boolean> {
  for (const path of (await archiveAt(repo, head, slug)).keys()) {
    const version = versionOfPath(path);
    const limit = path.endsWith(".rationale.md") ? current : current - 1;
    if (version !== undefined && versionNumber(version) > limit) return true;
  }
  return false;
}

async function* projectionFindings(store: Store, state: LogicState): AsyncGenerator<CheckFinding> {
  const { slug, meta, diagram, procedure } = state;
  const contract = await objectText(store, contractKey(slug));
  const file = contract === undefined ? undefined : contractFile(contract);
  if (contract === undefined || !file) return;
  if (frontValue(file, "logic_version") !== meta.logicVersion)
    return yield { where: `store:${contractKey(slug)}`, what: otherVersion(meta.logicVersion) };
  const generatedFrom = frontValue(file, "generated_from");
  if ((await driftIn(store, { slug, text: contract, generatedFrom })).length > 0) return;
  if (diagram !== undefined) {
    for (const { file: drawn, text } of diagramsOfVersion(diagram, mainFileOf(contract), [])) {
      const key = keys.diagram(slug, drawn);
      if ((await objectText(store, key)) !== text) return yield { where: `store:${key}`, what: notGits };
    }
  }
  if (tidy((await objectText(store, keys.pseudocode(slug))) ?? "") !== tidy(procedure))
    yield { where: `store:${keys.pseudocode(slug)}`, what: notGits };
  else if (tidy(logicIn(contract, diagram !== undefined) ?? "") !== tidy(procedure))
    yield { where: `store:${contractKey(slug)}`, what: notGits };
}

async function objectText(store: Store, key: string): Promise<string | undefined> {
  const stored = await store.get(key);
  return stored && Buffer.from(stored.bytes).toString();
}

const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim()
    .normalize("NFC");

const removed: Text = {
  en: "this file of the archive was removed; a running garden restores it (`bloom up`)",
  uk: "цей файл архіву вилучено; сад, що працює, поверне його (`bloom up`)",
};
const changed: Text = {
  en: "this file of the archive was changed later; its `git log` shows when and by whom",
  uk: "цей файл архіву змінено після появи; коли й ким — покаже його `git log`",
};
/** L-8 for all approved proposals: finds an approval that bypassed the gate. */
export const reportsCheck: Check = {
  id: "logic-reports",
  rule: "L-8",
  title: {
    en: "no change of logic was approved without its report",
    uk: "жодну зміну логіки не схвалено без звіту про неї",
  },
  async *run({ store }, scan) {
    if (store.kind === "failed") return;
    for (const [id, facts] of await scan.proposals()) {
      if (facts.kind === "damaged" || !facts.digestHolds || !facts.decisionHolds) continue;
      if (await approvedWithReport(store.value, facts.proposal)) continue;
      const follows = [subjects.object(keys.logicReport(facts.proposal.digest))];
      yield { where: `store:${keys.proposalLog(id)}`, what: noReport, follows };
    }
  },
};

const noReport: Text = {
  en: "it changes logic and was approved without a report on exactly this change",
  uk: "вона змінює логіку, а схвалено її без звіту саме про цю зміну",
};

const badMeta: Text = {
  en: "this is not the meta of a logic version, or belongs to another agent",
  uk: "це не метадані версії логіки або метадані іншого агента",
};
const largeMeta: Text = { en: "it must stay below 500 bytes", uk: "має бути менше ніж 500 байтів" };
const setBack: Text = {
  en: "the archive holds a version that is not older than this one",
  uk: "в архіві є версія, не старша за цю",
};
const noPseudo: Text = { en: "the version has no pseudocode", uk: "є версія, але немає псевдокоду" };
const otherHeader: Text = {
  en: "its header names another version or agent than current.meta.json",
  uk: "його заголовок називає іншу версію чи агента, ніж current.meta.json",
};
const brokenDiagram: Text = {
  en: "this diagram has errors: `bloom diagram check` names them",
  uk: "ця діаграма має помилки: їх назве `bloom diagram check`",
};
const otherText: Text = { en: "the pseudocode does not match the diagram", uk: "псевдокод каже не те, що діаграма" };
const notGits: Text = {
  en: "this does not match logic/ in git; a new version or an export brings both together",
  uk: "це не те, що каже logic/ у git; їх зведе нова версія або експорт",
};
const otherVersion = (version: string): Text => ({
  en: `logic_version is not ${version}, the version in git`,
  uk: `logic_version — не ${version}, яку має git`,
});
