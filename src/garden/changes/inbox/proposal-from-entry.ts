import { derivedId, type Id } from "../../../base/ids.ts";
import type { Language, Text } from "../../../base/text.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { memorySentences } from "../../../domain/memory/memory-sentences.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { previewOfChange } from "../../../domain/proposal/change-preview.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { artifactKey, type Operation, targetOf } from "../../../domain/proposal/operation.ts";
import { type ProposalMade } from "../../../domain/proposal/proposal.ts";
import { digestOf } from "../../../domain/proposal/proposal-digest.ts";
import type { Garden } from "../../core/garden.ts";
import { originOfRun } from "../../records/runs/run-origin.ts";
import type { GatePass } from "./gate.ts";

const HOUR_MS = 3_600_000;

/** Derived from the entry: receiving it twice makes one proposal. */
export const proposalIdOf = ({
  id,
  source,
}: {
  readonly id: string;
  readonly source: { readonly timestamp: string };
}): Id<"prop"> => derivedId("prop", Date.parse(source.timestamp), id);

/** The first event of the proposal that an entry becomes (P-5), derived from the entry and the facts of the gate alone. */
export async function proposalFromEntry(
  garden: Pick<Garden, "repo" | "store">,
  config: GardenConfig,
  entry: InboxEntry,
  { operation, base, ready, agent }: GatePass,
): Promise<ProposalMade> {
  const { source, intent, metadata } = entry;
  const target = targetOf(operation);
  const targetHash = await targetHashOf(garden, operation, base);
  const { identity: slug, run_id: run } = source;
  const origin = source.type === "agent" && run !== undefined ? await originOfRun(garden.store, { slug, run }) : {};
  const logic = origin.pinned ? origin.pinned.logic : agent?.contract.logic_version;
  const preview = previewOfChange(operation, ready.review, ready.sentences ?? [], config.language ?? "en");
  const made = {
    id: proposalIdOf(entry),
    entry_id: entry.id,
    source,
    ...(agent && {
      agent: {
        slug: agent.slug,
        version: origin.pinned?.version ?? agent.contract.version,
        ...(typeof logic === "string" && { logic }),
      },
    }),
    ...(origin.forkedFrom !== undefined && { forked_from: origin.forkedFrom }),
    action: operation.action,
    target,
    operation,
    base: { revision: base, ...(targetHash !== undefined && { target_hash: targetHash }) },
    effect: ready.effect,
    ...(preview && { preview }),
    summary: summaryOf(config, intent.summary, operation, target),
    ...whyOf(intent, operation),
    correlation_id: metadata.correlation_id,
    priority: metadata.priority,
    ...(metadata.edits !== undefined && { edits: metadata.edits }),
    ...(metadata.reverts !== undefined && { reverts: metadata.reverts }),
    ...(origin.revises !== undefined && { revises: origin.revises }),
    created_at: source.timestamp,
    expires_at: new Date(Date.parse(source.timestamp) + metadata.ttl_hours * HOUR_MS).toISOString(),
  };
  return { type: "made", ...made, digest: digestOf(made) };
}

/** The sender's reasoning and citations; where an agent gives none, those of the run's journal (P-5a). */
function whyOf({ reasoning, citations = [], journal }: InboxEntry["intent"], { action, payload }: Operation) {
  const said = reasoning ?? journal?.reasoning;
  const given = [...citations, ...(action === "propose-summary" ? payload.citations : [])];
  const cited = given.length > 0 ? given : (journal?.citations ?? []);
  return { ...(said !== undefined && { reasoning: said }), ...(cited.length > 0 && { citations: cited }) };
}

/** One line, because it becomes the subject of a commit: a line break could forge a trailer. */
export function summaryOf(
  { language }: Pick<GardenConfig, "language">,
  said: string | undefined,
  operation: Operation,
  target: string,
): string {
  const line = (said ?? "")
    .toWellFormed()
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .trim();
  return line === "" ? titleOf(operation, target, language ?? "en") : line;
}

const MAX_TITLE = 160;

/** The title of a proposal whose sender gave none: its reason in a person's words, or the change itself (P-5). */
function titleOf(operation: Operation, target: string, language: Language): string {
  if (operation.action === "logic-update" || operation.action === "logic-rollback") {
    const { agent, rationale } = operation.payload;
    const why = ("change" in rationale && rationale.change) || rationale.problem;
    const to = operation.action === "logic-rollback" ? ` ${BACK_TO[language]} ${operation.payload.toVersion}` : "";
    if (why.trim() !== "") return short(`${agent}:${to === "" ? "" : `${to},`} ${why}`);
  }
  if (operation.action === "memory-update") {
    const [first] = memorySentences(operation.payload.operations, {});
    if (first) return short(`${operation.payload.agent}: ${first[language]}`);
  }
  return `${SUMMARIES[operation.action][language]} ${target}`;
}

const BACK_TO: Text = { en: "back to", uk: "назад до" };

const short = (text: string): string => {
  const line = text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).toWellFormed()}…`;
};

/** The hash of the target, if it is one file or one object. */
async function targetHashOf(
  { repo, store }: Pick<Garden, "repo" | "store">,
  { action, payload }: Operation,
  base: string,
): Promise<string | undefined> {
  switch (action) {
    case "propose-note":
    case "propose-edit":
    case "propose-tag":
      return (await repo.read(base, payload.path))?.oid;
    case "propose-comment":
    case "propose-summary":
      return (await repo.read(base, payload.note))?.oid;
    case "propose-artifact":
      return (await store.get(artifactKey(payload.agent, payload.name)))?.hash;
    default:
      return undefined;
  }
}

const SUMMARIES: Readonly<Record<Action, Text>> = {
  "propose-note": { en: "Add", uk: "Додати" },
  "propose-edit": { en: "Edit", uk: "Змінити" },
  "propose-tag": { en: "Tag", uk: "Позначити тегами" },
  "propose-comment": { en: "Comment on", uk: "Прокоментувати" },
  "propose-summary": { en: "Summarise", uk: "Підсумувати" },
  "propose-artifact": { en: "Add", uk: "Додати" },
  "memory-update": { en: "Update", uk: "Оновити" },
  "logic-update": { en: "Change", uk: "Змінити" },
  "logic-rollback": { en: "Roll back", uk: "Повернути" },
  "propose-merge": { en: "Merge", uk: "Злити" },
};
