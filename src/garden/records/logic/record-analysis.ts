import { canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import {
  type AnalysisRecord,
  analysisRecord,
  readAnalysis,
  withAnalysis,
} from "../../../domain/logic/logic-analysis.ts";
import { metaText } from "../../../domain/logic/logic-meta.ts";
import type { Edit } from "../../../ports/repo.ts";
import { everyKey } from "../../../ports/store.ts";
import { commitBookkeeping } from "../../core/commit-bookkeeping.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes } from "../../core/json-record.ts";
import { findLogic } from "./logic-state.ts";

/** The kind of bookkeeping commit that records the optimizers' findings (P-8a, Z-6). */
export const ANALYSES = "analyses";

type Ground = Pick<Garden, "store" | "repo" | "world">;

/**
 * Records an analysis, once per tool call: a repeated call after a crash returns the first record. The record is written
 * before the mark that it must go into git, so that a crash between them is repaired by the repetition.
 */
export async function recordAnalysis({ store }: Ground, call: string, made: AnalysisRecord): Promise<AnalysisRecord> {
  const key = keys.logicAnalysis(made.agent, `${made.run}-${canonicalId([made.run, call]).slice(0, 8)}`);
  await store.create(key, jsonBytes(analysisRecord.parse(made)));
  crashPoint("analysis.recorded");
  const stored = await store.get(key);
  await store.put(keys.unwrittenAnalysis(made.agent), jsonBytes({ key }));
  return (stored && readAnalysis(stored.bytes)) ?? made;
}

/**
 * Writes the newest analyses into `current.meta.json` of their agents, in one bookkeeping commit. Idempotent, because it
 * is derived from the records. Postponed while a person has uncommitted edits of such a file, or if main moves meanwhile.
 */
export async function writeAnalyses(garden: Ground): Promise<Oid | undefined> {
  const { store, repo } = garden;
  const notes: { readonly key: string; readonly hash: string; readonly analysis: AnalysisRecord | undefined }[] = [];
  for await (const { key } of everyKey(store, keys.unwrittenAnalyses)) {
    const note = await store.get(key);
    const named = note && /"key": "([^"]+)"/.exec(Buffer.from(note.bytes).toString())?.[1];
    const record = named === undefined ? undefined : await store.get(named);
    if (note) notes.push({ key, hash: note.hash, analysis: record && readAnalysis(record.bytes) });
  }
  const head = notes.length === 0 ? undefined : await repo.resolve(MAIN_REF);
  if (head === undefined) return undefined;
  const edits: Edit[] = [];
  for (const { analysis } of notes) {
    const state = analysis && (await findLogic(repo, head, analysis.agent).catch(() => undefined));
    if (!state) continue;
    const text = metaText(withAnalysis(state.meta, analysis));
    if (text !== state.metaText)
      edits.push({ path: logicPath.current(analysis.agent, "meta"), bytes: Buffer.from(text) });
  }
  const commit = edits.length === 0 ? undefined : await committed(garden, head, edits);
  if (edits.length > 0 && commit === undefined) return undefined;
  crashPoint("analysis.committed");
  // A newer analysis has replaced the mark: then the hash differs and the mark stays.
  for (const { key, hash } of notes) await store.remove(key, hash);
  return commit;
}

function committed(garden: Ground, head: Oid, edits: readonly Edit[]): Promise<Oid | undefined> {
  const slugs = edits.map(({ path }) => path.split("/")[1]);
  const message = `analyses: ${slugs.slice(0, 5).join(", ")}${slugs.length > 5 ? ", …" : ""}`;
  return commitBookkeeping(garden, head, { kind: ANALYSES, message, edits });
}
