import { z } from "zod";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { inTurns } from "../../base/in-turns.ts";
import { type Identity, identityName, isPerson } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import {
  runOfSandboxId,
  type SandboxEnd,
  type SandboxEntry,
  sandboxEnd,
  sandboxEntry,
} from "../../domain/run/sandbox.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import { previewWish, type WishPreview } from "../changes/inbox/preview-wish.ts";
import { receive } from "../changes/inbox/receive.ts";
import { type AuditDeps, recordAudit } from "../core/audit.ts";
import { createRecord } from "../core/flow/create-record.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson, tryReadJson } from "../core/json-record.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";
import { findRun } from "./read-runs.ts";

/** An entry of the sandbox with the owner's decision on it, if there is one. */
export interface SandboxedProposal {
  readonly entry: SandboxEntry;
  readonly end: SandboxEnd | undefined;
}

const openEntry = z.object({ id: z.string(), run: z.string(), slug: z.string() });

/** S-7: what experiments would have proposed and nobody has promoted or discarded, oldest first. */
export async function openSandbox(garden: AuditDeps): Promise<readonly SandboxEntry[]> {
  const { store } = garden;
  const shown: string[] = [];
  for await (const { key } of everyKey(store, keys.openSandbox)) shown.push(key);
  const found = await inTurns(shown, async (key) => {
    const view = tryReadJson((await store.get(key))?.bytes, openEntry);
    const one = view && (await readEntry(store, view, view.id));
    if (one?.end) await concludeEnd(garden, one.entry, one.end); // the process of the decision died before that
    return one && !one.end ? [one.entry] : [];
  });
  return found.flat().toSorted((a, b) => (a.made_at < b.made_at ? -1 : 1));
}

/** Everything that an experiment would have proposed, in its order. */
export async function sandboxOf(store: Store, place: RunPlace): Promise<readonly SandboxedProposal[]> {
  const found: SandboxedProposal[] = [];
  for await (const { key } of everyKey(store, keys.sandboxEntries(place.slug, place.run))) {
    const id = key.slice(key.lastIndexOf("/") + 1, -".json".length);
    const one = id.endsWith(".end") ? undefined : await readEntry(store, place, id);
    if (one) found.push(one);
  }
  return found.toSorted((a, b) => a.entry.step - b.entry.step);
}

async function readEntry(store: Store, { slug, run }: RunPlace, id: string): Promise<SandboxedProposal | undefined> {
  const [key, endKey] = [keys.sandboxEntry(slug, run, id), keys.sandboxEnd(slug, run, id)];
  const [stored, end] = await Promise.all([store.get(key), store.get(endKey)]);
  return (
    stored && {
      entry: readJson(key, stored.bytes, sandboxEntry),
      end: end && readJson(endKey, end.bytes, sandboxEnd),
    }
  );
}

/** One entry, and what it would change now. Throws NOT_FOUND. */
export async function showSandboxed(
  garden: Garden,
  id: string,
): Promise<SandboxedProposal & { readonly preview: WishPreview }> {
  const { place, ...found } = await findSandboxed(garden, id);
  return {
    ...found,
    preview: await previewWish(garden, wishOf(found.entry), await readAgent(garden.store, place.slug)),
  };
}

async function findSandboxed({ store }: Garden, id: string): Promise<SandboxedProposal & { readonly place: RunPlace }> {
  const run = runOfSandboxId(id);
  const place = run === undefined ? undefined : await findRun({ store }, run).catch(() => undefined);
  const found = place && (await readEntry(store, place, id));
  if (!place || !found) throw noSuchSandboxed(id);
  return { place, ...found };
}

const wishOf = ({
  run_id: run,
  agent_slug: slug,
  action,
  payload,
  summary,
  reasoning,
  priority,
  journal,
}: SandboxEntry) => ({
  identity: { type: "agent" as const, slug, run },
  action,
  payload,
  summary,
  reasoning,
  priority,
  journal,
});

/**
 * Makes a real proposal of a sandboxed one: it goes through the gate as the agent's, at the present main, and waits for a decision like any
 * other; no rule approves it. Idempotent. Throws the refusal of the gate.
 */
export async function promoteSandboxed(garden: Garden, { id, by }: SandboxDecision): Promise<SandboxedProposal> {
  if (!isPerson(by)) throw onlyOwnerPromotes(by);
  const { place, entry, end } = await findSandboxed(garden, id);
  if (end?.verdict === "discarded") throw alreadyDiscarded(id, end);
  if (end) return { entry, end: await concludeEnd(garden, entry, end) };
  const wish = { ...wishOf(entry), correlation_id: `promote-${id}`, promoted_by: identityName(by) };
  const received = await receive(garden, wish);
  if (received.kind === "refused") throw received.failure;
  crashPoint("run.sandbox.promoted");
  const ended = await endEntry(garden, place, entry, { verdict: "promoted", proposal: received.proposal.id, by });
  return { entry, end: ended };
}

export interface SandboxDecision {
  readonly id: string;
  readonly by: Identity;
}

/** Takes an entry out of the sandbox's list; it stays with its run. Idempotent. */
export async function discardSandboxed(garden: Garden, { id, by }: SandboxDecision): Promise<SandboxedProposal> {
  if (!isPerson(by)) throw onlyOwnerPromotes(by);
  const { place, entry, end } = await findSandboxed(garden, id);
  const ended = end
    ? await concludeEnd(garden, entry, end)
    : await endEntry(garden, place, entry, { verdict: "discarded", by });
  return { entry, end: ended };
}

async function endEntry(
  garden: Garden,
  { slug, run }: RunPlace,
  entry: SandboxEntry,
  decision: Pick<SandboxEnd, "verdict" | "proposal"> & { readonly by: Identity },
): Promise<SandboxEnd> {
  const { store, world } = garden;
  const key = keys.sandboxEnd(slug, run, entry.id);
  const at = new Date(world.now()).toISOString();
  const draft = sandboxEnd.parse({ ...decision, by: identityName(decision.by), at, op: operationMark(world) });
  const { bytes } = await createRecord({ store, pause: realPause }, key, jsonBytes(draft));
  const end = readJson(key, bytes, sandboxEnd);
  crashPoint("run.sandbox.ended");
  return concludeEnd(garden, entry, end);
}

/** Records the decision and takes the entry off the list. Idempotent: whoever finds a decision without that concludes it. */
async function concludeEnd(garden: AuditDeps, entry: SandboxEntry, end: SandboxEnd): Promise<SandboxEnd> {
  const { id, summary, agent_slug: agent, run_id: run } = entry;
  await recordAudit(garden, `${id}-${end.verdict}`, {
    kind: "sandbox-decided",
    at: end.at,
    by: end.by,
    subject: id,
    why: summary,
    details: { agent, run, verdict: end.verdict, ...(end.proposal !== undefined && { proposal: end.proposal }) },
  });
  crashPoint("run.sandbox.audited");
  await garden.store.delete(keys.openSandboxEntry(id));
  return end;
}

const noSuchSandboxed = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the sandbox has no entry ${id}`,
    uk: `у пісочниці немає запису ${id}`,
    hint: { en: "`bloom sandbox` lists them.", uk: "Їх показує `bloom sandbox`." },
    details: { id },
  });

const alreadyDiscarded = (id: string, { by, at }: SandboxEnd): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} was discarded by ${by} at ${at}`,
    uk: `${id} відкинув ${by} о ${at}`,
    details: { id },
  });

const onlyOwnerPromotes = (by: Identity): Failure =>
  new Failure("FORBIDDEN", {
    en: `${identityName(by)} may not decide on the sandbox: only the owner may`,
    uk: `${identityName(by)} не вирішує щодо пісочниці: це робить лише власник`,
  });
