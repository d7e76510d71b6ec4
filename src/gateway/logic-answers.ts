import { Failure } from "../base/failure.ts";
import type { Oid } from "../domain/git-names.ts";
import { logicPath, MAIN_REF } from "../domain/layout.ts";
import { readMeta } from "../domain/logic-meta.ts";
import { procedureOf } from "../domain/logic-pseudo.ts";
import { isLogicVersion } from "../domain/logic-version.ts";
import { fileChange } from "../garden/effect/file-change.ts";
import { prepareAt } from "../garden/effect/review.ts";
import type { Garden } from "../garden/garden.ts";
import { compareLogic } from "../garden/logic/compare-logic.ts";
import { logicOfVersion, readLogicState, textAt } from "../garden/logic/logic-state.ts";
import { readProposal } from "../garden/proposals/proposal-log.ts";

/** The answers of source 000 §5, from `logic/<agentId>/` as main has it. */
type Ground = Pick<Garden, "repo" | "store" | "config">;

export async function mainNow({ repo }: Pick<Garden, "repo">): Promise<Oid> {
  const main = await repo.resolve(MAIN_REF);
  if (main === undefined)
    throw new Failure("NOT_FOUND", { en: "this garden has no commit yet", uk: "у цьому саду ще немає комітів" });
  return main;
}

interface LogicTexts {
  readonly pseudo: string;
  readonly procedure: string;
  readonly diagram: string | undefined;
}

/** A version by its number, `current`, or what a proposal would make of it. */
export async function logicNamed(garden: Ground, slug: string, named: string): Promise<LogicTexts> {
  const head = await mainNow(garden);
  const state = await readLogicState(garden.repo, head, slug);
  if (named === "current") return state;
  const found = isLogicVersion(named)
    ? await logicOfVersion(garden.repo, head, state, named)
    : await logicOfProposal(garden, slug, named, head);
  if (!found)
    throw new Failure(
      "NOT_FOUND",
      { en: `the logic of ${slug} has no ${named}`, uk: `логіка ${slug} не має ${named}` },
      { details: { agent: slug, version: named } },
    );
  return found;
}

async function logicOfProposal(garden: Ground, slug: string, id: string, head: Oid): Promise<LogicTexts | undefined> {
  const proposal = await readProposal(garden.store, id);
  if (proposal.target !== `logic/${slug}`) return undefined;
  const prepared = await prepareAt(garden, proposal, head);
  if (prepared.kind !== "ready") return undefined;
  const edited = (path: string): string | undefined => {
    const bytes = prepared.edits.find((edit) => edit.path === path)?.bytes;
    return bytes && Buffer.from(bytes).toString();
  };
  const pseudo = edited(logicPath.current(slug, "pseudo"));
  const diagram =
    edited(logicPath.current(slug, "diagram")) ?? (await textAt(garden.repo, head, logicPath.current(slug, "diagram")));
  return pseudo === undefined ? undefined : { pseudo, procedure: procedureOf(pseudo), diagram };
}

export async function logicDiff(garden: Ground, slug: string, from: string, to: string, format: "pseudo" | "drakon") {
  const [before, after] = [await logicNamed(garden, slug, from), await logicNamed(garden, slug, to)];
  const [old, now] = format === "pseudo" ? [before.pseudo, after.pseudo] : [before.diagram, after.diagram];
  const { summary, riskLevel } = compareLogic(before, after);
  const path = logicPath.current(slug, format === "pseudo" ? "pseudo" : "diagram");
  const diff = old === now ? "" : fileChange(path, old, now).review.patch;
  return { agentId: slug, fromVersion: from, toVersion: to, format, diff, summary, riskLevel };
}

/** What the records of the versions say; a number that no run has made yet is not there. */
export async function logicPerformance({ repo }: Pick<Garden, "repo">, slug: string) {
  const head = await mainNow({ repo });
  const state = await readLogicState(repo, head, slug);
  const versions: Record<string, VersionFigures> = {};
  for (const version of [...state.versions].toSorted()) {
    const archived = await textAt(repo, head, logicPath.archived(slug, version, "meta"));
    const meta = version === state.meta.logicVersion ? state.meta : archived && readMeta(archived);
    if (!meta) continue;
    versions[version] = {
      totalRuns: meta.runsOnThisVersion,
      success_rate: meta.successRate,
      avg_tokens: meta.avgTokensPerRun,
      error_rate: meta.successRate === null ? null : 1 - meta.successRate,
    };
  }
  return { agentId: slug, versions, trend: "unknown" as const, recommendation: TOO_FEW };
}

interface VersionFigures {
  readonly totalRuns: number;
  readonly success_rate: number | null;
  readonly avg_tokens: number | null;
  readonly error_rate: number | null;
}

const TOO_FEW = {
  en: "Too few runs to say which version is better.",
  uk: "Замало запусків, щоб сказати, яка версія краща.",
};
