import type { Language, Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { type Contract, readContract } from "../../../domain/contract/contract.ts";
import { newContractFile } from "../../../domain/contract/contract-file.ts";
import type { ImportDraft } from "../../../domain/import/import-draft.ts";
import { keys } from "../../../domain/layout.ts";
import { keySegment } from "../../../domain/store-key.ts";
import { problemText } from "../../../domain/text/checked-yaml.ts";
import { agentExporter } from "../../../drakon/export/agent-exporter.ts";
import { draftFromOutline, FIRST_DRAFT } from "../../../drakon/from-tree/draft-from-outline.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import type { FirstFiles } from "../lifecycle/first-files.ts";

export interface DraftWish {
  readonly slug: string;
  readonly language: Language;
  readonly model?: string | undefined;
  /** ISO time. */
  readonly at: string;
}

export type DraftFiles =
  | {
      readonly kind: "files";
      readonly files: FirstFiles;
      readonly contract: Contract;
      /** Steps and questions of the first diagram; 0 without one. */
      readonly icons: number;
    }
  | { readonly kind: "invalid"; readonly why: readonly Text[] };

export const REPORT_FILE = "sources/import-report.json";

/** The files of the agent that a draft describes, and its contract as read back from them. */
export function draftFiles(draft: ImportDraft, wish: DraftWish): DraftFiles {
  const { slug } = wish;
  const others = new Map<string, Uint8Array>();
  for (const { path, bytes } of draft.files) others.set(`${keys.agentFolder(slug)}sources/${keptPath(path)}`, bytes);
  const drawn = draft.outline && draftFromOutline(draft.name, draft.outline, wish.language);
  let contract = contractText(draft, wish, drawn !== undefined);
  if (drawn) {
    const exported = agentExporter({
      pseudocode: drawn.pseudocode,
      generatedFrom: MAIN_DIAGRAM,
      language: wish.language,
      at: wish.at,
      agent: contract,
    });
    if (exported.kind === "refused") return { kind: "invalid", why: [exported.why] };
    contract = exported.agentFile;
    others.set(keys.diagram(slug, MAIN_DIAGRAM), Buffer.from(drawn.diagram));
    others.set(keys.pseudocode(slug), Buffer.from(drawn.pseudocode));
  }
  const reading = readContract(Buffer.from(contract));
  if (reading.kind === "problems")
    return { kind: "invalid", why: reading.problems.map((problem) => problemText("_agent.md", problem)) };
  return { kind: "files", files: { contract, others }, contract: reading.contract, icons: drawn?.icons ?? 0 };
}

/** Paths of the source as keys: leading dots and the folder of workflows say nothing here. */
export const keptPath = (path: string): string =>
  path
    .replace(/^\.github\/workflows\//, "")
    .split("/")
    .map((part) => keySegment(part.replace(/^\.+/, "") || "_"))
    .join("/");

function contractText(draft: ImportDraft, { slug, model, at, language }: DraftWish, isDrawn: boolean): string {
  const { fields } = draft;
  const file = newContractFile({
    name: draft.name,
    slug,
    version: isDrawn ? "0.0.0" : "1.0.0",
    description: draft.description,
    model: model ?? fields.model ?? FOLLOWER,
    max_steps: fields.max_steps,
    tools: fields.tools,
    safe_outputs: fields.safe_outputs,
    budget: fields.budget,
    timeouts: fields.timeouts,
    network: fields.network,
    mcp: fields.mcp,
    tags: fields.tags,
    workspace: fields.workspace,
    triggers: { manual: true, ...(fields.cron !== undefined && { cron: fields.cron }) },
    ...(fields.cron !== undefined && { timezone: "UTC" }),
    created_at: at,
    updated_at: at,
    created_by: "owner",
    status: "draft",
    "x-import": { format: draft.format, file: draft.file, report: REPORT_FILE },
  });
  const body = draft.body.trim();
  return `${file.text}\n${body}\n${isDrawn ? `\n> ${FIRST_DRAFT[language]}\n` : ""}`;
}
