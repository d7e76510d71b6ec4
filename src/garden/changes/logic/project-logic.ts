import { blobId } from "../../../base/canonical.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { contractKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import { versionNamed, versionNumber } from "../../../domain/logic/logic-version.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { type NewAgentChange, writeAgentFile } from "../../records/agents/agent-changes.ts";
import { commitAgentFiles, commitHandEdits } from "../../records/agents/commit-agent-files.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { exportedContract, logicIn } from "../../records/logic/exported-contract.ts";
import { languageAt } from "../../records/logic/garden-language.ts";
import { findLogic, type LogicState, logicOfVersion } from "../../records/logic/logic-state.ts";
import { isConsistentLogic, languageOf, textBehaviour } from "../../records/logic/proposed-logic.ts";

export interface ProjectOptions {
  /** The store's hash of an `_agent.md` whose hand-changed body a person saw being replaced. */
  readonly overHand?: Hash | undefined;
  /** The identity that decided it, for the commit (G-1a). */
  readonly by?: string;
  /** The proposal, or the person's commit, that made this the logic. */
  readonly cause?: string;
}

const MAX_TRIES = 20;

/**
 * Writes `drakon/` (the main diagram and those that it calls), `pseudocode.md` and `_agent.md` in the store from the logic on main (L-2), in that order,
 * and returns the keys that it wrote. Idempotent and safe in several processes at once: each file is read before main is,
 * and swapped against what was read, so an older version never overwrites a newer one and a concurrent edit by the owner
 * is kept. After a crash between two files, calling it again completes them.
 */
export async function projectLogic(
  garden: Garden,
  slug: string,
  options: ProjectOptions = {},
): Promise<readonly string[]> {
  const { store } = garden;
  // Without a contract there is no agent (C-1), and a folder must not look like one.
  const contract = await textOf(store, contractKey(slug));
  const first = await logicNow(garden, slug);
  if (contract === undefined || !first) return [];
  const mainFile = await unlessInvalid(() => mainFileOf(contract));
  if (mainFile === undefined) return [];
  const written: string[] = [];
  const put = async (key: string, wanted: (now: LogicState) => string | undefined): Promise<void> => {
    const now = async (): Promise<LogicState> => (await logicNow(garden, slug))?.state ?? first.state;
    if (await writeIfChanged(garden, key, now, wanted, options)) written.push(key);
  };
  const drawn = ({ diagram }: LogicState): ReadonlyMap<string, string> =>
    new Map(
      diagram === undefined ? [] : diagramsOfVersion(diagram, mainFile, []).map(({ file, text }) => [file, text]),
    );
  for (const file of drawn(first.state).keys()) await put(keys.diagram(slug, file), (now) => drawn(now).get(file));
  await put(keys.pseudocode(slug), ({ procedure }) => procedure);
  if (await projectContract(garden, slug, options)) written.push(contractKey(slug));
  await refreshRegistry(garden); // a crash before this is repaired by the next reader
  await commitAgentFiles(garden, slug);
  return written;
}

async function projectContract(garden: Garden, slug: string, options: ProjectOptions): Promise<boolean> {
  const key = contractKey(slug);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await garden.store.get(key);
    const now = stored && (await logicNow(garden, slug));
    if (!stored || !now) return false;
    const logic = now.state;
    const contract = Buffer.from(stored.bytes).toString();
    const mainFile = await unlessInvalid(() => mainFileOf(contract));
    if (mainFile === undefined) return false;
    const exported = exportedContract({
      contract,
      version: logic.meta.logicVersion,
      procedure: logic.procedure,
      mainFile: logic.diagram === undefined ? undefined : mainFile,
      language: languageOf(logic.procedure) ?? (await languageAt(garden.repo, now.head)),
      at: logic.meta.activeSince,
      overHand: options.overHand === stored.hash,
    });
    // A damaged contract is left to the owner; `bloom verify` reports it, and calling this again completes it.
    if (!exported || exported.text === contract) return false;
    if (!exported.keptByHand) await keepHandEdit(garden, contract, now);
    await commitHandEdits(garden, slug, [key]);
    const bytes = Buffer.from(exported.text);
    if (await writeAgentFile(garden, exportOf(logic, options), { key, expected: stored.hash, bytes })) return true;
  }
  throw contended(key);
}

/** Copies a hand-changed body into the audit record before the approved logic replaces it, because the store has no history. */
async function keepHandEdit(
  garden: Pick<Garden, "repo" | "store" | "signals">,
  contract: string,
  { state, head }: LogicNow,
): Promise<void> {
  const { slug, meta, procedure, diagram } = state;
  const body = logicIn(contract, diagram !== undefined);
  if (body === undefined || body.trim() === "") return;
  const before = versionNamed(versionNumber(meta.logicVersion) - 1);
  const ours = [procedure, (await logicOfVersion(garden.repo, head, state, before))?.procedure];
  if (ours.some((text) => text !== undefined && textBehaviour(text) === textBehaviour(body))) return;
  const hash = blobId(Buffer.from(contract)).slice(0, 12);
  await recordAudit(garden, `${slug}-${meta.logicVersion}-${hash}-body-replaced`, {
    kind: "body-replaced",
    at: meta.activeSince,
    by: "gateway",
    subject: slug,
    why: `${meta.logicVersion} takes the place of a body that no version has`,
    details: { replaced: contract },
  });
}

/** The change of an agent's files that follows from its logic. */
const exportOf = ({ slug, meta }: LogicState, { by = "gateway", cause }: ProjectOptions): NewAgentChange => ({
  slug,
  what: `export logic ${meta.logicVersion}`,
  by,
  at: meta.activeSince,
  logic: meta.logicVersion,
  cause,
});

/** Writes one object by create or swap; `wanted` returning undefined means that there is nothing to write. */
async function writeIfChanged(
  garden: Garden,
  key: string,
  now: () => Promise<LogicState>,
  wanted: (state: LogicState) => string | undefined,
  options: ProjectOptions,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await garden.store.get(key);
    const state = await now();
    const text = wanted(state);
    if (text === undefined) return false;
    const bytes = Buffer.from(text);
    if (stored && bytes.equals(stored.bytes)) return false;
    if (stored) await commitHandEdits(garden, state.slug, [key]);
    if (await writeAgentFile(garden, exportOf(state, options), { key, expected: stored?.hash, bytes })) return true;
  }
  throw contended(key);
}

interface LogicNow {
  readonly head: Oid;
  readonly state: LogicState;
}

async function logicNow(garden: Pick<Garden, "repo">, slug: string): Promise<LogicNow | undefined> {
  const head = await garden.repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await unlessInvalid(() => findLogic(garden.repo, head, slug));
  // Logic that was damaged by hand in git is not exported: the store keeps its files, and `bloom verify` reports it.
  return head !== undefined && state && isConsistentLogic(state) ? { head, state } : undefined;
}

/** Undefined instead of a validation failure: files damaged by people must not stop a change that has landed. */
async function unlessInvalid<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return undefined;
    throw error;
  }
}

async function textOf(store: Store, key: string): Promise<string | undefined> {
  const stored = await store.get(key);
  return stored && Buffer.from(stored.bytes).toString();
}

const contended = (key: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${key} keeps changing while it is being written`,
    uk: `${key} змінюється під час запису`,
    details: { key },
  });
