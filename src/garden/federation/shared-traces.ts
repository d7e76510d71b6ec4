import type { Oid } from "../../domain/git/git-names.ts";
import { SHARED_TRACES_REF, TRACE_REF, TRACE_TEXTS } from "../../domain/layout.ts";
import { packTrace } from "../../domain/session/console-trace.ts";
import { redactJson } from "../../domain/text/redact.ts";
import type { Edit, RefMove } from "../../ports/repo.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";
import { sessionTraces } from "../sessions/traces.ts";
import type { OtherRefs } from "./announce.ts";

/** The trace of one commit as others would get it. */
export interface SharedTrace {
  readonly session: string;
  readonly commit: Oid;
  readonly entries: number;
  readonly bytes: number;
  /** The blob id of the note: it names exactly these words. */
  readonly id: string;
}

interface SharedNote extends SharedTrace {
  readonly note: Uint8Array;
  readonly texts: readonly Edit[];
}

/**
 * The traces of these sessions' own commits, and of no others: the notes of this garden hold those of all sessions. Secrets that became
 * known after a trace was recorded are taken out too, and what is about this machine (its buffer, positions in it) does not leave.
 */
export async function sharedNotes(garden: SessionGarden, sessions: readonly string[]): Promise<readonly SharedNote[]> {
  const { repo, secrets } = garden;
  const found: SharedNote[] = [];
  for (const session of sessions)
    for (const { commit, traces } of await sessionTraces(repo, session)) {
      const packed = traces.map(({ agent, changeId, entries, truncated: skipped }) =>
        packTrace({
          commit,
          agent,
          ...(changeId !== undefined && { changeId }),
          entries: redactJson(entries, secrets()),
          ...(skipped && { skipped }),
        }),
      );
      const texts = packed.flatMap((each) => each.texts);
      const note = Buffer.concat(packed.map(({ bytes }) => bytes));
      found.push({
        session,
        commit,
        entries: traces.reduce((sum, { entries }) => sum + entries.length, 0),
        bytes: [note, ...texts.map(({ bytes }) => bytes)].reduce((sum, { length }) => sum + length, 0),
        id: packed.map(({ id }) => id).join(" "),
        note,
        texts,
      });
    }
  return found;
}

export const sharedTrace = ({ session, commit, entries, bytes, id }: SharedNote): SharedTrace => ({
  session,
  commit,
  entries,
  bytes,
  id,
});

/**
 * The notes as others get them, in a chain of their own: the newest commit has the traces of these sessions and nothing else. The move of
 * the ref that keeps them; undefined if they are as they were. Moves nothing.
 */
async function sharedTracesMove(
  { repo, world }: SessionGarden,
  notes: readonly SharedNote[],
): Promise<{ readonly at: Oid; readonly move: RefMove | undefined }> {
  const from = await repo.resolve(SHARED_TRACES_REF);
  const texts = new Map(notes.flatMap(({ texts: each }) => each.map((edit) => [edit.path, edit] as const)));
  const wanted = new Set(notes.map(({ commit }) => commit));
  const there = from === undefined ? [] : (await repo.list(from, "")).map(({ path }) => path);
  const gone = there.filter((path) => !path.startsWith(TRACE_TEXTS)).map((path) => path.replaceAll("/", ""));
  const to = await repo.buildAnnotations(from, {
    notes: [
      ...notes.map(({ commit, note }) => ({ commit, bytes: note })),
      ...gone.filter((commit) => !wanted.has(commit)).map((commit) => ({ commit, bytes: undefined })),
    ],
    beside: [
      ...texts.values(),
      ...there
        .filter((path) => path.startsWith(TRACE_TEXTS) && !texts.has(path))
        .map((path) => ({ path, bytes: undefined })),
    ],
    by: gatewaySignature(world.now()),
    message: "Traces of published sessions",
  });
  return {
    at: to,
    move: to === from ? undefined : { ref: SHARED_TRACES_REF, from, to, reason: "bloom publish" },
  };
}

/** The traces of the published sessions among the announced refs: if they are chosen now, or were before. */
export async function announcedTraces(
  garden: SessionGarden,
  sessions: readonly string[],
  chosen: boolean | undefined,
): Promise<OtherRefs> {
  const isShared = chosen ?? (await lastAnnouncement(garden.repo))?.refs.has(TRACE_REF) ?? false;
  const notes = isShared ? await sharedNotes(garden, sessions) : [];
  if (notes.length === 0) return { refs: new Map([[TRACE_REF, undefined]]), moves: [] };
  const { at, move } = await sharedTracesMove(garden, notes);
  return { refs: new Map([[TRACE_REF, at]]), moves: move ? [move] : [] };
}
