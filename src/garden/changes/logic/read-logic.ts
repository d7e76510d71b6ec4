import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { logicPath } from "../../../domain/layout.ts";
import {
  CHANGELOG_ENTRIES,
  changelogEntries,
  type ReadEntry,
  resultOf,
} from "../../../domain/logic/logic-changelog.ts";
import { type LogicMeta, readMeta } from "../../../domain/logic/logic-meta.ts";
import { procedureOf } from "../../../domain/logic/logic-pseudo.ts";
import { readRationale, withMeasuredResult } from "../../../domain/logic/logic-rationale.ts";
import { isLogicVersion, type LogicVersion } from "../../../domain/logic/logic-version.ts";
import { patchNamed } from "../../../domain/note/line-hunks.ts";
import type { Rationale } from "../../../domain/proposal/operation.ts";
import { countTokens } from "../../../domain/text/tokens.ts";
import type { RiskLevel } from "../../../drakon/compare/fact.ts";
import { readProgram } from "../../../drakon/diagram-program.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { compareLogic } from "../../records/logic/compare-logic.ts";
import { type LogicState, logicOfVersion, logicTextAt, readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { languageOf } from "../../records/logic/proposed-logic.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { prepareAt } from "../effect/review.ts";
import { listPending } from "../proposals/list-proposals.ts";

/** The queries of source 000 §5, on `logic/<agentId>/` at a commit: main, or the one that a run is pinned to. */
type LogicDeps = Pick<Garden, "repo" | "store" | "config" | "signals" | "world">;

export type LogicFormat = "pseudo" | "drakon";

/** §5.1. */
export interface LogicAnswer {
  readonly agentId: string;
  readonly logicVersion: LogicVersion;
  readonly format: LogicFormat;
  readonly tokenCount: number;
  readonly content: string;
  readonly meta: LogicMeta;
  readonly versions: readonly LogicVersion[];
}

export interface LogicQuestion {
  readonly slug: string;
  readonly format?: LogicFormat | undefined;
  /** `current`, `vNNN`, or the logic of a proposal (`prop_…`). */
  readonly version?: string | undefined;
  /** Text with more tokens is refused, never truncated: truncated logic would be another logic. */
  readonly maxTokens?: number | undefined;
  readonly at?: Oid | undefined;
}

export async function readLogic(garden: LogicDeps, question: LogicQuestion): Promise<LogicAnswer> {
  const { slug, format = "pseudo", version = "current", maxTokens } = question;
  const at = question.at ?? (await headOf(garden.repo));
  const state = await readLogicState(garden.repo, at, slug);
  const texts = await namedLogic(garden, at, state, version);
  const content = format === "pseudo" ? texts.pseudo : texts.diagram;
  if (content === undefined) throw noDiagram(slug);
  const tokenCount = await countTokens(content);
  if (maxTokens !== undefined && tokenCount > maxTokens) throw tooLong(tokenCount, maxTokens);
  return {
    agentId: slug,
    logicVersion: version === "current" ? state.meta.logicVersion : version,
    format,
    tokenCount,
    content,
    meta: state.meta,
    versions: [...state.versions].toSorted(),
  };
}

/** §5.3. */
export interface LogicDiff {
  readonly agentId: string;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly format: LogicFormat;
  readonly diff: string;
  readonly summary: Text;
  readonly riskLevel: RiskLevel;
  /** The reasons of the risk level. */
  readonly reasons: readonly Text[];
}

/** Compares two of `vNNN`, `current`, `proposed` (the one pending change), and a proposal (`prop_…`, also `proposed:prop_…`). */
export async function logicDiff(
  garden: LogicDeps,
  question: {
    readonly slug: string;
    readonly from: string;
    readonly to: string;
    readonly format?: LogicFormat | undefined;
    readonly at?: Oid | undefined;
  },
): Promise<LogicDiff> {
  const { slug, from, to, format = "pseudo" } = question;
  const at = question.at ?? (await headOf(garden.repo));
  const state = await readLogicState(garden.repo, at, slug);
  const [before, after] = [await namedLogic(garden, at, state, from), await namedLogic(garden, at, state, to)];
  // Headers always differ by date and number, so only the instructions are compared.
  const [old, now] = format === "pseudo" ? [before.procedure, after.procedure] : [before.diagram, after.diagram];
  const { summary, riskLevel, reasons } = compareLogic(before, after);
  const file = format === "pseudo" ? "current.pseudo.md" : "current.drakon.json";
  const patch = old === now ? "" : patchNamed(`${from}/${file}`, `${to}/${file}`, old ?? "", now ?? "");
  return {
    agentId: slug,
    fromVersion: from,
    toVersion: to,
    format,
    diff: format === "pseudo" ? [patch, ...calledPatches([from, before], [to, after])].join("") : patch,
    summary,
    riskLevel,
    reasons,
  };
}

/** The differences of the called diagrams, as pseudocode. */
function calledPatches(...sides: readonly [version: string, LogicTexts][]): string[] {
  const [old, now] = sides.map(([, { diagram = "", procedure }]) => {
    const language = languageOf(procedure) ?? "uk";
    const { called } = readProgram(diagram);
    return new Map(
      [...called].map(([file, { tree }]) => [file, tree ? renderPseudocode(tree, { language }).text : ""]),
    );
  });
  const names = sides.map(([version]) => version);
  return [...new Set([...old!.keys(), ...now!.keys()])].toSorted().flatMap((file) => {
    const [was = "", is = ""] = [old!.get(file), now!.get(file)];
    const shown = file.replace(/\.drakon\.json$/i, ".pseudo.md");
    return was === is ? [] : [patchNamed(`${names[0]}/${shown}`, `${names[1]}/${shown}`, was, is)];
  });
}

export interface VersionRow {
  readonly version: LogicVersion;
  readonly current: boolean;
  readonly meta: LogicMeta | undefined;
  /** Its entry in the changelog, unless a person removed it. */
  readonly entry: ReadEntry | undefined;
}

/** Every version, newest first. */
export async function logicVersions(garden: LogicDeps, slug: string): Promise<readonly VersionRow[]> {
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, slug);
  const entries = changelogEntries(state.changelog ?? "", Number.POSITIVE_INFINITY);
  const rows: VersionRow[] = [];
  for (const version of [...state.versions].toSorted().toReversed()) {
    const current = version === state.meta.logicVersion;
    const archived = current
      ? undefined
      : await logicTextAt(garden.repo, at, logicPath.archived(slug, version, "meta"));
    rows.push({
      version,
      current,
      meta: current ? state.meta : archived === undefined ? undefined : readMeta(archived),
      entry: entries.find((one) => one.version === version),
    });
  }
  return rows;
}

/** Entries of the changelog, newest first: the last ten unless more are asked for (L-1a). */
export async function logicChangelog(
  garden: LogicDeps,
  slug: string,
  most: number = CHANGELOG_ENTRIES,
): Promise<readonly ReadEntry[]> {
  const { changelog } = await readLogicState(garden.repo, await headOf(garden.repo), slug);
  return changelogEntries(changelog ?? "", most);
}

export interface LogicReason extends Partial<Rationale> {
  readonly agentId: string;
  readonly version: LogicVersion;
  /** `versions/vNNN.rationale.md`, whole, with the measured result if there is one. */
  readonly text: string;
}

/** The rationale of a version (source 000 §7.3); default: the current one. */
export async function logicRationale(garden: LogicDeps, slug: string, version?: LogicVersion): Promise<LogicReason> {
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, slug);
  const wanted = version ?? state.meta.logicVersion;
  const text = await logicTextAt(garden.repo, at, logicPath.rationale(slug, wanted));
  if (text === undefined) throw unknownVersion(wanted, state);
  const row = (await logicVersions(garden, slug)).find((each) => each.version === wanted);
  const measured = withMeasuredResult(text, row?.entry && resultOf(row.entry), row?.meta);
  return { agentId: slug, version: wanted, text: measured, ...readRationale(text) };
}

interface LogicTexts {
  readonly pseudo: string;
  readonly procedure: string;
  readonly diagram: string | undefined;
}

async function namedLogic(garden: LogicDeps, at: Oid, state: LogicState, named: string): Promise<LogicTexts> {
  if (named === "current") return state;
  const proposal = named === "proposed" ? await onlyPending(garden, state.slug) : proposalIn(named);
  const found =
    proposal !== undefined
      ? await proposedTexts(garden, at, state, proposal)
      : isLogicVersion(named)
        ? await logicOfVersion(garden.repo, at, state, named)
        : undefined;
  if (!found) throw unknownVersion(named, state);
  return found;
}

const proposalIn = (named: string): string | undefined => /^(?:proposed:)?(prop_.+)$/.exec(named)?.[1];

/** The pending change of this logic. Throws if there is none, or more than one: the caller must name it then. */
async function onlyPending(garden: LogicDeps, slug: string): Promise<string> {
  const found: string[] = [];
  for (const action of ["logic-update", "logic-rollback"] as const) {
    let after: string | undefined;
    do {
      const { proposals, next } = await listPending(garden, { action, after });
      found.push(...proposals.filter(({ target }) => target === `logic/${slug}`).map(({ id }) => id));
      after = next;
    } while (after !== undefined);
  }
  if (found.length !== 1) throw notOnePending(slug, found);
  return found[0]!;
}

async function proposedTexts(
  garden: LogicDeps,
  at: Oid,
  { slug, diagram }: LogicState,
  id: string,
): Promise<LogicTexts | undefined> {
  const proposal = await readProposal(garden.store, id);
  if (proposal.target !== `logic/${slug}`) return undefined;
  const prepared = await prepareAt(garden, proposal, at);
  if (prepared.kind === "refused") throw prepared.failure;
  if (prepared.kind !== "ready") return undefined;
  const edited = (path: string): { readonly text: string | undefined } | undefined => {
    const edit = prepared.edits.find((one) => one.path === path);
    return edit && { text: edit.bytes && Buffer.from(edit.bytes).toString() };
  };
  const pseudo = edited(logicPath.current(slug, "pseudo"))?.text;
  const drawn = edited(logicPath.current(slug, "diagram"));
  return pseudo === undefined
    ? undefined
    : { pseudo, procedure: procedureOf(pseudo), diagram: drawn ? drawn.text : diagram };
}

const notOnePending = (slug: string, found: readonly string[]): Failure =>
  new Failure("NOT_FOUND", {
    en:
      found.length === 0
        ? `no change of the logic of ${slug} is pending`
        : `${found.length} changes of the logic of ${slug} are pending`,
    uk:
      found.length === 0
        ? `жодна зміна логіки ${slug} не очікує рішення`
        : `змін логіки ${slug}, що очікують рішення: ${found.length}`,
    ...(found.length > 0 && {
      hint: { en: `Name one: ${found.join(", ")}.`, uk: `Назвіть одну: ${found.join(", ")}.` },
    }),
    details: { agent: slug, pending: [...found] },
  });

const noDiagram = (slug: string): Failure =>
  new Failure("NOT_FOUND", { en: `${slug} has no diagram`, uk: `${slug} не має діаграми`, details: { agent: slug } });

const tooLong = (tokens: number, most: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the text has ${tokens} tokens, more than maxTokens=${most}; a part of it is never given`,
    uk: `у тексті ${tokens} токенів, більше за maxTokens=${most}; частинами його не видають`,
    details: { tokenCount: tokens, maxTokens: most },
  });
