import fc from "fast-check";
import { languages } from "../../base/text.ts";
import { exitWords, inlineWords, statementWords } from "../text/keywords.ts";

/** Texts that could be misread: keywords in any case, marks, brackets, fences, invisible characters. */

const words = [statementWords, exitWords, inlineWords].flatMap((table) =>
  Object.values(table).flatMap((word) => languages.map((language) => word[language] as string)),
);

const marks =
  "→ |-> |<-|←|| ||\"|\\|(|)|[|]|{|}|()|: |:|; |;|, | / |/|//|#|# |```|~~~|<p>|</p>|<T>|&amp;|'|’|«|»|*|- |1. |12| |⟨51⟩ "
    .split("|")
    .concat([
      "|",
      "| ",
      "12| ",
      "`",
      "``",
      "`x`",
      "\n",
      "\n\n",
      "\t",
      " ",
      "  ",
      "\r",
      "\r\n",
      "\\n",
      '\\"',
      '"x"',
      '("',
      '")',
      "call(\n  a: 1\n)",
    ]);

const others = [
  ...'слово|нотатка|note|Чи готово?|має_тег("x")|ДЛЯ КОЖНОЇ|для кожного x з xs|For each x in xs|x; xs|k, v; map'.split(
    "|",
  ),
  ..."i = 0; i < n; i++|[ТРИВАЛІСТЬ: 5]|[DURATION: |[ЦИКЛ 1]|[LOOP 2]|ТА|Й|ІЗ|OF|COMMENT|і|або|не|and".split("|"),
  ..."\0|\x07|\x1b[0m|\x7f|\x85|\u00a0|\u200b|\u200e|\u2028|\u2029|\u202e|\ufeff|\ud83d|\ude00|😀|👩‍👩‍👧|й|é|ß|İ".split(
    "|",
  ),
  "y".repeat(300),
];

const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => word.toLowerCase()) },
  { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => word[0]! + word.slice(1).toLowerCase()) },
  { weight: 3, arbitrary: fc.constantFrom(...marks) },
  { weight: 4, arbitrary: fc.constantFrom(...others) },
);

export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fragment },
  { weight: 3, arbitrary: fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join(" ")) },
  { weight: 3, arbitrary: fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join("")) },
  { weight: 2, arbitrary: fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join("\n")) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
      .map((codes) => String.fromCharCode(...codes)),
  },
  { weight: 1, arbitrary: fc.constant("") },
);
