import { joined, type Text } from "../../../base/text.ts";
import { redact } from "../../text/redact.ts";
import { bodyFindings } from "../body-findings.ts";
import { type FrontSource, readFrontSource } from "../front-source.ts";
import {
  asOneLine,
  type DraftFields,
  firstHeading,
  firstParagraph,
  type ImportDraft,
  type ImportWish,
  type NoDraft,
  slugFrom,
} from "../import-draft.ts";
import { type ImportEntry, inReadingOrder } from "../import-report.ts";
import type { SourceFiles } from "../included-files.ts";
import { KeyLedger } from "../key-ledger.ts";
import { stepOutline } from "../outline.ts";
import { ghAwGrants } from "./gh-aw-grants.ts";
import { mapWorkflowKeys } from "./gh-aw-keys.ts";
import { type MergedWorkflow, mergeWorkflow } from "./gh-aw-merge.ts";

const MAX_BODY_BYTES = 200 * 1024;
const format = "gh-aw";

/** Reads one workflow with its includes (I-1). `files` gives the files of the imported folder. */
export function readGhAwWorkflow({ file, language }: ImportWish, files: SourceFiles): ImportDraft | NoDraft {
  const bytes = files.read(file);
  const source = bytes ? readFrontSource(bytes, "required") : NO_FILE;
  if (source.kind === "refused") {
    const { line, why } = source;
    return { kind: "refused", format, file, entries: [{ file, line, key: "", fate: "refused", why }] };
  }
  if (source.front["on"] === undefined) return component(file, source);
  const merged = mergeWorkflow(file, source, files);
  const stem = file.replace(/^.*\//, "").replace(/\.md$/i, "");
  const mapped = mapWorkflowKeys(merged, stem);
  const parts = [merged.main, ...merged.included];
  const entries = [
    ...parts.flatMap(({ ledger }) => ledger.entries()),
    ...merged.entries,
    ...parts.flatMap((part) => bodyFindings(part.file, part.source.body, part.source.bodyLine)),
    ...tooLong(merged),
  ].map((entry) => ({ ...entry, key: redact(entry.key) }));
  const ordered = inReadingOrder([...entries, bodyEntry(merged)], file);
  if (ordered.some(({ fate }) => fate === "refused")) return { kind: "refused", format, file, entries: ordered };
  const body = redact(merged.body);
  const outline = stepOutline(redact(source.body), source.bodyLine);
  const name = textOf(source.front["name"]) ?? firstHeading(source.body) ?? stem;
  return {
    kind: "draft",
    format,
    file,
    slug: slugFrom(stem),
    name: asOneLine(redact(name)) || stem,
    description: asOneLine(redact(textOf(source.front["description"]) ?? firstParagraph(source.body) ?? name)) || stem,
    fields: mapped.fields,
    body:
      mapped.kept.length === 0
        ? body
        : `${body}\n\n${KEPT[language]}\n\n${redact(mapped.kept.map((line) => `- ${line}`).join("\n"))}\n`,
    ...(outline && { outline }),
    grants: ghAwGrants(merged, stem),
    taken: mapped.taken,
    entries: ordered,
    missing: missingParts(mapped.fields),
    files: parts.map((part) => ({
      path: part.file,
      bytes: Buffer.from(redact(new TextDecoder().decode(files.read(part.file)))),
    })),
  };
}

/** A file without `on:` is a part that workflows include. */
function component(file: string, source: FrontSource): NoDraft {
  const ledger = new KeyLedger(file, source);
  for (const key of Object.keys(source.front)) ledger.tell([key], "kept", COMPONENT);
  return { kind: "component", format, file, entries: ledger.entries() };
}

function missingParts({ safe_outputs, model }: DraftFields): Text[] {
  return [...(safe_outputs.length === 0 ? [NO_OUTPUT] : []), ...(model === undefined ? [NO_MODEL] : [])];
}

function tooLong({ main, body }: MergedWorkflow): ImportEntry[] {
  const size = Buffer.byteLength(body);
  if (size <= MAX_BODY_BYTES) return [];
  const why = {
    en: `the instructions with their includes have ${size} bytes; at most ${MAX_BODY_BYTES} fit into a contract`,
    uk: `інструкції з приєднаними файлами мають ${size} байтів; у контракт уміщується не більше ${MAX_BODY_BYTES}`,
  };
  return [{ file: main.file, line: main.source.bodyLine, key: "body", fate: "refused", why }];
}

const bodyEntry = ({ main }: MergedWorkflow): ImportEntry => ({
  file: main.file,
  line: main.source.bodyLine,
  key: "body",
  fate: "kept",
  why: joined([{ en: "the instructions, word for word", uk: "інструкції, слово в слово" }]),
});

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

const KEPT: Text = {
  en: "## Kept from the workflow\n\nOptions of the source that a contract cannot enforce:",
  uk: "## Збережено з процесу\n\nНалаштування джерела, яких контракт не може забезпечити:",
};
const NO_FILE = { kind: "refused", line: 1, why: { en: "no such file", uk: "немає такого файлу" } } as const;
const COMPONENT: Text = {
  en: "a part that workflows include: it makes no agent of its own",
  uk: "частина, яку приєднують інші: сама агента не дає",
};
const NO_OUTPUT: Text = {
  en: "no safe output: the workflow declares none that has a counterpart, so the agent stays a draft until you choose one",
  uk: "немає safe output: процес не оголошує жодного з відповідником, тож агент лишається чернеткою, доки ви не оберете",
};
const NO_MODEL: Text = {
  en: "no model: the source names none of the list, so bloom/follower stands in its place",
  uk: "немає моделі: джерело не називає жодної зі списку, тож на її місці bloom/follower",
};
