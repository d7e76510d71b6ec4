import { Failure, isFailure } from "../../../base/failure.ts";
import { peerSessionIn } from "../../../domain/federation/peer-origin.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import type { Agent } from "../../records/agents/read-agent.ts";
import { visibleNotes } from "../../records/notes/visible-notes.ts";
import { anySessionHead, expectMergeGrants, peerOriginsIn, peerSession } from "../../sessions/peer-sessions.ts";
import { runSessionOf } from "../../sessions/run-session.ts";
import { sessionHead } from "../../sessions/topology.ts";
import type { ReadyEffect } from "../effect/effect.ts";
import { forbidden, outsideFolder } from "./failures.ts";

/** The merge of a session, of this garden or another one, with the work of other gardens that it brings. Throws NOT_FOUND. */
export async function mergePayload(
  repo: Repo,
  session: string,
  head: Oid | undefined,
): Promise<OperationOf<"propose-merge">["payload"]> {
  const peer = peerSessionIn(session);
  if (peer) {
    const origin = await peerSession(repo, peer);
    return { session, head: head ?? origin.head, origins: [{ ...origin, head: head ?? origin.head }] };
  }
  const at = head ?? (await sessionHead(repo, session));
  const origins = await isThere(repo, at).then((found) => (found ? peerOriginsIn(repo, session, at) : []));
  return { session, head: at, ...(origins.length > 0 && { origins: [...origins] }) };
}

/** `checkSession` tells of a commit that is not there. */
const isThere = (repo: Repo, at: Oid): Promise<boolean> =>
  repo.commit(at).then(
    () => true,
    (error: unknown) => {
      if (isFailure(error, "NOT_FOUND")) return false;
      throw error;
    },
  );

/**
 * A merge is proposed of a commit that the session's branch has. An agent may propose the session of its own run only. Throws
 * NOT_FOUND, FORBIDDEN, VALIDATION_FAILED.
 */
export async function checkSession(
  { repo, world }: Pick<Garden, "repo" | "world">,
  identity: Identity,
  { session, head, origins = [] }: OperationOf<"propose-merge">["payload"],
): Promise<void> {
  if (identity.type === "agent") {
    const { slug, run } = identity;
    const own = run === undefined ? undefined : await runSessionOf(repo, { slug, run });
    if (own?.name !== session) throw anothersSession(slug);
  }
  const tip = await anySessionHead(repo, session);
  if (head !== tip) await expectOfSession(repo, { session, head, tip });
  await expectMergeGrants({ repo, world }, origins);
}

async function expectOfSession(
  repo: Repo,
  { session, head, tip }: { readonly session: string; readonly head: Oid; readonly tip: Oid },
): Promise<void> {
  const isOfSession = await repo.isAncestor(head, tip).catch((error: unknown) => {
    if (isFailure(error, "NOT_FOUND")) return false;
    throw error;
  });
  if (!isOfSession) throw notOfSession(session, head);
}

/** C-2a: an agent that proposes changes in one folder merges changes of that folder only. */
export async function checkMergedFiles(
  garden: Garden,
  identity: Identity,
  agent: Agent | undefined,
  { review }: ReadyEffect,
): Promise<void> {
  const folder = agent?.contract.proposes === "folder" ? agent.contract.context.folder : undefined;
  if (!agent || folder === undefined) return;
  const sees = await visibleNotes(garden, identity);
  if (review.some(({ path }) => !sees.file(path))) throw outsideFolder(agent.slug, folder);
}

const anothersSession = (slug: string): Failure =>
  forbidden({
    en: `${slug} may propose to merge only the session of its own run`,
    uk: `${slug} може пропонувати злиття лише сесії власного запуску`,
  });

const notOfSession = (session: string, head: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${head.slice(0, 10)} is not a commit of the session ${session}`,
    uk: `${head.slice(0, 10)} — не коміт сесії ${session}`,
    hint: {
      en: `\`bloom session log ${session}\` lists them.`,
      uk: `Їх показує \`bloom session log ${session}\`.`,
    },
    details: { session, head },
  });
