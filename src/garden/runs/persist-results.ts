import type { Json } from "../../base/canonical.ts";
import { blobId } from "../../base/canonical.ts";
import { keys } from "../../domain/layout.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { redact } from "../../domain/text/redact.ts";
import type { Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";

/** What is longer stands whole in the step's own record. */
const LONGEST_TEXT = 20_000;

interface Results {
  readonly place: RunPlace;
  readonly agent: { readonly version: string; readonly logic: string | null };
  readonly records: readonly StepRecord[];
  /** What the run said at its end. */
  readonly answer: string;
  /** Values that must not be written anywhere. */
  readonly secrets: readonly string[];
}

/**
 * Writes what the run leaves behind for people, under `output/`: its console trace and its last words. All of it follows from
 * the journal, so that doing it again after a crash writes the same bytes; secrets go before the first write (S-6).
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
  const files: { name: string; hash: string }[] = [];
  for (const [key, name, text] of outputs) {
    const bytes = Buffer.from(text);
    await store.create(key, bytes);
    files.push({ name, hash: blobId(bytes) });
  }
  return { files };
}

/** One JSON value per line: what the run was, then every call with what came of it. */
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

/** The value with its texts redacted, and cut where they are long. Names of members are data too. */
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
