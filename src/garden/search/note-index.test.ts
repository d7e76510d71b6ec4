import { expect, test } from "vitest";
import { MAIN_REF } from "../../domain/layout.ts";
import { gardenWith } from "../testing/scratch.ts";
import { searchFiles } from "./note-index.ts";

const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, number) => [
    `notes/n${number}.md`,
    `# Нотатка ${number}\n\n${number % 7 === 0 ? "Скрипка звучить." : "Троянда росте."} ${"Слова про сад. ".repeat(number % 5)}\n`,
  ]),
);

test("R-3 the answer is a function of the commit, however little is remembered", async () => {
  const { garden } = await gardenWith({
    ...notes,
    "notes/скрипкові/струни.md": "Про інше.\n",
    "notes/bytes.md": "\u0000\u0001\u0002",
  });
  const at = (await garden.repo.resolve(MAIN_REF))!;
  const files = await garden.repo.list(at, "notes");
  const found = async (question: string, most?: number): Promise<string[]> =>
    (await searchFiles(garden.repo, at, files, question, most)).map(({ file }) => file.path);
  const whole = await found("скрипками");
  expect(whole.toSorted()).toEqual([
    "notes/n0.md",
    "notes/n14.md",
    "notes/n21.md",
    "notes/n28.md",
    "notes/n35.md",
    "notes/n42.md",
    "notes/n49.md",
    "notes/n56.md",
    "notes/n7.md",
    "notes/скрипкові/струни.md",
  ]);
  expect(await found("скрипками", 10)).toEqual(whole); // nearly all is forgotten and read again
  expect(await found("скрипками")).toEqual(whole);
  expect((await found("троянда в саду")).length).toBe(58);
  expect((await found("нотатка 42"))[0]).toBe("notes/n42.md");
  expect(await found("")).toEqual([]);
});

test("R-3 a note with more of what is asked, in fewer words, comes first", async () => {
  const { garden } = await gardenWith({
    "notes/long.md": `# Різне\n\n${"Слова про сад і город, про погоду й каву. ".repeat(40)}Скрипка.\n`,
    "notes/short.md": "# Скрипка\n\nСкрипка має струни.\n",
    "notes/half.md": "# Струни\n\nСтруни бувають різні.\n",
  });
  const at = (await garden.repo.resolve(MAIN_REF))!;
  const hits = await searchFiles(garden.repo, at, await garden.repo.list(at, "notes"), "струни скрипки");
  expect(hits.map(({ file }) => file.path)).toEqual(["notes/short.md", "notes/half.md", "notes/long.md"]);
});
