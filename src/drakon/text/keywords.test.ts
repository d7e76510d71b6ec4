import { expect, test } from "vitest";
import { languages } from "../../base/text.ts";
import { exitWord, statementWord } from "./keyword-match.ts";
import { exitVariants, exitWords, inlineWords, spellings, statementVariants, statementWords } from "./keywords.ts";

const tables = [
  { name: "statements", words: statementWords, variants: statementVariants, read: statementWord },
  { name: "exits", words: exitWords, variants: exitVariants, read: exitWord },
] as const;

test.each(tables)("P6 every spelling among $name is read as its own word and no other", ({ words, variants, read }) => {
  const pairs = Object.entries(words).flatMap(([word, text]) => [
    ...languages.map((language) => [text[language], word, language] as const),
    ...((variants as Record<string, readonly string[]>)[word] ?? []).map(
      (spelling) => [spelling, word, undefined] as const,
    ),
  ]);
  for (const [spelling, word, language] of pairs) {
    const found = read(`${spelling} rest`);
    expect({ spelling, word: found?.word }).toEqual({ spelling, word });
    if (language) expect({ spelling, language: found?.language }).toEqual({ spelling, language });
  }
});

test("P6 no word inside a line has two meanings", () => {
  const all = (["of", "not", "and", "or", "thus", "duration", "loop"] as const).flatMap(spellings);
  expect(new Set(all).size).toBe(all.length);
  expect(Object.keys(inlineWords)).toHaveLength(7);
});
