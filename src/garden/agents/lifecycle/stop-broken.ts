import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import { isFailure } from "../../../base/failure.ts";
import { joined, type Text } from "../../../base/text.ts";
import { statusOfText } from "../../../domain/contract/status-line.ts";
import { keys } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import { auditOf, recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";
import { diagramHashes } from "../../records/agents/agent-diagrams.ts";
import { type AgentFileReading, problemsText, readAgentFile } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { agentSlugs } from "../../records/status.ts";
import { type ActivationReport, activationReport } from "./activation.ts";
import { changeAgentStatus } from "./change-status.ts";

const BY = { type: "gateway" } as const;

/** A file must be wrong in the same bytes for this long: an editor may be writing it. */
const SETTLE_MS = 1500;

/** C-7: looks at every agent (`stopBrokenAgent`) and returns the slugs of those that were set to `error`. */
export async function stopBrokenAgents(garden: Garden): Promise<readonly string[]> {
  const stopped: string[] = [];
  for (const slug of await agentSlugs(garden.store)) if (await stopBrokenAgent(garden, slug)) stopped.push(slug);
  return stopped;
}

/**
 * Sets an active agent whose contract or diagram no longer holds to `error`, with an audit record of what is wrong, when the same
 * bytes were found `SETTLE_MS` ago. Idempotent: an agent in `error` is left alone until its owner activates it. Unchanged files
 * are not checked again.
 */
export async function stopBrokenAgent(garden: Garden, slug: string): Promise<boolean> {
  const seen = await readAgentFile(garden.store, slug);
  if (seen.kind === "absent") return false;
  const known = looks.get(garden.store) ?? new Map<string, Look>();
  looks.set(garden.store, known);
  const print = await fingerprint(garden, slug, seen);
  const now = garden.world.now();
  let look = known.get(slug);
  if (look?.print !== print) look = { print, since: now, settled: !(await isBroken(garden, slug, seen)) };
  known.set(slug, look);
  if (look.settled || Math.abs(now - look.since) < SETTLE_MS) return false;
  const isStopped = await stop(garden, slug, seen);
  known.set(slug, { ...look, settled: true });
  return isStopped;
}

/** Last look at an agent: `settled` if its files need no further look until they change. */
interface Look {
  readonly print: string;
  readonly since: number;
  readonly settled: boolean;
}
const looks = new WeakMap<Store, Map<string, Look>>();

async function stop(garden: Garden, slug: string, seen: AgentFileReading): Promise<boolean> {
  if (seen.kind === "broken" && statusIn(seen) === undefined) {
    await auditUnreadable(garden, slug, problemsText(slug, seen.problems));
    return false;
  }
  const report = await activationReport(garden, slug, seen);
  try {
    const { status } = await changeAgentStatus(garden, { slug, to: "error", by: BY, reason: faultsIn(report).en });
    return status === "error";
  } catch (error) {
    // Deleted in this moment, or a status line that cannot be edited alone.
    if (!isFailure(error, "NOT_FOUND") && !isFailure(error, "VALIDATION_FAILED")) throw error;
    return false;
  }
}

/** True for what `stop` acts on; also completes the audit record of a status that was written before a crash. */
async function isBroken(garden: Garden, slug: string, seen: AgentFileReading): Promise<boolean> {
  const status = statusIn(seen);
  if (status !== undefined) await forgetUnreadable(garden.store, slug);
  if (status === "error" && seen.kind === "agent") await auditMissedError(garden, slug, seen.agent);
  if (seen.kind === "broken" && status === undefined) return true;
  return status === "active" && !(await activationReport(garden, slug, seen)).ready;
}

const statusIn = (seen: AgentFileReading): ReturnType<typeof statusOfText> => {
  if (seen.kind === "absent") return undefined;
  return seen.kind === "agent" ? seen.agent.contract.status : statusOfText(new TextDecoder().decode(seen.bytes));
};

/** The failed checks, one per line. */
export const faultsIn = ({ checks }: Pick<ActivationReport, "checks">): Text =>
  joined(
    checks
      .filter(({ result }) => result === "fail")
      .map(({ title, words }) => ({ en: `${title.en}: ${words.en}`, uk: `${title.uk}: ${words.uk}` })),
    "\n",
  );

/** Everything that the activation checks depend on. */
async function fingerprint(garden: Garden, slug: string, seen: AgentFileReading): Promise<string> {
  const hash = seen.kind === "agent" ? seen.agent.hash : seen.kind === "broken" ? seen.hash : "";
  return canonicalId({ hash, models: garden.config.models, drawings: await diagramHashes(garden.store, slug) });
}

const unreadable = z.strictObject({ at: z.iso.datetime() });

/** No status can be read, so none can be written: the audit record and the lists of agents tell it. Once until it can be read. */
async function auditUnreadable(garden: Garden, slug: string, problems: Text): Promise<void> {
  const key = keys.unreadableContract(slug);
  const at = new Date(garden.world.now()).toISOString();
  const kept = tryReadJson((await createOrFind(garden.store, key, jsonBytes({ at }))).bytes, unreadable);
  await recordAudit(garden, `${slug}-unreadable`, {
    kind: "agent-status",
    at: kept?.at ?? at,
    by: "gateway",
    subject: slug,
    why: problems.en,
    details: { status: "error" },
  });
  await refreshRegistry(garden);
}

async function forgetUnreadable(store: Store, slug: string): Promise<void> {
  const key = keys.unreadableContract(slug);
  if (await store.get(key)) await store.delete(key);
}

/** A crash between the status line and its audit record loses the record; its time is in the file. */
async function auditMissedError(
  garden: Garden,
  slug: string,
  { contract, hash }: { readonly contract: { readonly updated_at: string }; readonly hash: string },
): Promise<void> {
  const at = contract.updated_at;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at)) return;
  const { write } = auditOf(`${slug}-error-`, {
    kind: "agent-status",
    at,
    by: "gateway",
    subject: slug,
    details: { status: "error", hash },
  });
  const prefix = write.key.replace(/\.json$/, "");
  if ((await garden.store.list(prefix, { limit: 1 })).entries.length > 0) return;
  await recordAudit(garden, `${slug}-error-${hash.slice(0, 8)}`, {
    kind: "agent-status",
    at,
    by: "gateway",
    subject: slug,
    details: { status: "error", hash },
  });
}
