import { bookkeepingOf, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { logicFolder } from "../../../domain/layout.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { archiveAt, findLogic, type LogicState, textAt } from "./logic-state.ts";

/** What people did to `logic/<agentId>/` since the gateway last wrote there (L-7). */
export interface HandChange {
  readonly slug: string;
  /** The logic as the gateway left it. */
  readonly left: LogicState;
  /** Where that stands in history. */
  readonly leftAt: Oid;
  /** The newest commit of a person's that touched the folder. */
  readonly by: Commit;
  /** The logic as it stands now; undefined if the current files are gone or damaged. */
  readonly now: LogicState | undefined;
  /** Whether the agent would follow another logic now. */
  readonly otherLogic: boolean;
  /** Files of the archive that are no longer there. */
  readonly lost: readonly string[];
}

const PAGE = 50;

/** The kind of bookkeeping that records what was noticed. */
export const NOTICED_LOGIC = "logic";

/** Undefined if nobody did anything, or if the gateway never wrote there: a folder made by hand is its maker's. */
export async function findHandChange(repo: Repo, head: Oid, slug: string): Promise<HandChange | undefined> {
  let by: Commit | undefined;
  let counted: Oid | undefined;
  for (let skip = 0; ; skip += PAGE) {
    const page = await repo.history(head, logicFolder(slug), { limit: PAGE, skip });
    for (const commit of page) {
      const bookkeeping = bookkeepingOf(commit);
      // Statistics come and go without settling anything; only a version does. Those before the person came are what was counted.
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

/** The meta and the changelog with what runs came to before the person changed anything: they are frozen so (L-4). */
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

/** The text of an archived file as the gateway left it. */
export const leftText = async (repo: Repo, { leftAt }: HandChange, path: string): Promise<string> =>
  (await textAt(repo, leftAt, path))!;
