import { bookkeepingOf, isGatewayCommit } from "../../domain/gateway-commit.ts";
import type { Oid } from "../../domain/git-names.ts";
import { logicFolder } from "../../domain/layout.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
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
  for (let skip = 0; ; skip += PAGE) {
    const page = await repo.history(head, logicFolder(slug), { limit: PAGE, skip });
    for (const commit of page) {
      const bookkeeping = bookkeepingOf(commit);
      // Statistics come and go without settling anything; only a version does.
      if (bookkeeping !== undefined && bookkeeping !== NOTICED_LOGIC) continue;
      if (isGatewayCommit(commit)) return by && compared(repo, head, slug, commit.oid, by);
      by ??= commit;
    }
    if (page.length < PAGE) return undefined;
  }
}

async function compared(repo: Repo, head: Oid, slug: string, leftAt: Oid, by: Commit): Promise<HandChange | undefined> {
  const left = await findLogic(repo, leftAt, slug);
  if (!left) return undefined;
  const now = await findLogic(repo, head, slug).catch(() => undefined);
  const archive = await archiveAt(repo, head, slug);
  const lost = [...left.archive.keys()].filter((path) => !archive.has(path));
  const otherLogic = !now || now.diagram !== left.diagram || now.procedure !== left.procedure;
  const otherVersion = now?.meta.logicVersion !== left.meta.logicVersion;
  return otherLogic || otherVersion || lost.length > 0 ? { slug, left, leftAt, by, now, otherLogic, lost } : undefined;
}

/** The text of an archived file as the gateway left it. */
export const leftText = async (repo: Repo, { leftAt }: HandChange, path: string): Promise<string> =>
  (await textAt(repo, leftAt, path))!;
