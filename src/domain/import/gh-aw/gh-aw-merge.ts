import type { Text } from "../../../base/text.ts";
import { type FrontSource, readFrontSource } from "../front-source.ts";
import type { ImportEntry } from "../import-report.ts";
import { bodySection, includePath, type SourceFiles } from "../included-files.ts";
import { KeyLedger } from "../key-ledger.ts";

/** A workflow file or an included one. */
export interface WorkflowPart {
  readonly file: string;
  readonly source: FrontSource;
  readonly ledger: KeyLedger;
}

export interface MergedWorkflow {
  readonly main: WorkflowPart;
  /** Included files in the order in which gh-aw visits them: breadth first, each once. */
  readonly included: readonly WorkflowPart[];
  /** The text for the model: bodies of included files first, as gh-aw does. */
  readonly body: string;
  /** Entries that belong to lines of bodies, and refused includes. */
  readonly entries: readonly ImportEntry[];
}

const MAX_INCLUDED = 100;
/** `{{#import x}}`, `{{#runtime-import? x}}`, `@include x`, `@import? x` on a line of its own. */
const DIRECTIVE =
  /^[ \t]*(?:\{\{#(?:runtime-)?import(\?)?:?[ \t]+([^}]+?)[ \t]*\}\}|@(?:include|import)(\?)?[ \t]+(\S+))[ \t]*$/;

/** Reads a workflow with everything that it includes. Loops and paths that lead out of the folder are refused entries. */
export function mergeWorkflow(file: string, source: FrontSource, files: SourceFiles): MergedWorkflow {
  const main = { file, source, ledger: new KeyLedger(file, source) };
  const merge = new WorkflowMerge(files, main);
  const queue: { part: WorkflowPart; chain: readonly string[]; section: string | undefined }[] = [
    { part: main, chain: [file], section: undefined },
  ];
  const bodies = new Map<string, string>();
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { part, chain, section } = next;
    for (const found of merge.frontIncludes(part, chain)) queue.push(found);
    const whole =
      section === undefined ? part.source.body : (bodySection(part.source.body, section) ?? part.source.body);
    bodies.set(part.file, merge.inlined(part.file, whole, part.source.bodyLine, chain));
  }
  const order = [...merge.included.map((part) => part.file), file];
  const body = order.flatMap((name) => bodies.get(name)?.trim() || []).join("\n\n");
  return { main, included: [...merge.included, ...merge.inBodies], body, entries: merge.entries };
}

class WorkflowMerge {
  readonly #files: SourceFiles;
  readonly #seen: Set<string>;
  readonly included: WorkflowPart[] = [];
  /** Parts that a body includes at a place of its own. */
  readonly inBodies: WorkflowPart[] = [];
  readonly entries: ImportEntry[] = [];

  constructor(files: SourceFiles, main: WorkflowPart) {
    this.#files = files;
    this.#seen = new Set([main.file]);
  }

  /** The parts that `imports:` names. */
  frontIncludes(
    part: WorkflowPart,
    chain: readonly string[],
  ): { part: WorkflowPart; chain: readonly string[]; section: string | undefined }[] {
    const { imports } = part.source.front;
    if (imports === undefined) return [];
    const list = importList(imports);
    if (!list) {
      part.ledger.tell(["imports"], "lost", { en: "not a list of files", uk: "це не список файлів" });
      return [];
    }
    part.ledger.tell(["imports"], "mapped", MERGED, "body");
    const parts: { part: WorkflowPart; chain: readonly string[]; section: string | undefined }[] = [];
    for (const { path, at } of list) {
      const line = part.source.lineOf(["imports", ...at]);
      const found = this.#load(part.file, path, line, chain, false);
      if (!found) continue;
      if (at.length > 1) part.ledger.tell(["imports", ...at], "mapped", MERGED, "body");
      this.included.push(found.part);
      parts.push({ part: found.part, chain: [...chain, found.part.file], section: found.section });
    }
    return parts;
  }

  /** A body in which the included files stand in place of their directives. */
  inlined(file: string, body: string, firstLine: number, chain: readonly string[]): string {
    let fence: string | undefined;
    return body
      .split("\n")
      .map((text, index) => {
        const mark = /^[ \t]*(`{3,}|~{3,})/.exec(text)?.[1];
        if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
        const match = fence === undefined ? DIRECTIVE.exec(text) : null;
        if (!match) return text;
        const optional = (match[1] ?? match[3]) !== undefined;
        const found = this.#load(file, (match[2] ?? match[4])!, firstLine + index, chain, optional);
        if (!found) return text;
        this.inBodies.push(found.part);
        const whole = found.part.source.body;
        const used = found.section === undefined ? whole : (bodySection(whole, found.section) ?? whole);
        this.#tell(file, firstLine + index, text.trim(), "mapped", MERGED);
        return this.inlined(found.part.file, used, found.part.source.bodyLine, [...chain, found.part.file]).trim();
      })
      .join("\n");
  }

  #load(
    from: string,
    written: string,
    line: number,
    chain: readonly string[],
    optional: boolean,
  ): { part: WorkflowPart; section: string | undefined } | undefined {
    const target = includePath(from, written, line);
    if (target.kind === "remote") return this.#tell(from, line, written, "lost", REMOTE);
    if (target.kind === "refused") return this.#tell(from, line, written, "refused", target.why);
    const { path, section } = target;
    if (chain.includes(path)) return this.#tell(from, line, written, "refused", LOOP([...chain, path]));
    if (this.#seen.has(path)) return this.#tell(from, line, written, "mapped", ONCE);
    if (this.#seen.size > MAX_INCLUDED) return this.#tell(from, line, written, "refused", TOO_MANY);
    const bytes = this.#files.read(path);
    if (!bytes) return this.#tell(from, line, written, "lost", optional ? MISSING_OPTIONAL : MISSING(path));
    const source = readFrontSource(bytes, "optional");
    if (source.kind === "refused") return this.#tell(path, source.line, written, "refused", source.why);
    this.#seen.add(path);
    return { part: { file: path, source, ledger: new KeyLedger(path, source) }, section };
  }

  #tell(file: string, line: number, key: string, fate: ImportEntry["fate"], why: Text): undefined {
    this.entries.push({ file, line, key, fate, why });
  }
}

type Listed = { readonly path: string; readonly at: readonly PropertyKey[] };

/** The forms of `imports:`: one path, a list of paths, a list of `{path, inputs}`, `{aw: […]}`. */
function importList(imports: unknown): Listed[] | undefined {
  if (typeof imports === "string") return [{ path: imports, at: [] }];
  if (Array.isArray(imports))
    return imports.flatMap((item: unknown, index): Listed[] => {
      if (typeof item === "string") return [{ path: item, at: [index] }];
      const group = item as Record<string, unknown> | null;
      for (const key of ["path", "uses"])
        if (typeof group?.[key] === "string") return [{ path: group[key], at: [index, key] }];
      return [];
    });
  if (typeof imports === "object" && imports !== null && "aw" in imports && Array.isArray(imports.aw))
    return imports.aw.flatMap((item: unknown, index): Listed[] =>
      typeof item === "string" ? [{ path: item, at: ["aw", index] }] : [],
    );
  return undefined;
}

const MERGED: Text = { en: "its text and its settings are merged in", uk: "його текст і налаштування приєднано" };
const ONCE: Text = { en: "already included: each file counts once", uk: "уже приєднано: кожен файл рахується раз" };
const REMOTE: Text = { en: "in another repository: not fetched", uk: "в іншому репозиторії: не завантажено" };
const TOO_MANY: Text = {
  en: `more than ${MAX_INCLUDED} included files`,
  uk: `понад ${MAX_INCLUDED} приєднаних файлів`,
};
const MISSING = (path: string): Text => ({
  en: `no file ${path} in the imported folder`,
  uk: `у теці немає файлу ${path}`,
});
const MISSING_OPTIONAL: Text = { en: "optional, and not there", uk: "необов'язковий, і його немає" };
const LOOP = (chain: readonly string[]): Text => ({
  en: `the files include each other in a loop: ${chain.join(" → ")}`,
  uk: `файли приєднують один одного по колу: ${chain.join(" → ")}`,
});
