import type { Language, Text } from "../../base/text.ts";
import type { Contract } from "../contract/contract.ts";
import { isSlug, isTakenName } from "../contract/slug.ts";
import type { Tool } from "../contract/tool.ts";
import type { Action } from "../proposal/action.ts";
import type { SourceGrants } from "./grants.ts";
import type { ImportEntry } from "./import-report.ts";
import type { OutlineNode } from "./outline.ts";

export const importFormats = ["gh-aw", "skill", "subagent", "agents-md"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** One agent as its source describes it, before it is written as a contract. */
export interface ImportDraft {
  readonly kind: "draft";
  readonly format: ImportFormat;
  readonly file: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly fields: DraftFields;
  /** The instructions, without secrets. */
  readonly body: string;
  /** A first procedure; absent if the text is no list of steps. */
  readonly outline?: readonly OutlineNode[];
  readonly grants: SourceGrants;
  /** Permissions of the source without a counterpart. */
  readonly taken: readonly string[];
  readonly entries: readonly ImportEntry[];
  /** Things that the owner must decide before the agent can be activated. */
  readonly missing: readonly Text[];
  /** Files of the source that are kept in `sources/`, by path; not executed. */
  readonly files: readonly KeptFile[];
}

export interface KeptFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface DraftFields {
  readonly model?: string;
  readonly tools: readonly Tool[];
  readonly safe_outputs: readonly Action[];
  readonly max_steps?: number;
  readonly budget?: Contract["budget"];
  readonly timeouts?: Contract["timeouts"];
  readonly network?: Contract["network"];
  readonly mcp?: Contract["mcp"];
  readonly cron?: string;
  readonly tags?: Contract["tags"];
  readonly workspace?: Contract["workspace"];
}

/** A file that makes no agent: it cannot be read, or is a part that others include. */
export interface NoDraft {
  readonly kind: "refused" | "component";
  readonly format: ImportFormat;
  readonly file: string;
  readonly entries: readonly ImportEntry[];
}

export interface ImportWish {
  /** The file that describes the agent, below the imported folder. */
  readonly file: string;
  readonly language: Language;
}

/** A slug from a file name or a title: Latin letters, digits and hyphens of it. */
export function slugFrom(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, "");
  return !isSlug(plain) ? "imported" : isTakenName(plain) ? `${plain}-agent` : plain;
}

/** One line for `name` or `description`. */
export function asOneLine(text: string, most = 500): string {
  const line = text.replaceAll(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** The first heading of a body, and its first paragraph of prose. */
export const firstHeading = (body: string): string | undefined => /^# +(\S.*)$/m.exec(body)?.[1]?.trim();
export const firstParagraph = (body: string): string | undefined =>
  body
    .split(/\n\s*\n/)
    .find((part) => /^[\p{L}*_"'«“]/u.test(part.trim()))
    ?.trim();
