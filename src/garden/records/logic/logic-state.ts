import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { logicPath } from "../../../domain/layout.ts";
import { type LogicMeta, readMeta } from "../../../domain/logic/logic-meta.ts";
import { procedureOf } from "../../../domain/logic/logic-pseudo.ts";
import { type LogicVersion, versionOfPath } from "../../../domain/logic/logic-version.ts";
import type { Repo } from "../../../ports/repo.ts";

/** `logic/<agentId>/` at a commit: the current files and the archive. */
export interface LogicState {
  readonly slug: string;
  readonly meta: LogicMeta;
  readonly metaText: string;
  /** The whole file, header included. */
  readonly pseudo: string;
  /** The file without its header: the instructions of the agent. */
  readonly procedure: string;
  /** Undefined for an agent without a diagram. */
  readonly diagram: string | undefined;
  readonly changelog: string | undefined;
  /** Every file under `versions/` by path. */
  readonly archive: ReadonlyMap<string, Oid>;
  /** Every version that has a file there, and the current one. */
  readonly versions: ReadonlySet<LogicVersion>;
}

/** Undefined if the agent has no version yet. Throws if the current files contradict each other. */
export async function findLogic(repo: Repo, at: Oid, slug: string): Promise<LogicState | undefined> {
  const [metaText, pseudo, diagram, changelog] = await Promise.all([
    logicTextAt(repo, at, logicPath.current(slug, "meta")),
    logicTextAt(repo, at, logicPath.current(slug, "pseudo")),
    logicTextAt(repo, at, logicPath.current(slug, "diagram")),
    logicTextAt(repo, at, logicPath.changelog(slug)),
  ]);
  if (metaText === undefined && pseudo === undefined && diagram === undefined) return undefined;
  const meta = metaText === undefined ? undefined : readMeta(metaText);
  if (!meta || metaText === undefined || meta.agentId !== slug) throw damaged(slug, logicPath.current(slug, "meta"));
  if (pseudo === undefined) throw damaged(slug, logicPath.current(slug, "pseudo"));
  const archive = await archiveAt(repo, at, slug);
  return {
    slug,
    meta,
    metaText,
    pseudo,
    procedure: procedureOf(pseudo),
    diagram,
    changelog,
    archive,
    versions: new Set([...versionsIn(archive.keys()), meta.logicVersion]),
  };
}

export async function readLogicState(repo: Repo, at: Oid, slug: string): Promise<LogicState> {
  const state = await findLogic(repo, at, slug);
  if (state) return state;
  throw new Failure("NOT_FOUND", {
    en: `the agent ${slug} has no version of its logic yet`,
    uk: `агент ${slug} ще не має версії логіки`,
    details: { agent: slug },
  });
}

/** Every file of an agent's archive at a commit. */
export const archiveAt = async (repo: Repo, at: Oid, slug: string): Promise<Map<string, Oid>> =>
  new Map((await repo.list(at, logicPath.versions(slug))).map(({ path, oid }) => [path, oid]));

export function versionsIn(paths: Iterable<string>): Set<LogicVersion> {
  const found = new Set<LogicVersion>();
  for (const path of paths) {
    const version = versionOfPath(path);
    if (version !== undefined) found.add(version);
  }
  return found;
}

/** The logic of one version, current or archived; undefined if there is no such version. */
export async function logicOfVersion(
  repo: Repo,
  at: Oid,
  state: LogicState,
  version: LogicVersion,
): Promise<{ readonly pseudo: string; readonly procedure: string; readonly diagram: string | undefined } | undefined> {
  if (version === state.meta.logicVersion) return state;
  const pseudo = await logicTextAt(repo, at, logicPath.archived(state.slug, version, "pseudo"));
  if (pseudo === undefined) return undefined;
  const diagram = await logicTextAt(repo, at, logicPath.archived(state.slug, version, "diagram"));
  return { pseudo, procedure: procedureOf(pseudo), diagram };
}

/** Agents that have a folder under `logic/` at a commit, in order of name. */
export async function agentsWithLogic(repo: Repo, at: Oid): Promise<string[]> {
  const files = await repo.list(at, "logic");
  return [...new Set(files.map(({ path }) => path.split("/")).flatMap((parts) => (parts[2] ? [parts[1]!] : [])))];
}

export async function logicTextAt(repo: Repo, at: Oid, path: string): Promise<string | undefined> {
  const file = await repo.read(at, path);
  return file && Buffer.from(file.bytes).toString();
}

const damaged = (slug: string, path: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} is missing or damaged, so the logic of ${slug} is unknown`,
    uk: `${path} бракує або його пошкоджено, тож невідомо, яка логіка в ${slug}`,
    hint: {
      en: "`git log` of that file shows when it was whole; bring it back and commit it.",
      uk: "`git log` цього файлу покаже, коли він був цілий; поверніть його й закомітьте.",
    },
    details: { agent: slug, path },
  });
