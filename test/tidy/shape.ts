import { isProof, targetOf } from "./layers.ts";
import type { Source } from "./source.ts";

/** Measures of the whole tree: long functions, exported names, comment openings, and the files that ARCHITECTURE.md walks through. */

const isProduct = ({ path }: Source): boolean => /^(?:src|web\/src|deploy)\/.*\.tsx?$/.test(path) && !isProof(path);

export const MAX_FUNCTION_LINES = 100;

/** A line that opens a function body: a declaration, a method, or an arrow with a block. */
const OPENS =
  /^\s*(?:export )?(?:default )?(?:async )?function\b.*\{$|=> \{$|^\s+(?:(?:static|async|override) )*#?\w+\(.*\)(?:: .+)? \{$/;
const NO_FUNCTION = /^\s*(?:if|for|while|switch|catch|else|return|\}|do)\b/;

/** Functions longer than the limit. The formatter puts the closing brace at the indentation of the opening line. */
export function longFunctions(sources: readonly Source[], limit = MAX_FUNCTION_LINES): string[] {
  return sources.filter(isProduct).flatMap(({ path, code }) => {
    const lines = code.split("\n");
    return lines.flatMap((line, index) => {
      const opens = /^\s*(?:export )?(?:async )?function\b/.test(line) || (OPENS.test(line) && !NO_FUNCTION.test(line));
      if (!opens) return [];
      const indent = /^\s*/.exec(line)![0];
      const length = lines.slice(index + 1).findIndex((later) => new RegExp(`^${indent}\\}`).test(later)) + 2;
      return length > limit ? [`${path}:${index + 1}: a function of ${length} lines`] : [];
    });
  });
}

const EXPORT = /^export (?:abstract )?(?:async )?(?:interface|type|class|function|const) (\w+)/gm;

/** Exported names that two files define. */
export function namesDefinedTwice(sources: readonly Source[]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { path, code } of sources.filter(isProduct))
    for (const [, name] of code.matchAll(EXPORT)) homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
  return [...homes].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(", ")}`);
}

export const MAX_ODD_SHARE = 0.03;
const ODD = /^(?:What|Whether|Who|Whoever|Of|Whatever|Where|How)\b/;

/** The number of comment blocks in the product, and those that open with a word that points at a thing instead of naming it. */
export function commentOpenings(sources: readonly Source[]): {
  readonly blocks: number;
  readonly odd: readonly string[];
} {
  const openings = sources.filter(isProduct).flatMap(({ path, text }) => {
    const lines = text.split("\n").map((line) => line.trim());
    const isComment = lines.map((line) => /^(?:\/\/|\/\*|\*)/.test(line));
    return lines.flatMap((line, index) =>
      isComment[index] && !isComment[index - 1] && !line.startsWith("*")
        ? [
            {
              place: `${path}:${index + 1}`,
              words: line.replace(/^[/*\s]+/, "") || (lines[index + 1] ?? "").replace(/^[*\s]+/, ""),
            },
          ]
        : [],
    );
  });
  const odd = openings.filter(({ words }) => ODD.test(words)).map(({ place, words }) => `${place}: ${words}`);
  return { blocks: openings.length, odd };
}

export const MAX_WALK_FILES = 24;
export const MAX_WALK_LINES = 250;

/** The files that the tables of ARCHITECTURE.md's two walks link to, in order. */
export function walkFiles(architecture: Source): string[] {
  const walks = [...architecture.text.matchAll(/^## The walk of [\s\S]*?(?=^## (?!The walk)|(?![\s\S]))/gm)];
  return walks.flatMap(([section]) =>
    [...section.matchAll(/^\|.*?\]\(([^)]+)\)/gm)].map((match) => targetOf(architecture.path, `./${match[1]}`)!),
  );
}
