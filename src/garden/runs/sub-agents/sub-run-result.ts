import type { Json } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys } from "../../../domain/layout.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import type { SubRun } from "../../../domain/run/sub-run.ts";
import type { Conflict } from "../../../ports/repo.ts";
import type { ToolCallScope } from "../../../ports/runtime.ts";
import { recordAudit } from "../../core/audit.ts";
import { readJournal } from "../../core/flow/journal.ts";
import { mergeSession } from "../../sessions/merge-session.ts";
import { runSessionOf } from "../../sessions/run-session.ts";
import { boundText } from "../tools/bound-text.ts";
import { positionIn } from "../tools/call-position.ts";
import type { ToolContext } from "../tools/tool.ts";
import { commitsByRequest } from "../tools/workspace.ts";
import { usedIn } from "./budget.ts";
import { subAgentDeleted } from "./failures.ts";
import { type EndedSubRun, endedSubRun } from "./sub-runs.ts";

/** The most of a sub-agent's last words that the other agent reads. */
const MAX_ANSWER = 20_000;
const MAX_FILES = 200;
const MAX_TRIES = 50;

/**
 * The result of a sub-agent whose run is over, for the run that asked. Its session is merged first, if it completed. Repeated after a
 * crash it gives the same result: the merge commit is found by the key of the call.
 */
export async function subRunResult(context: ToolContext, record: SubRun, call: ToolCallScope): Promise<Json> {
  const { garden, language } = context;
  const ended = await endedSubRun(garden.store, record);
  if (!ended) throw subAgentDeleted(record);
  const { place, manifest } = ended;
  const answer = await garden.store.get(keys.runOutput(place.slug, place.run, "answer.md"));
  const used = usedIn((await readJournal(garden.store, place))?.records ?? []);
  const text = answer && boundText(Buffer.from(answer.bytes).toString().trim(), language, MAX_ANSWER);
  return {
    agent: place.slug,
    run: place.run,
    status: manifest.status,
    outcome: manifest.outcome?.kind ?? manifest.status,
    ...reasonIn(manifest),
    ...(text !== undefined && { answer: text }),
    used: { ...used },
    ...(await mergedWork(context, record, ended, call)),
  };
}

function reasonIn({ outcome, error }: RunManifest): { readonly reason?: string } {
  const said = outcome && "reason" in outcome ? outcome.reason : outcome && "by" in outcome ? outcome.by : error;
  return said === null || said === undefined ? {} : { reason: said };
}

type MergedWork =
  /** `commit` is null if the sub-agent changed nothing, or its work is not merged. */
  | { readonly session: string; readonly commit: Oid | null; readonly files: string[]; readonly conflicts?: string[] }
  | object;

/**
 * Merges the session of a completed sub-agent into the session of the run that asked. After a conflict nothing is written; agent and owner
 * are told, and the branch of the sub-agent stays for `bloom session resolve`.
 */
async function mergedWork(
  { garden }: ToolContext,
  record: SubRun,
  { place, manifest }: EndedSubRun,
  call: ToolCallScope,
): Promise<MergedWork> {
  const { repo } = garden;
  const session = await runSessionOf(repo, place);
  if (!session) return {};
  const changes = session.head === session.genesis ? [] : await repo.changes(record.at, session.head);
  const files = changes.map(({ path }) => path).slice(0, MAX_FILES);
  const work = { session: session.name, commit: null, files };
  if (manifest.status !== "completed") return work;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const known = (await commitsByRequest(repo, record.session)).get(call.key);
    if (known) return { ...work, commit: known.commit };
    if (changes.length === 0) return work;
    const merged = await mergeSession(garden, {
      into: record.session,
      from: session.name,
      fields: {
        request: call.key,
        run: record.run_id,
        slug: record.agent_slug,
        step: positionIn(call.key),
        ...placeOf(call),
      },
    });
    if (merged.kind === "merged") return { ...work, commit: merged.commit };
    if (merged.kind === "up-to-date") return work;
    if (merged.kind === "conflicts") {
      await tellOwner(garden, record, session.name, merged.conflicts);
      return { ...work, conflicts: merged.conflicts.map(({ path }) => path) };
    }
  }
  throw contended(record.session);
}

const placeOf = ({ place }: ToolCallScope): { diagram?: string; icon?: string; line?: number } => ({
  ...(place?.diagram !== undefined && { diagram: place.diagram }),
  ...(place?.icon !== undefined && { icon: place.icon }),
  ...(place?.line !== undefined && { line: place.line }),
});

/** Idempotent: the key is derived from the call. */
const tellOwner = (
  garden: ToolContext["garden"],
  record: SubRun,
  session: string,
  conflicts: readonly Conflict[],
): Promise<void> =>
  recordAudit(garden, `${record.id}-conflict`, {
    kind: "session-conflict",
    at: record.asked_at,
    by: record.agent_slug,
    subject: session,
    why: conflicts
      .map(({ path }) => path)
      .join(", ")
      .slice(0, 500),
    details: { agent: record.agent_slug, run: record.run_id, into: record.session, from: session },
  });

const contended = (session: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the branch agents/${session} kept changing; the sub-agent's work is not merged yet`,
    uk: `гілку agents/${session} весь час змінювали інші; роботу субагента ще не злито`,
    details: { session },
  });
