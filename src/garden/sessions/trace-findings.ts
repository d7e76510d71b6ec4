import { isOid, type Oid } from "../../domain/git/git-names.ts";
import { SESSION_ARCHIVE, TRACE_REF, TRACE_TEXTS, traceTextFile } from "../../domain/layout.ts";
import { type ConsoleTrace, isConsoleTrace, linesOfNote } from "../../domain/session/console-trace.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import type { SessionFinding } from "./session-finding.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";
import { sessionHeads } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";

/** Traces that cannot be read whole, and those of commits that never landed: their entries are still in the buffer. */
export async function* traceFindings(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  const { repo } = garden;
  const at = await repo.resolve(TRACE_REF);
  if (at === undefined) return;
  const files = await repo.list(at, "");
  const paths = new Set(files.map(({ path }) => path));
  const waiting = await buffersOf(garden);
  const refs = await Promise.all(["refs/heads/", SESSION_ARCHIVE].map((prefix) => repo.refs(prefix)));
  const live = waiting.size === 0 ? undefined : new Set(await repo.reachable(refs.flat().map(({ oid }) => oid)));
  for (const { path } of files) {
    const commit = path.replaceAll("/", "");
    if (path.startsWith(TRACE_TEXTS) || !isOid(commit)) continue;
    const note = await repo.read(at, path);
    const traces = linesOfNote(note?.bytes ?? new Uint8Array()).filter(isConsoleTrace);
    const missing = textsOf(traces).filter((id) => !paths.has(traceTextFile(id)));
    if (missing.length > 0) yield unreadable(commit, missing);
    if (live && !live.has(commit) && traces.some((trace) => isWaiting(trace, waiting)))
      yield neverLanded(garden, commit);
  }
}

const textsOf = (traces: readonly ConsoleTrace[]): readonly string[] =>
  traces.flatMap(({ entries }) =>
    entries.flatMap((entry) => ("textId" in entry && typeof entry.textId === "string" ? [entry.textId] : [])),
  );

/** Buffers of this machine by session, with the position up to which commits have them. */
async function buffersOf(
  garden: SessionGarden,
): Promise<ReadonlyMap<string, { readonly buffer: string; readonly drained: number }>> {
  const found = new Map<string, { buffer: string; drained: number }>();
  for (const { name } of await sessionHeads(garden.repo)) {
    const { buffer, seq, entries, skipped } = await pendingTrace(garden, name);
    if (buffer !== undefined && entries.length + skipped.entries > 0) found.set(name, { buffer, drained: seq[0] });
  }
  return found;
}

function isWaiting(
  { agent, buffer, seq }: ConsoleTrace,
  waiting: ReadonlyMap<string, { readonly buffer: string; readonly drained: number }>,
): boolean {
  const own = waiting.get(agent);
  return own !== undefined && own.buffer === buffer && seq !== undefined && seq[1] > own.drained;
}

const unreadable = (commit: Oid, missing: readonly string[]): SessionFinding => ({
  where: commit,
  what: {
    en: `the trace of this commit names texts that are gone: ${missing.join(", ")}`,
    uk: `слід цього коміту називає тексти, яких немає: ${missing.join(", ")}`,
  },
});

const neverLanded = (garden: SessionGarden, commit: Oid): SessionFinding => ({
  where: commit,
  what: {
    en: "a crash left the trace of a commit that no branch has; its entries go with the next commit",
    uk: "збій лишив слід коміту, якого немає в жодній гілці; його записи підуть з наступним комітом",
  },
  repair: () => takeNoteAway(garden, commit),
});

/** The history of the notes keeps it. */
function takeNoteAway(garden: SessionGarden, commit: Oid): Promise<void> {
  const { repo, world } = garden;
  return untilLanded(garden, [TRACE_REF], async () => {
    const from = await repo.resolve(TRACE_REF);
    const to = await repo.buildAnnotations(from, {
      notes: [{ commit, bytes: undefined }],
      by: gatewaySignature(world.now()),
      message: `Trace of a commit that did not land: ${commit}`,
    });
    if (to === from) return true;
    return (
      (await landRefs(garden, [{ ref: TRACE_REF, from, to, reason: "bloom repair" }])).kind === "landed" || undefined
    );
  }).then(() => undefined);
}
