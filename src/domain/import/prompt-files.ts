import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import { checkModel } from "../config/model-registry.ts";
import type { Tool } from "../contract/tool.ts";
import { redact } from "../text/redact.ts";
import { bodyFindings } from "./body-findings.ts";
import { type FrontSource, readFrontSource } from "./front-source.ts";
import { NO_GRANTS } from "./grants.ts";
import {
  asOneLine,
  firstHeading,
  firstParagraph,
  type ImportDraft,
  type ImportFormat,
  type ImportWish,
  type KeptFile,
  type NoDraft,
  slugFrom,
} from "./import-draft.ts";
import { type ImportEntry, inReadingOrder } from "./import-report.ts";
import type { SourceFiles } from "./included-files.ts";
import { KeyLedger } from "./key-ledger.ts";
import { stepOutline } from "./outline.ts";
import { promptKeys, promptWords } from "./prompt-words.ts";

type PromptFormat = Exclude<ImportFormat, "gh-aw">;

const MAX_BODY_BYTES = 200 * 1024;

/** Reads a file of instructions without triggers and outputs: a skill, a subagent of Claude Code, AGENTS.md (I-4). */
export const promptReader =
  (format: PromptFormat) =>
  ({ file }: ImportWish, files: SourceFiles): ImportDraft | NoDraft => {
    const bytes = files.read(file);
    const source = bytes ? readFrontSource(bytes, format === "agents-md" ? "optional" : "required") : NO_FILE;
    if (source.kind === "refused")
      return {
        kind: "refused",
        format,
        file,
        entries: [{ file, line: source.line, key: "", fate: "refused", why: source.why }],
      };
    const { front, body, bodyLine } = source;
    const ledger = new KeyLedger(file, source);
    const tools = mapPromptKeys(format, source, ledger);
    const kept = format === "skill" ? folderFiles(file, files) : { files: [], entries: [] };
    const entries = [
      ...ledger.entries(),
      ...bodyFindings(file, body, bodyLine),
      ...kept.entries,
      { file, line: bodyLine, key: "body", fate: "kept", why: promptWords.body } as const,
      ...tooLong(file, source),
    ].map((entry) => ({ ...entry, key: redact(entry.key) }));
    const ordered = inReadingOrder(entries, file);
    if (ordered.some(({ fate }) => fate === "refused")) return { kind: "refused", format, file, entries: ordered };
    const name = textOf(front["name"]) ?? firstHeading(body) ?? stemOf(format, file);
    const outline = stepOutline(redact(body), bodyLine);
    const model = listedModel(front["model"]);
    return {
      kind: "draft",
      format,
      file,
      slug: slugFrom(textOf(front["name"]) ?? stemOf(format, file)),
      name: asOneLine(redact(name)) || stemOf(format, file),
      description: asOneLine(redact(textOf(front["description"]) ?? firstParagraph(body) ?? name)) || name,
      fields: { tools, safe_outputs: [], ...(model !== undefined && { model }) },
      body: redact(body),
      ...(outline && { outline }),
      grants: { ...NO_GRANTS, tools: readingTools(toolNames(format, front)) },
      taken: toolNames(format, front).filter((tool) => !isReading(tool)),
      entries: ordered,
      missing: [promptWords.noOutputs, ...(model === undefined ? [promptWords.noModel] : [])],
      files: [{ path: baseName(file), bytes: cleaned(bytes!) }, ...kept.files],
    };
  };

/** Tells the fate of each key; returns the tools of the contract. */
function mapPromptKeys(format: PromptFormat, { front }: FrontSource, ledger: KeyLedger): Tool[] {
  const known = promptKeys[format];
  for (const [key, value] of Object.entries(front)) {
    const row = known[key];
    if (key === "model" && row) {
      const listed = listedModel(value) !== undefined;
      ledger.tell([key], listed ? "mapped" : "lost", listed ? promptWords.model : promptWords.noSuchModel, "model");
    } else if (key === "description" && textOf(value) !== undefined && String(value).length > 500)
      ledger.tell([key], "kept", promptWords.cut, "description");
    else if (row) ledger.tell([key], ...row);
    else ledger.tell([key], "lost", unknownPromptKey(format, key, Object.keys(known)));
  }
  const named = toolNames(format, front);
  const found = readingTools(named);
  const key = format === "skill" ? "allowed-tools" : "tools";
  if (key in front && key in known)
    ledger.tell(
      [key],
      found.length > 0 ? "mapped" : "lost",
      found.length > 0 ? promptWords.reads : promptWords.noTool,
      "tools",
    );
  return found;
}

/** The tools that a file names. Absent means "everything" elsewhere; here it means none. */
function toolNames(format: PromptFormat, front: FrontSource["front"]): string[] {
  const value = front[format === "skill" ? "allowed-tools" : "tools"];
  if (format === "agents-md") return [];
  const list: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? splitTools(value) : [];
  return list.flatMap((one) => (typeof one === "string" && one.trim() !== "" ? [one.trim()] : []));
}

/** Names are separated by spaces or commas; a name may have a part in brackets. */
const splitTools = (text: string): string[] => text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];

/** Tools that only read files, without a limit to some of them. */
const isReading = (tool: string): boolean => /^(?:read|grep|glob|search|codebase|ls|view)$/i.test(tool);
const readingTools = (named: readonly string[]): Tool[] =>
  named.some(isReading) ? ["read-notes", "search-notes"] : [];

const listedModel = (model: unknown): string | undefined =>
  typeof model === "string" && /^\S{1,200}$/.test(model) && checkModel(model).kind === "known" ? model : undefined;

/** The other files of a skill's folder: kept as sources, never executed. Links are not followed. */
function folderFiles(main: string, files: SourceFiles): { files: KeptFile[]; entries: ImportEntry[] } {
  const folder = main.slice(0, main.length - baseName(main).length);
  const inside = (paths: readonly string[]): string[] =>
    paths.filter((path) => path.startsWith(folder) && path !== main).toSorted();
  const kept: KeptFile[] = [];
  const entries: ImportEntry[] = [];
  for (const path of inside(files.paths?.() ?? [])) {
    const name = path.slice(folder.length);
    kept.push({ path: name, bytes: cleaned(files.read(path)!) });
    const why = name.startsWith("scripts/") ? promptWords.script : promptWords.source;
    entries.push({ file: path, line: 1, key: name, fate: "kept", why, to: `sources/${name}` });
  }
  for (const path of inside(files.skipped ?? []))
    entries.push({ file: path, line: 1, key: path.slice(folder.length), fate: "lost", why: promptWords.skipped });
  return { files: kept, entries };
}

/** A text without secrets; other bytes as they are. */
function cleaned(bytes: Uint8Array): Uint8Array {
  try {
    return Buffer.from(redact(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    return bytes;
  }
}

function tooLong(file: string, { body, bodyLine }: FrontSource): ImportEntry[] {
  const size = Buffer.byteLength(body);
  return size <= MAX_BODY_BYTES
    ? []
    : [{ file, line: bodyLine, key: "body", fate: "refused", why: promptWords.tooLong }];
}

function unknownPromptKey(format: PromptFormat, key: string, known: readonly string[]): Text {
  if (format === "subagent" && /^allowed[-_]?tools$/i.test(key)) return promptWords.ignoredTools;
  const meant = didYouMean(key, known);
  return {
    en: `unknown key${meant === undefined ? "" : `; did you mean "${meant}"?`}`,
    uk: `невідомий ключ${meant === undefined ? "" : `; можливо, «${meant}»?`}`,
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** A skill and AGENTS.md are named by their folder, a subagent by its file. */
const stemOf = (format: PromptFormat, path: string): string =>
  format === "subagent"
    ? baseName(path).replace(/(?:\.agent|\.chatmode)?\.md$/i, "")
    : (path.split("/").at(-2) ?? (format === "skill" ? "skill" : "agents-md"));
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
const NO_FILE = { kind: "refused", line: 1, why: { en: "no such file", uk: "немає такого файлу" } } as const;
