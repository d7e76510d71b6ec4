import type { Json } from "../../base/canonical.ts";
import { blobId } from "../../base/canonical.ts";
import { keys } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { keySegment } from "../../domain/store-key.ts";
import { redact, redactJson } from "../../domain/text/redact.ts";
import type { Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";

/** Longer texts are cut in the trace; the step's record has them whole. */
const LONGEST_TEXT = 20_000;

interface Results {
  readonly place: RunPlace;
  readonly agent: { readonly version: string; readonly logic: string | null };
  readonly records: readonly StepRecord[];
  /** The proposals that the run made. */
  readonly proposals: readonly Proposal[];
  /** The last text of the model. */
  readonly answer: string;
  /** Values that are redacted. */
  readonly secrets: readonly string[];
}

/**
 * Writes the run's trace, its proposals (P-5) and its last words for people, under `output/`. All are derived from the journal, so a repetition after a
 * crash writes the same bytes. Secrets are redacted before the first write (S-6).
 */
export async function persistResults(
  store: Store,
  results: Results,
): Promise<{ files: { name: string; hash: string }[] }> {
  const { place, answer, secrets } = results;
  const outputs: [key: string, name: string, text: string][] = [
    [keys.runTrace(place.slug, place.run), "trace.jsonl", traceOf(results)],
  ];
  if (answer.trim() !== "")
    outputs.push([
      keys.runOutput(place.slug, place.run, "answer.md"),
      "answer.md",
      `${redact(answer.trim(), secrets)}\n`,
    ]);
  for (const [name, proposal] of namedProposals(results.proposals))
    outputs.push([keys.runOutput(place.slug, place.run, name), name, proposalFile(proposal, secrets)]);
  const files: { name: string; hash: string }[] = [];
  for (const [key, name, text] of outputs) {
    const bytes = Buffer.from(text);
    await store.create(key, bytes);
    files.push({ name, hash: blobId(bytes) });
  }
  return { files };
}

/** `proposal-summary-sonata-bwv1001.json` (source 001 §6.1): the action and the name of the target; a repeated name is numbered. */
function namedProposals(proposals: readonly Proposal[]): ReadonlyMap<string, Proposal> {
  const named = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const action = proposal.action.replace(/^propose-/, "");
    const target = proposal.target.replace(/^.*\//, "").replace(/\.[a-z]{1,8}$/i, "");
    const base = `proposal-${action}-${keySegment(target.slice(0, 60))}`;
    let name = `${base}.json`;
    for (let more = 2; named.has(name); more++) name = `${base}-${more}.json`;
    named.set(name, proposal);
  }
  return named;
}

/** The immutable part of a proposal: its states are in the proposal's own log. */
function proposalFile(proposal: Proposal, secrets: readonly string[]): string {
  const { id, entry_id, source, action, target, content, base, digest, created_at, expires_at } = proposal;
  const shown = { id, entry_id, source, action, target, content, base, digest, created_at, expires_at };
  return `${JSON.stringify(redactJson(shown, secrets), null, 2)}\n`;
}

/** One JSON value per line: the run, then every call with its result. */
function traceOf({ place, agent, records, secrets }: Results): string {
  const clean = (value: unknown): Json => cut(value, secrets);
  const lines: object[] = [{ kind: "run", run: place.run, agent: place.slug, ...agent }];
  for (const record of records) {
    if (record.kind === "step") continue;
    const {
      position,
      name,
      kind,
      diagram,
      icon,
      line,
      input,
      output,
      failure,
      tokens,
      proposals,
      started_at,
      finished_at,
    } = record;
    lines.push({
      kind,
      step: position,
      name,
      ...(diagram !== undefined && { diagram }),
      ...(icon !== undefined && { icon }),
      ...(line !== undefined && { line }),
      at: started_at,
      ms: Math.max(0, Date.parse(finished_at) - Date.parse(started_at)),
      input: clean(input),
      ...(failure ? { failure: { code: failure.code, text: clean(failure.text) } } : { output: clean(output) }),
      ...(tokens && { tokens }),
      ...(proposals.length > 0 && { proposals }),
    });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The value with its texts redacted and cut. Names of members are redacted too. */
function cut(value: unknown, secrets: readonly string[]): Json {
  if (typeof value === "string") {
    const clean = redact(value, secrets);
    return clean.length <= LONGEST_TEXT
      ? clean
      : `${clean.slice(0, LONGEST_TEXT).toWellFormed()}… (+${clean.length - LONGEST_TEXT})`;
  }
  if (Array.isArray(value)) return value.map((item) => cut(item, secrets));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [redact(name, secrets), cut(member, secrets)]),
    );
  return value as Json;
}
