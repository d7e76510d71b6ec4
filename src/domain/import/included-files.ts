import type { Text } from "../../base/text.ts";
import type { RefusedSource } from "./front-source.ts";

/** The files that an import may read, by path below one folder. */
export interface SourceFiles {
  /** Undefined: no such file. */
  read(path: string): Uint8Array | undefined;
  /** All paths; absent if only single files are known. */
  paths?(): readonly string[];
  /** Links and files that are too large: named, not copied. */
  readonly skipped?: readonly string[];
}

export type IncludePath =
  | { readonly kind: "path"; readonly path: string; readonly section: string | undefined }
  | { readonly kind: "remote" }
  | RefusedSource;

/** The file that an include names: relative to the including file, or to the root for paths that begin with `.github/`. */
export function includePath(from: string, written: string, line: number): IncludePath {
  const [name = "", section] = written.trim().split("#", 2) as [string?, string?];
  if (/@/.test(name) || /^[a-z][a-z0-9+.-]*:/i.test(name)) return { kind: "remote" };
  if (name === "" || name.startsWith("/") || /[\\\0]/.test(name)) return refusal(line, LEAVES(written));
  const base = name.startsWith(".github/") ? [] : from.split("/").slice(0, -1);
  const parts: string[] = [...base];
  for (const part of name.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return refusal(line, LEAVES(written));
  }
  return { kind: "path", path: parts.join("/"), section };
}

const refusal = (line: number, why: Text): RefusedSource => ({ kind: "refused", line, why });
const LEAVES = (path: string): Text => ({
  en: `${path} leads out of the imported folder`,
  uk: `${path} веде за межі теки, що імпортується`,
});

/** The part of a body under one heading, up to the next heading of the same rank. Undefined: no such heading. */
export function bodySection(body: string, heading: string): string | undefined {
  const lines = body.split("\n");
  const start = lines.findIndex((line) => /^#{1,6} /.test(line) && line.replace(/^#+ +/, "").trim() === heading.trim());
  if (start < 0) return undefined;
  const rank = /^#+/.exec(lines[start]!)![0].length;
  const length = lines.slice(start + 1).findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? 7) <= rank);
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n");
}
