import { Failure } from "../../../base/failure.ts";
import type { Language, Text } from "../../../base/text.ts";
import { type LogicPart, logicPath } from "../../../domain/layout.ts";
import { withEntry } from "../../../domain/logic/logic-changelog.ts";
import { adoptedMeta, metaText } from "../../../domain/logic/logic-meta.ts";
import { pseudoText } from "../../../domain/logic/logic-pseudo.ts";
import { rationaleText } from "../../../domain/logic/logic-rationale.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import type { Rationale } from "../../../domain/proposal/operation.ts";
import type { LogicState } from "./logic-state.ts";

/** A version that is about to be adopted. */
export interface Adoption {
  readonly slug: string;
  readonly version: LogicVersion;
  readonly diagram: string | undefined;
  readonly procedure: string;
  /** ISO time. */
  readonly at: string;
  /** The proposal; for a change by hand, the commit. */
  readonly source: string;
  readonly initiator: string;
  readonly rationale: Rationale;
  /** The program's own summary of the change. */
  readonly comparison: Text;
  readonly rollbackTo?: LogicVersion | undefined;
  /** The language of the garden at the commit: that of the heads in the files. */
  readonly language: Language;
}

/**
 * The files of an adoption, by path (undefined: removed). Adopting v007 freezes the current files as `versions/v006.*`
 * and writes `versions/v007.rationale.md`; v007's own three files are archived when v008 is adopted. So each archived
 * file is written once, in the first commit that knows its content (L-1, L-3).
 */
export function adoptionFiles(before: LogicState | undefined, adoption: Adoption): Map<string, string | undefined> {
  const { slug, version, at, source, diagram, procedure, rationale } = adoption;
  const files = new Map<string, string | undefined>(before ? archiveFiles(before) : []);
  const meta = adoptedMeta({
    agentId: slug,
    logicVersion: version,
    activeSince: at,
    sourceProposal: source,
    before: before?.meta,
  });
  const rationalePath = logicPath.rationale(slug, version);
  if (before?.archive.has(rationalePath)) throw taken(rationalePath);
  files.set(
    rationalePath,
    rationaleText({
      ...rationale,
      agentId: slug,
      version,
      before: before?.meta.logicVersion,
      measured: before?.meta,
      proposal: source,
      adopted: at,
      comparison: adoption.comparison.uk,
    }),
  );
  if (diagram !== undefined || before?.diagram !== undefined) files.set(logicPath.current(slug, "diagram"), diagram);
  files.set(
    logicPath.current(slug, "pseudo"),
    pseudoText({ agentId: slug, version, updated: at, proposal: source, procedure }, adoption.language),
  );
  files.set(logicPath.current(slug, "meta"), metaText(meta));
  files.set(
    logicPath.changelog(slug),
    withEntry(
      before?.changelog,
      slug,
      {
        version,
        date: at.slice(0, 10),
        rollbackTo: adoption.rollbackTo,
        proposal: source,
        initiator: adoption.initiator,
        reason: rationale.problem,
        change: rationale.change ?? adoption.comparison[adoption.language],
      },
      adoption.language,
    ),
  );
  return files;
}

/** The current files as archive files. An existing archive file is never overwritten. */
function archiveFiles(state: LogicState): [string, string][] {
  const { slug, meta } = state;
  const parts: [LogicPart, string | undefined][] = [
    ["diagram", state.diagram],
    ["pseudo", state.pseudo],
    ["meta", state.metaText],
  ];
  return parts.flatMap(([part, text]): [string, string][] => {
    if (text === undefined) return [];
    const path = logicPath.archived(slug, meta.logicVersion, part);
    if (state.archive.has(path)) throw taken(path);
    return [[path, text]];
  });
}

const taken = (path: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} is there already, and files of the archive never change`,
    uk: `${path} уже є, а файли архіву ніколи не змінюються`,
    hint: {
      en: "Somebody wrote into versions/ or set current.meta.json back by hand; `bloom verify` tells which.",
      uk: "Хтось писав у versions/ або вручну повернув current.meta.json назад; що саме — скаже `bloom verify`.",
    },
    details: { path },
  });

/** `2026-02-17T14:30:00Z`: the sources write times without fractions. */
export const wholeSeconds = (at: string): string => at.replace(/\.\d+Z$/, "Z");
