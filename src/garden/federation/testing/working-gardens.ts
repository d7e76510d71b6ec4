import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { receive } from "../../changes/inbox/receive.ts";
import type { Garden } from "../../core/garden.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { startSession } from "../../sessions/start-session.ts";
import { sessionHead } from "../../sessions/topology.ts";
import { gardenWith, git, scratch } from "../../testing/scratch.ts";
import type { Accepted } from "../accept.ts";
import { followGarden, grantTo, lookAtGarden } from "../follow.ts";
import { makeIdentity, previewPublish, publishSessions } from "../publish.ts";

/** Two whole gardens with a bare repository between them. Bob follows Alice, and grants her everything but `merge`. */
export interface WorkingGardens {
  readonly alice: Garden;
  readonly aliceDir: string;
  readonly bob: Garden;
  readonly bobDir: string;
  readonly mailbox: string;
}

const by = commandLineOwner;

export async function workingGardens(): Promise<WorkingGardens> {
  const mailbox = scratch();
  git(mailbox, "init", "-q", "--bare", "-b", "main", ".");
  const { garden: alice, dir: aliceDir } = await gardenWith({ "notes/hers.md": "Hers\n" });
  const { garden: bob, dir: bobDir } = await gardenWith({ "notes/his.md": "His\n", "notes/both.md": "one\n" });
  const { fingerprint } = await makeIdentity(alice);
  await followGarden(bob, { name: "alice", url: mailbox, pin: fingerprint }, by);
  for (const trigger of ["spawn", "head-move"] as const)
    await grantTo(bob, { peer: "alice", agenticType: "agent-commit", trigger }, by);
  return { alice, aliceDir, bob, bobDir, mailbox };
}

export const mayMerge = ({ bob }: WorkingGardens) =>
  grantTo(bob, { peer: "alice", agenticType: "agent-commit", trigger: "merge" }, by);

/** Files of a session of Alice's that begins without any, published and accepted by Bob. */
export async function herWork(
  { alice, bob, mailbox }: WorkingGardens,
  session: string,
  files: Readonly<Record<string, string>>,
  message = "Found",
): Promise<void> {
  if ((await alice.repo.resolve(`refs/heads/agents/${session}`)) === undefined)
    await startSession(alice, { name: session, goal: `Goal of ${session}`, empty: true });
  const edits = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  const expected = await sessionHead(alice.repo, session);
  await commitSession(alice, session, { expect: expected, kind: "finding", message, tree: { edits } });
  expect(await sentToBob({ alice, bob, mailbox }, session)).toMatchObject({ kind: "accepted" });
}

/** The same with plain git, which writes paths that no garden would. */
export async function hostileWork(
  gardens: WorkingGardens,
  session: string,
  files: Readonly<Record<string, string>>,
): Promise<Accepted> {
  const { alice, aliceDir } = gardens;
  const { commit } = await startSession(alice, { name: session, goal: "Goal", empty: true });
  const place = scratch();
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  git(aliceDir, "worktree", "add", "-q", "--detach", place, commit);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  git(place, "add", "-A", "-f", ".");
  git(place, ...author, "commit", "-q", "-m", "By hand");
  git(aliceDir, "update-ref", `refs/heads/agents/${session}`, git(place, "rev-parse", "HEAD"));
  return sentToBob(gardens, session);
}

async function sentToBob(
  { alice, bob, mailbox }: Pick<WorkingGardens, "alice" | "bob" | "mailbox">,
  session: string,
): Promise<Accepted> {
  const { digest } = await previewPublish(alice, { sessions: [session] });
  await publishSessions(alice, { sessions: [session], to: { name: "public", url: mailbox }, digest, by: "owner" });
  return lookAtGarden(bob, "alice", by);
}

/** The proposal to merge a session of another garden; throws the reason of a refusal. */
export async function proposedMerge(garden: Garden, session: string): Promise<Proposal> {
  const received = await receive(garden, { identity: by, action: "propose-merge", payload: { session } });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}
