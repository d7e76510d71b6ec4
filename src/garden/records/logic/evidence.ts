import { Failure } from "../../../base/failure.ts";
import { parseId } from "../../../base/ids.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";

export interface EvidenceQuestion {
  readonly slug: string;
  readonly evidence: readonly string[];
  /** The first version: there is nothing to observe yet. */
  readonly first: boolean;
  readonly byOwner: boolean;
  readonly proposal: string;
}

/**
 * L-6: a change of logic names at least one existing run of that agent. The first version, and an owner's change while
 * the agent has no run, need none. Returns the failure, or undefined.
 */
export async function evidenceProblem(store: Store, question: EvidenceQuestion): Promise<Failure | undefined> {
  const { slug, evidence, first, byOwner, proposal } = question;
  const missing: string[] = [];
  for (const run of evidence) if (!(await store.get(keys.runManifest(slug, run.toLowerCase())))) missing.push(run);
  if (missing.length > 0) return noSuchRuns(slug, missing);
  if (evidence.length > 0 || first) return undefined;
  if (byOwner && !(await hasRecordedRun(store, slug, proposal))) return undefined;
  return noEvidence(slug);
}

/**
 * True if the agent had a finished run when the proposal was made. Later runs do not count: a proposal that needed no
 * evidence must not become invalid while it waits.
 */
export async function hasRecordedRun(store: Store, slug: string, proposal?: string): Promise<boolean> {
  const before = proposal === undefined ? undefined : parseId(proposal)?.at;
  for await (const { key } of everyKey(store, keys.runs(slug))) {
    const run = /\/runs\/([^/]+)\/manifest\.json$/.exec(key)?.[1];
    if (run === undefined) continue;
    const at = parseId(run)?.at;
    if (before === undefined || at === undefined || at <= before) return true;
    return false; // ids sort by time: all further ones are later
  }
  return false;
}

const noSuchRuns = (slug: string, runs: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `named as evidence, but no finished run of ${slug}: ${runs.join(", ")}`,
    uk: `названо доказом, але це не завершений запуск ${slug}: ${runs.join(", ")}`,
    details: { agent: slug, missing: runs },
  });

const noEvidence = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a change of logic names at least one run as evidence (`rationale.evidenceRuns`)",
    uk: "зміна логіки називає щонайменше один запуск як доказ (`rationale.evidenceRuns`)",
    details: { agent: slug },
  });
