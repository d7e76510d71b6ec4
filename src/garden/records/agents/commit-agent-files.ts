import { isFailure } from "../../../base/failure.ts";
import { CHANGED_BY, CONTRACT, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Trailer } from "../../../domain/git/trailers.ts";
import { agentFileKey, agentFilePath, agentParts, isAgentFileKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import type { CommitDraft, Edit, Signature } from "../../../ports/repo.ts";
import { everyKey, type Hash } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { type AgentChange, pendingChanges } from "./agent-changes.ts";

type Ground = Pick<Garden, "repo" | "store" | "config" | "repos" | "dir" | "world">;

const MAX_TRIES = 20;
/** A change whose files were never written is forgotten after this time: its process crashed before the first write. */
const ABANDONED_MS = 10 * 60_000;

/**
 * Commits the pending changes of an agent's files (G-1a) with their author. Returns the commit; undefined if there is nothing to
 * commit, or not now: git is busy, or a person has edited the same file since. The change has taken effect either way, and its
 * commit is made at the next call. Idempotent, also across processes: main moves by compare-and-swap.
 */
export async function commitAgentFiles(garden: Ground, slug: string): Promise<Oid | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const pending = await pendingChanges(garden.store, slug);
    const head = pending.length === 0 ? undefined : await garden.repo.resolve(MAIN_REF);
    if (head === undefined) return undefined;
    const files = await filesNow(garden, head, new Set(pending.flatMap(({ change }) => change.files.map(keyOf))));
    const changes = pending.map(({ change }) => change);
    // A bucket is the authority for these files, and git mirrors them: what main has does not matter.
    const isMirror = garden.config.store.kind !== "directory";
    const ready = [...files.values()].filter((file) => isOurs(file, changes, isMirror));
    const made = ready.length === 0 ? undefined : await commitOn(garden, head, draftOf(changes, ready));
    if (made?.kind === "stale") continue;
    if (made?.kind === "refused") return undefined;
    const done = new Set(ready.map(keyOf));
    for (const { key, change } of pending)
      if (change.files.every((file) => done.has(file.key) || isOver(garden, change, file, files.get(file.key)!)))
        await garden.store.delete(key);
    return made?.commit;
  }
  return undefined;
}

/** The pending changes of all agents: after a crash, and when git was busy. Returns the slugs with a new commit. */
export async function commitPendingAgentFiles(garden: Ground): Promise<readonly string[]> {
  const slugs = new Set<string>();
  for await (const { key } of everyKey(garden.store, keys.agentChanges)) slugs.add(key.split("/")[2]!);
  const committed: string[] = [];
  for (const slug of slugs) if ((await commitAgentFiles(garden, slug)) !== undefined) committed.push(slug);
  return committed;
}

/**
 * Commits what a person changed in an agent's files and did not commit, as that person's commit, so that a change by the program
 * on top of it contains nothing else. Called before the program changes a file; `only` limits it to some keys. Returns the commit.
 */
export async function commitHandEdits(
  garden: Ground,
  slug: string,
  only?: readonly string[],
): Promise<Oid | undefined> {
  const pending = await pendingChanges(garden.store, slug);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = await garden.repo.resolve(MAIN_REF);
    if (head === undefined) return undefined;
    const files = await filesNow(garden, head, only ? new Set(only) : await keysOf(garden, head, slug));
    const differing = [...files.values()].filter(
      ({ key, now, committed }) =>
        now !== committed && !pending.some(({ change }) => change.files.some((file) => file.key === key)),
    );
    // Line endings that git converts differ in bytes and are no edit.
    const edited = new Set(differing.length === 0 ? [] : await garden.repo.edited(differing.map(({ path }) => path)));
    const edits = differing.filter(({ path }) => edited.has(path));
    if (edits.length === 0) return undefined;
    const person = await garden.repos.person(garden.dir);
    const signature: Signature = { ...(person ?? OWNER), at: garden.world.now() };
    const made = await commitOn(garden, head, {
      edits: edits.map(editOf),
      author: signature,
      committer: signature,
      message: `[owner] ${slug}: edit by hand`,
      trailers: [
        [CONTRACT, slug],
        [CHANGED_BY, "owner, by hand"],
      ],
    });
    if (made.kind === "stale") continue;
    return made.kind === "made" ? made.commit : undefined;
  }
  return undefined;
}

const OWNER = { name: "owner", email: "owner@garden.invalid" } as const;

/** One file of an agent: in the store, and at the head of main. */
interface AgentFileState {
  readonly key: string;
  readonly path: string;
  readonly now: Hash | null;
  readonly bytes: Uint8Array | undefined;
  readonly committed: Oid | null;
}

const keyOf = ({ key }: { readonly key: string }): string => key;
const editOf = ({ path, bytes }: AgentFileState): Edit => ({ path, bytes });

async function filesNow(
  { store, repo, config }: Ground,
  head: Oid,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AgentFileState>> {
  const files = new Map<string, AgentFileState>();
  for (const key of wanted) {
    const path = agentFilePath(config.agents_root, key);
    if (path === undefined) continue;
    const stored = await store.get(key);
    const committed = (await repo.read(head, path))?.oid ?? null;
    files.set(key, { key, path, now: stored?.hash ?? null, bytes: stored?.bytes, committed });
  }
  return files;
}

/** The files of an agent that exist now or at the head. */
async function keysOf({ store, repo, config }: Ground, head: Oid, slug: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of [...agentParts.files, ...agentParts.folders.map((folder) => `${folder}/`)])
    for await (const { key } of everyKey(store, `${keys.agentFolder(slug)}${part}`))
      if (isAgentFileKey(key)) found.add(key);
  for (const { path } of await repo.list(head, `${config.agents_root}/${slug}`)) {
    const key = agentFileKey(config.agents_root, path);
    if (key !== undefined) found.add(key);
  }
  return found;
}

/** The file is as the program last wrote it, and main has what the program found: the commit contains nothing of a person's. */
function isOurs({ key, now, committed }: AgentFileState, changes: readonly AgentChange[], isMirror: boolean): boolean {
  if (now === committed) return false;
  const writes = changes.flatMap(({ files }) => files.filter((file) => file.key === key));
  const isLast = writes.some(({ after }) => after === now);
  if (isMirror) return isLast;
  return isLast && writes.some(({ before, after }) => before === committed || (after === committed && after !== now));
}

/** Nothing is left to commit of one file of a change. */
function isOver(
  { world }: Ground,
  change: AgentChange,
  { before }: { readonly before: string | null },
  { now, committed }: AgentFileState,
): boolean {
  if (now === committed && now !== before) return true;
  return now === before && world.now() - Date.parse(change.at) > ABANDONED_MS;
}

/** The commit of all pending changes: the last one gives subject and author, the earlier ones are named in the body. */
function draftOf(changes: readonly AgentChange[], files: readonly AgentFileState[]): Omit<CommitDraft, "parents"> {
  const committed = new Set(files.map(keyOf));
  const named = changes.filter((change) => change.files.some(({ key }) => committed.has(key)));
  const last = named.at(-1)!;
  const earlier = named.slice(0, -1).map((change) => `- ${subjectOf(change)} (${change.at})`);
  const body = [
    ...(last.why === undefined ? [] : [last.why.trim()]),
    ...(earlier.length === 0 ? [] : [`With:\n${earlier.join("\n")}`]),
  ];
  const trailers: Trailer[] = [
    [CONTRACT, last.slug],
    [CHANGED_BY, last.by],
    ...(last.run === undefined ? [] : [["Run", last.run] as const]),
    ...(last.logic === undefined ? [] : [["Logic", last.logic] as const]),
    ...(last.cause === undefined ? [] : [["Cause", last.cause] as const]),
  ];
  const at = Date.parse(last.at);
  return {
    edits: files.map(editOf),
    author: { ...authorOf(last), at },
    committer: { ...GATEWAY, at },
    message: [subjectOf(last), ...body].join("\n\n"),
    trailers,
  };
}

const subjectOf = ({ slug, what, by }: AgentChange): string => `[${by}] ${slug}: ${what}`;

function authorOf({ by, run }: AgentChange): { readonly name: string; readonly email: string } {
  if (by === "gateway") return GATEWAY;
  const mailbox = by.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return { name: by, email: `${mailbox}@${run === undefined ? "garden.invalid" : "agents.garden.invalid"}` };
}

type CommitAttempt =
  | { readonly kind: "made"; readonly commit: Oid }
  | { readonly kind: "stale" }
  /** A person's edit is in the way, or git cannot write now. */
  | { readonly kind: "refused" };

async function commitOn({ repo }: Ground, head: Oid, draft: Omit<CommitDraft, "parents">): Promise<CommitAttempt> {
  try {
    const commit = await repo.build({ ...draft, parents: [head] });
    const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }]);
    if (moved.kind === "moved") return { kind: "made", commit };
    return { kind: moved.kind === "stale" ? "stale" : "refused" };
  } catch (error) {
    if (isFailure(error, "UPSTREAM_UNAVAILABLE") || isFailure(error, "VALIDATION_FAILED")) return { kind: "refused" };
    throw error;
  }
}
