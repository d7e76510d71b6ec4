import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passagesIn, titleIn } from "./passages.ts";

const quotes = (text: string): string[] => passagesIn(text).map((passage) => passage.text);

describe("R-4 passages", () => {
  test.each([
    ["sentences", "Перше речення. Друге! Третє?", ["Перше речення.", "Друге!", "Третє?"]],
    ["a sentence over two lines", "Один рядок\nі другий. Кінець.", ["Один рядок\nі другий.", "Кінець."]],
    [
      "abbreviations",
      "Див. розділ 2. Бах (1685 р. н.) жив у м. Лейпциг.",
      ["Див. розділ 2.", "Бах (1685 р. н.) жив у м. Лейпциг."],
    ],
    ["initials", "Й. С. Бах писав. Т. Г. Шевченко теж.", ["Й. С. Бах писав.", "Т. Г. Шевченко теж."]],
    ["items of a list", "- один\n- [x] два\n1. три", ["один", "два", "три"]],
    ["a quotation", "> Сказано. Зроблено.", ["Сказано.", "Зроблено."]],
    [
      "no front matter, no heading, no code, no rule",
      "---\ntags: [a]\n---\n# Назва\n\n```\nкод\n```\n\n***\n\nТекст.",
      ["Текст."],
    ],
    ["Windows line ends", "Один.\r\n\r\nДва.\r\n", ["Один.", "Два."]],
    ["an open front matter is text", "---\nне front matter", ["не front matter"]],
    ["quotation marks", "«Так!» — сказав він. «Ні.»", ["«Так!» — сказав він.", "«Ні.»"]],
    ["an empty text", "", []],
    ["signs only", "… !!! ***", []],
  ])("%s", (_, text, expected) => {
    expect(quotes(text)).toEqual(expected);
  });

  test("a passage has its headings and its position under them", () => {
    const told = passagesIn("Вступ. Ще.\n\n# А\n\nПерше. Друге.\n\n## Б\n\nТретє.\n\n# В\n\nЧетверте.");
    expect(told.map(({ headings, opens }) => ({ headings: headings.join("/"), opens }))).toEqual([
      { headings: "", opens: "text" },
      { headings: "", opens: "nothing" },
      { headings: "А", opens: "part" },
      { headings: "А", opens: "nothing" },
      { headings: "А/Б", opens: "part" },
      { headings: "В", opens: "part" },
    ]);
  });

  test("R-4 every passage of any text occurs in the text at its offset", () => {
    const piece = fc.constantFrom(
      "слово",
      ". ",
      "! ",
      "\n",
      "\r\n",
      "- ",
      "# Г",
      "> ",
      "```\n",
      "---\n",
      "| а |",
      "\u{1f33b}",
      " ",
      "A",
      "1. ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        let before = 0;
        for (const passage of passagesIn(text)) {
          expect(text.slice(passage.at, passage.at + passage.text.length)).toBe(passage.text);
          expect(passage.at).toBeGreaterThanOrEqual(before);
          before = passage.at + passage.text.length;
        }
      }),
    );
  });

  test("a text without an end of sentence is quoted in pieces", () => {
    const long = "слово ".repeat(1000);
    expect(quotes(long).every((quote) => quote.length <= 1000)).toBe(true);
    expect(quotes(long).join(" ")).toBe(long.trim());
  });
});

test.each([
  ["---\ntitle: Скрипка\n---\n# Інше", "Скрипка"],
  ['---\ntitle: "Скрипка: 1"\n---\n', "Скрипка: 1"],
  ["text\n\n# Перший\n# Другий", "Перший"],
  ["just text", undefined],
])("the title of %j is %s", (text, title) => {
  expect(titleIn(text)).toBe(title);
});
