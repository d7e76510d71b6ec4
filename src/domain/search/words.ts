import { ownCopy } from "../../base/own-copy.ts";
import { stemEn } from "./stem-en.ts";
import { stemUk } from "./stem-uk.ts";
import { isStopWord } from "./stop-words.ts";

/**
 * Normalises text for search; used for both the index and the query. Letter case, kinds of apostrophes, decomposed
 * letters, stress marks and soft hyphens are ignored.
 */
export interface Word {
  /** As written in the text, in composed form. */
  readonly written: string;
  /** The stem. */
  readonly stem: string;
}

const WORD = /[\p{L}\p{N}]+(?:['’ʼ`′][\p{L}]+)*/gu;
/** Stress marks, soft hyphens, zero-width characters. */
const UNSEEN = /[\u0300\u0301\u00ad\u200b-\u200d\u2060\ufeff]/g;
const APOSTROPHES = /['’ʼ`′]/g;
const MAX_WORD = 64;

/** Every word, stop words included. */
export const wordsIn = (text: string): Word[] =>
  writtenIn(text).map((written) => ({ written, stem: known(written).stem }));

/** Stems of all words except stop words, in order. */
export function termsIn(text: string): string[] {
  const terms: string[] = [];
  for (const written of writtenIn(text)) {
    const { stem, idle } = known(written);
    if (!idle) terms.push(stem);
  }
  return terms;
}

/** True for stop words. */
export const isIdle = (written: string): boolean => known(written).idle;

export const stemOf = (written: string): string => known(written).stem;

function writtenIn(text: string): string[] {
  const composed = text.normalize("NFC");
  const plain = composed.search(UNSEEN) < 0 ? composed : composed.replaceAll(UNSEEN, "");
  return (plain.match(WORD) ?? []).filter((written) => written.length <= MAX_WORD);
}

interface Known {
  readonly stem: string;
  readonly idle: boolean;
}

/** Cache: words repeat. Cleared completely when full, which is cheaper than tracking use. */
const met = new Map<string, Known>();
const MOST_MET = 30_000;

function known(written: string): Known {
  const stored = met.get(written);
  if (stored) return stored;
  const word = plainWord(written);
  const stem = /[а-щьюяєіїґ]/.test(word) ? stemUk(word) : /^[a-z]+$/.test(word) ? stemEn(word) : word;
  const found = { stem: ownCopy(stem), idle: isStopWord(word) };
  if (met.size >= MOST_MET) met.clear();
  met.set(ownCopy(written), found);
  return found;
}

const plainWord = (written: string): string =>
  written
    .toLowerCase()
    .replace(/(?<=[a-z])['’ʼ`′]s$/, "")
    .replaceAll(APOSTROPHES, "");
