import { isProof } from "./layers.ts";
import { lineAt, type Source } from "./source.ts";

/** `P-7`, `O-3a`: a rule of docs/rules.md. Other letters are no family of rules (`W-ENDLESS` is a finding of a diagram). */
const CODE = /\b[ACDGILMOPRSUZ]-\d+[a-z]?\b/g;
const HEADING = /^### ([A-Z]-\d+[a-z]?)$/;

/** The title of a test or suite: the first argument, after `test(`, `describe(` or the table of `test.each`. */
const TITLE = /\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;

const namesCodes = ({ path }: Source): boolean => /^(?:src|web|test|bench)\//.test(path) && /\.tsx?$/.test(path);
/** The tests of this file name rules that are examples. */
const isTest = ({ path }: Source): boolean =>
  isProof(path) && /\.(?:test|soak)\.ts$|conformance/.test(path) && !path.startsWith("test/tidy");

export const definedCodes = (page: string): Set<string> =>
  new Set(page.split("\n").flatMap((line) => HEADING.exec(line)?.[1] ?? []));

/** Uses of a code that docs/rules.md does not define. */
export function undefinedCodes(sources: readonly Source[], page: string): string[] {
  const defined = definedCodes(page);
  return sources
    .filter(namesCodes)
    .flatMap(({ path, text }) =>
      [...text.matchAll(CODE)]
        .filter(([code]) => !defined.has(code))
        .map((match) => `${path}:${lineAt(text, match.index)}: ${match[0]} is not defined in docs/rules.md`),
    );
}

/** Defined codes that no source file uses. */
export function unusedCodes(sources: readonly Source[], page: string): string[] {
  const used = new Set(sources.filter(namesCodes).flatMap(({ text }) => text.match(CODE) ?? []));
  return [...definedCodes(page)].filter((code) => !used.has(code));
}

/** docs/rules.md with the list of tests under each rule made anew; headings and sentences stay as they are. */
export function renderRules(sources: readonly Source[], page: string): string {
  const proofs = proofsOf(sources);
  const lines: string[] = [];
  let code: string | undefined;
  const endRule = (): void => {
    if (code === undefined) return;
    const tests = proofs.get(code) ?? [];
    lines.push(...(tests.length === 0 ? ["No test title names it."] : tests), "");
  };
  for (const line of page.split("\n")) {
    if (/^- \[|^No test title names it\.$/.test(line)) continue;
    if (/^#{2,3} /.test(line)) {
      endRule();
      code = HEADING.exec(line)?.[1];
    }
    if (line !== "" || lines.at(-1) !== "") lines.push(line);
  }
  endRule();
  return `${lines.join("\n").trimEnd()}\n`;
}

function proofsOf(sources: readonly Source[]): Map<string, string[]> {
  const proofs = new Map<string, string[]>();
  for (const { path, text } of sources.filter(isTest).toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    for (const [, , title] of text.matchAll(TITLE)) {
      for (const code of new Set(title!.match(CODE) ?? [])) {
        const words = title!
          .replaceAll(CODE, "")
          .replaceAll(/^[\s:,]+|\\|\(\)/g, "")
          .replaceAll(/\s+/g, " ")
          .trim();
        const file = path.slice(path.lastIndexOf("/") + 1);
        proofs.set(code, [...(proofs.get(code) ?? []), `- [${file}](../${path}): ${words || "(the whole suite)"}`]);
      }
    }
  }
  return proofs;
}
