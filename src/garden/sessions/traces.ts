import { blobId } from "../../base/canonical.ts";
import { peerSessionIn } from "../../domain/federation/peer-origin.ts";
import { isOid, type Oid, type RefName } from "../../domain/git/git-names.ts";
import { peerRefs, TRACE_REF, traceTextFile } from "../../domain/layout.ts";
import {
  type ConsoleEntry,
  type ConsoleTrace,
  isConsoleTrace,
  linesOfNote,
} from "../../domain/session/console-trace.ts";
import type { Repo } from "../../ports/repo.ts";
import { noBinding } from "./failures.ts";
import { anySessionLog } from "./peer-sessions.ts";
import type { SessionGarden } from "./session-garden.ts";
import { oneCommit } from "./start-session.ts";

/** A trace with its texts in place. */
export interface ReadTrace extends Pick<ConsoleTrace, "type" | "commit" | "agent" | "changeId" | "seq" | "truncated"> {
  readonly entries: readonly ConsoleEntry[];
}

/**
 * The traces bound to a commit: one, or several after a squash or a merge of notes. One lookup in the tree of the notes, which are those of
 * this garden unless a ref names others.
 */
export async function tracesOf(repo: Repo, commit: Oid, notes: RefName = TRACE_REF): Promise<readonly ReadTrace[]> {
  const note = await repo.annotation(notes, commit);
  const at = note && (await repo.resolve(notes));
  return at === undefined ? [] : withTexts(repo, at, note!);
}

/** The id of a commit's trace: the blob id of its note. */
export async function traceIdOf(repo: Repo, commit: Oid): Promise<string | undefined> {
  const note = await repo.annotation(TRACE_REF, commit);
  return note && blobId(note);
}

function withTexts(repo: Repo, at: Oid, note: Uint8Array): Promise<readonly ReadTrace[]> {
  const traces = linesOfNote(note)
    .filter(isConsoleTrace)
    .filter(({ agent }) => typeof agent === "string");
  const textOf = async (id: string): Promise<string> => {
    const file = await repo.read(at, traceTextFile(id));
    return file ? Buffer.from(file.bytes).toString() : "";
  };
  return Promise.all(
    traces.map(async ({ entries, ...trace }) => ({
      ...trace,
      entries: await Promise.all(
        entries.filter(isReadable).map(async (entry): Promise<ConsoleEntry> => {
          if (!("textId" in entry) || typeof entry.textId !== "string") return entry as ConsoleEntry;
          const { textId, bytes: _, ...rest } = entry;
          return { ...rest, text: await textOf(textId) } as ConsoleEntry;
        }),
      ),
    })) as Promise<ReadTrace>[],
  );
}

/** Notes of other gardens come as they are: entries that no garden writes are left out. */
function isReadable(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { kind, at, text, textId, step } = entry as Readonly<Record<string, unknown>>;
  return (
    typeof kind === "string" &&
    (typeof text === "string" || (typeof textId === "string" && isOid(textId))) &&
    (at === undefined || typeof at === "string") &&
    (step === undefined || typeof step === "number")
  );
}

/** The traces of a session's commits, newest commit first. Another garden's session (`alice/scout`) has those that its owner published. */
export async function sessionTraces(
  repo: Repo,
  name: string,
): Promise<readonly { readonly commit: Oid; readonly traces: readonly ReadTrace[] }[]> {
  const { commits } = await anySessionLog(repo, name);
  const peer = peerSessionIn(name);
  const notes = peer && peerRefs(peer.peer).traces;
  const found = await Promise.all(
    commits.map(async ({ commit }) => ({ commit: commit.oid, traces: await tracesOf(repo, commit.oid, notes) })),
  );
  return found.filter(({ traces }) => traces.length > 0);
}

/** A binding of a trace to a commit, and since when. `id` is undefined where the trace was taken away. */
export interface TraceBinding {
  readonly id: string | undefined;
  readonly at: number;
  readonly by: string;
  readonly why: string;
  readonly notes: Oid;
}

/** Git fans notes out into folders as their number grows, so a note may have had both places. */
const placesOf = (commit: Oid): readonly string[] => [`${commit.slice(0, 2)}/${commit.slice(2)}`, commit];

/** All bindings of a commit, newest first: from the notes' own commits, which outlive every reflog (source 004, R11). */
export async function traceHistory(repo: Repo, commit: Oid): Promise<readonly TraceBinding[]> {
  const head = await repo.resolve(TRACE_REF);
  if (head === undefined) return [];
  const places = placesOf(commit);
  const found = await Promise.all(places.map((path) => repo.history(head, path)));
  const changes = new Map(found.flat().map((change) => [change.oid, change]));
  const order =
    found[1]!.length === 0 ? [...changes.keys()] : (await repo.reachable([head])).filter((oid) => changes.has(oid));
  return Promise.all(
    order.map(async (oid) => {
      const { committer, message } = changes.get(oid)!;
      const files = await Promise.all(places.map((path) => repo.read(oid, path)));
      const file = files.find((each) => each !== undefined);
      return { id: file?.oid, at: committer.at, by: committer.name, why: message.split("\n")[0]!, notes: oid };
    }),
  );
}

/** The traces of a commit with all its bindings, as every surface shows them. */
export interface CommitTraces {
  readonly commit: Oid;
  readonly traces: readonly ReadTrace[];
  /** Newest first. `id` is null where the trace was taken away. */
  readonly history: readonly {
    readonly id: string | null;
    readonly at: string;
    readonly by: string;
    readonly why: string;
    readonly notes: Oid;
  }[];
}

/**
 * Source 004, R11: the traces of a commit, and the history of their binding. `notes` names a commit of that history: then the traces are those
 * of that time. Ids may be shortened. Throws NOT_FOUND without the commit.
 */
export async function commitTraces(
  garden: Pick<SessionGarden, "repo">,
  commit: string,
  notes?: string,
): Promise<CommitTraces> {
  const { repo } = garden;
  const oid = await annotatedCommit(garden, commit);
  const bindings = await traceHistory(repo, oid);
  const binding = notes === undefined ? undefined : bindings.find((each) => each.notes.startsWith(notes));
  if (notes !== undefined && !binding) throw noBinding(oid, notes);
  return {
    commit: oid,
    traces: binding ? await tracesThen(repo, oid, binding.notes) : await tracesOf(repo, oid),
    history: bindings.map(({ id = null, at, ...rest }) => ({ id, at: new Date(at).toISOString(), ...rest })),
  };
}

/** The commit that is named; of one that a gc removed, whole ids work as long as the notes know it. */
const annotatedCommit = async (garden: Pick<SessionGarden, "repo">, written: string): Promise<Oid> =>
  isOid(written) && (await garden.repo.annotation(TRACE_REF, written)) ? written : oneCommit(garden, written);

async function tracesThen(repo: Repo, commit: Oid, notes: Oid): Promise<readonly ReadTrace[]> {
  const files = await Promise.all(placesOf(commit).map((path) => repo.read(notes, path)));
  const note = files.find((each) => each !== undefined);
  return note ? withTexts(repo, notes, note.bytes) : [];
}
