import { bookkeepingOf, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { logicFolder } from "../../../domain/layout.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { archiveAt, findLogic, type LogicState, logicTextAt } from "./logic-state.ts";

/** Changes by people in `logic/<agentId>/` since the gateway last wrote there (L-7). */
export interface HandChange {
  readonly slug: string;
  /** The logic after the gateway's last write. */
  readonly left: LogicState;
  /** The commit of that write. */
  readonly leftAt: Oid;
  /** The newest commit of a person that touched the folder. */
  readonly by: Commit;
  /** The present logic; undefined if the current files are missing or damaged. */
  readonly now: LogicState | undefined;
  /** True if the agent would follow another logic now. */
  readonly otherLogic: boolean;
  /** Missing files of the archive. */
  readonly lost: readonly string[];
}

const PAGE = 50;

/** The kind of bookkeeping commit that records such a change. */
export const NOTICED_LOGIC = "logic";

/** Undefined without such a change, or if the gateway never wrote there: then the folder belongs to the person who made it. */
export async function findHandChange(repo: Repo, head: Oid, slug: string): Promise<HandChange | undefined> {
  let by: Commit | undefined;
  let counted: Oid | undefined;
  for (let skip = 0; ; skip += PAGE) {
    const page = await repo.history(head, logicFolder(slug), { limit: PAGE, skip });
    for (const commit of page) {
      const bookkeeping = bookkeepingOf(commit);
      // Commits of statistics do not end the search, only a version does. Statistics before the person's commit are kept.
      if (bookkeeping !== undefined && bookkeeping !== NOTICED_LOGIC) {
        counted ??= commit.oid;
        continue;
      }
      if (isGatewayCommit(commit)) return by && compared(repo, head, slug, { leftAt: commit.oid, by, counted });
      by ??= commit;
      counted = undefined;
    }
    if (page.length < PAGE) return undefined;
  }
}

async function compared(
  repo: Repo,
  head: Oid,
  slug: string,
  { leftAt, by, counted }: { readonly leftAt: Oid; readonly by: Commit; readonly counted: Oid | undefined },
): Promise<HandChange | undefined> {
  const adopted = await findLogic(repo, leftAt, slug);
  if (!adopted) return undefined;
  const left = { ...adopted, ...(counted !== undefined && (await countedMeta(repo, counted, adopted))) };
  const now = await findLogic(repo, head, slug).catch(() => undefined);
  const archive = await archiveAt(repo, head, slug);
  const lost = [...left.archive.keys()].filter((path) => !archive.has(path));
  const otherLogic = !now || now.diagram !== left.diagram || now.procedure !== left.procedure;
  const otherVersion = now?.meta.logicVersion !== left.meta.logicVersion;
  return otherLogic || otherVersion || lost.length > 0 ? { slug, left, leftAt, by, now, otherLogic, lost } : undefined;
}

/** Meta and changelog with the run statistics from before the person's change: they are frozen with these (L-4). */
async function countedMeta(
  repo: Repo,
  at: Oid,
  { slug, meta: { logicVersion } }: LogicState,
): Promise<Pick<LogicState, "meta" | "metaText" | "changelog"> | undefined> {
  const then = await findLogic(repo, at, slug).catch(() => undefined);
  if (then?.meta.logicVersion !== logicVersion) return undefined;
  const { meta, metaText, changelog } = then;
  return { meta, metaText, changelog };
}

/** The text of an archived file after the gateway's last write. */
export const textLeftByGateway = async (repo: Repo, { leftAt }: HandChange, path: string): Promise<string> =>
  (await logicTextAt(repo, leftAt, path))!;
