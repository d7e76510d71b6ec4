import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the project, with its code separated from its comments and strings. */
export interface Source {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and strings blanked, at the same offsets. Empty for files that are not code. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** A type import, erased before the code runs. */
  readonly typeOnly: boolean;
}

const NOT_OURS = new Set([
  "node_modules",
  "dist",
  ".git",
  ".demo",
  "coverage",
  "package-lock.json",
  "endpoints.gen.ts",
]);
const TEXT = /\.(?:[cm]?[jt]sx?|json|ya?ml|md|html|css|sh)$|^(?:\.ci\/run|LICENSE|\.gitignore)$/;
const CODE = /\.[cm]?[jt]sx?$/;

/** Every text file of the repository. */
export function sourcesIn(root: string): Source[] {
  const found: Source[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && TEXT.test(path)) found.push(source(path, readFileSync(join(root, path), "utf8")));
    }
  };
  walk("");
  return found;
}

export function source(path: string, text: string): Source {
  const code = CODE.test(path) ? blanked(text) : "";
  return { path, text, code, imports: importsOf(text, code) };
}

export const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** `from "x"`, `import "x"` and `import("x")`, searched in the blanked code so that comments and strings do not match. */
const IMPORT = /\bfrom\s*(["'])|\bimport\s*\(?\s*(["'])/g;

function importsOf(text: string, code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((match) => {
    const begin = match.index + match[0].length;
    const end = code.indexOf((match[1] ?? match[2])!, begin);
    const statement = code.slice(0, match.index).match(/\b(?:import|export)\b(?:(?!\b(?:import|export)\b)[\s\S])*$/);
    const typeOnly = /^(?:import|export)\s+type\b/.test(statement?.[0] ?? "");
    return { specifier: text.slice(begin, end), line: lineAt(text, match.index), typeOnly };
  });
}

/** A slash starts a regular expression after these; after a name, a number or a closing bracket it divides. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|await|yield))\s*$/;
const LITERAL = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;

/** Replaces comments and strings by spaces. Line numbers and offsets stay the same. */
export function blanked(text: string): string {
  let code = "";
  let at = 0;
  /** For each open template literal, how many braces are open inside its current `${`. */
  const templates: number[] = [];

  const blank = (end: number, keepEdges: boolean): void => {
    const inner = text.slice(at, end).replace(/[^\n]/g, " ");
    code += keepEdges && inner.length >= 2 ? text[at]! + inner.slice(1, -1) + text[end - 1]! : inner;
    at = end;
  };
  const restOfTemplate = (): void => {
    let end = at;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
    blank(Math.min(end, text.length), false);
    if (text[at] === "`") code += text[at++];
    else if (at < text.length) {
      code += "${";
      at += 2;
      templates.push(0);
    }
  };
  const matched = (pattern: RegExp): number | undefined => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };

  while (at < text.length) {
    const char = text[at]!;
    const literal = matched(LITERAL);
    if (literal !== undefined) blank(literal, char !== "/");
    else if (char === "/" && BEFORE_REGEX.test(code.slice(-200)) && matched(REGEX) !== undefined)
      blank(matched(REGEX)!, true);
    else if (char === "`") {
      code += char;
      at++;
      restOfTemplate();
    } else if (char === "}" && templates.at(-1) === 0) {
      templates.pop();
      code += char;
      at++;
      restOfTemplate();
    } else {
      if (templates.length > 0 && char === "{") templates[templates.length - 1]!++;
      if (templates.length > 0 && char === "}") templates[templates.length - 1]!--;
      code += char;
      at++;
    }
  }
  return code;
}
