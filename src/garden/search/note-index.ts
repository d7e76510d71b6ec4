import type { Oid } from "../../domain/git-names.ts";
import { titleIn } from "../../domain/search/passages.ts";
import { saturated, weightsOf } from "../../domain/search/rank.ts";
import { termsIn } from "../../domain/search/words.ts";
import type { Repo, TreeFile } from "../../ports/repo.ts";
import { textOf } from "../effect/note-target.ts";

/**
 * Full-text search over notes at a commit. What a text holds is known by the id of its bytes, so a new commit costs only the
 * notes that it changed; the answer is a function of the commit, and what is remembered can be forgotten at any moment (G-3).
 */
interface Indexed {
  /** Hashes of the terms, rising, each with how often it stands there. Two terms of one hash are too rare to matter. */
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
  readonly length: number;
}

export interface Hit {
  readonly file: TreeFile;
  readonly score: number;
}

/** Of all texts that are remembered together: 6 bytes each. */
const MOST_POSTINGS = 8_000_000;
const MAX_INDEXED_BYTES = 1024 * 1024;
const AT_ONCE = 64;
/** A word of the title or of the path counts as so many in the text. */
const TITLE_WEIGHT = 3;

interface Memory {
  readonly texts: Map<Oid, Indexed>;
  postings: number;
}
const memories = new WeakMap<Repo, Memory>();

/** Files that hold a word of the question, best first. `files` are those of the commit `at` that may be looked through. */
export async function searchFiles(
  repo: Repo,
  at: Oid,
  files: readonly TreeFile[],
  question: string,
  most = MOST_POSTINGS,
): Promise<Hit[]> {
  const asked = [...new Set(termsIn(question))].map(hashOf);
  if (asked.length === 0) return [];
  const memory = memories.get(repo) ?? { texts: new Map(), postings: 0 };
  memories.set(repo, memory);
  const looked: { file: TreeFile; counts: number[]; length: number }[] = [];
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    const texts = await Promise.all(group.map((file) => indexed(repo, at, file, memory)));
    for (const [index, file] of group.entries()) {
      const { length, ...text } = texts[index]!;
      looked.push({ file, length, counts: asked.map((term) => countOf(text, term)) });
    }
    forgetOldest(memory, most);
  }
  return scored(looked, asked.length);
}

function scored(
  looked: readonly { file: TreeFile; counts: readonly number[]; length: number }[],
  terms: number,
): Hit[] {
  const weights = weightsOf(
    looked.length,
    Array.from({ length: terms }, (_, index) => looked.filter(({ counts }) => counts[index]! > 0).length),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const average = looked.reduce((sum, { length }) => sum + length, 0) / Math.max(1, looked.length);
  return looked
    .flatMap(({ file, counts, length }): Hit[] => {
      let [score, covered] = [0, 0];
      for (const [index, count] of counts.entries()) {
        if (count === 0) continue;
        covered += weights[index]!;
        score += weights[index]! * saturated(count, 0.25 + (0.75 * length) / Math.max(1, average));
      }
      return covered === 0 ? [] : [{ file, score: (score * covered) / whole }];
    })
    .toSorted((a, b) => b.score - a.score);
}

async function indexed(repo: Repo, at: Oid, file: TreeFile, memory: Memory): Promise<Indexed> {
  const key = `${file.oid} ${file.path}`; // the path is searched too, and one text may lie in two places
  const known = memory.texts.get(key);
  if (known) {
    memory.texts.delete(key);
    memory.texts.set(key, known); // last in the order of forgetting
    return known;
  }
  const bytes = (await repo.read(at, file.path))?.bytes ?? new Uint8Array();
  const made = indexOf(file.path, bytes.length > MAX_INDEXED_BYTES ? "" : (textOf(bytes) ?? ""));
  memory.texts.set(key, made);
  memory.postings += made.terms.length;
  return made;
}

function forgetOldest(memory: Memory, most: number): void {
  for (const [key, { terms }] of memory.texts) {
    if (memory.postings <= most) return;
    memory.texts.delete(key);
    memory.postings -= terms.length;
  }
}

function indexOf(path: string, text: string): Indexed {
  const found = new Map<number, number>();
  const add = (term: string, weight: number): void => {
    const hash = hashOf(term);
    found.set(hash, (found.get(hash) ?? 0) + weight);
  };
  const terms = termsIn(text);
  for (const term of terms) add(term, 1);
  for (const term of termsIn(`${titleIn(text) ?? ""} ${path.replace(/\.[^./]+$/, "")}`)) add(term, TITLE_WEIGHT);
  const sorted = Uint32Array.from(found.keys()).toSorted();
  const counts = Uint16Array.from(sorted, (hash) => Math.min(found.get(hash)!, 0xffff));
  return { terms: sorted, counts, length: terms.length };
}

function countOf({ terms, counts }: Pick<Indexed, "terms" | "counts">, term: number): number {
  let [low, high] = [0, terms.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = terms[middle]!;
    if (there === term) return counts[middle]!;
    if (there < term) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** FNV-1a over the characters. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++) {
    hash ^= term.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
