import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIN_REF } from "../../../domain/layout.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import type { Repo } from "../../../ports/repo.ts";
import { readScope } from "../../core/access/read-scope.ts";
import { until } from "../../runs/testing/sample-flow.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { linksAround, listFolder } from "../notes/browse-notes.ts";
import { rankNotes } from "./find-notes.ts";
import { INDEX_FORMAT, indexFiles } from "./index-files.ts";
import { type NoteIndex, newNoteIndex } from "./note-index.ts";
import { noteKeys, termKey } from "./note-keys.ts";

const ROOTS = { notes_root: "notes", agents_root: "agents" };
const all = readScope(ROOTS, "all");
const whole = { most: 1000 };

/** Sixty notes, a few of them about violins. */
const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, number) => [
    `notes/n${number}.md`,
    `# Нотатка ${number}\n\n${number % 7 === 0 ? "Скрипка звучить." : "Троянда росте."} ${"Слова про сад. ".repeat(number % 5)}\n`,
  ]),
);

/** Counts the calls to a repository. */
function watched(repo: Repo): { readonly repo: Repo; readonly asked: () => Record<string, number> } {
  let counts: Record<string, number> = {};
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  return {
    repo: {
      ...repo,
      read(at, path) {
        count("read");
        return repo.read(at, path);
      },
      list(at, folder) {
        count("list");
        return repo.list(at, folder);
      },
      changes(from, to, folder) {
        count("changes");
        return repo.changes(from, to, folder);
      },
    },
    asked: () => {
      const told = counts;
      counts = {};
      return told;
    },
  };
}

const ground = async (planted: Readonly<Record<string, string>> = notes) => {
  const { garden, dir } = await gardenWith(planted);
  const { repo, asked } = watched(garden.repo);
  const main = async () => (await repo.resolve(MAIN_REF))!;
  const find = async (index: NoteIndex, question: string, sees = all) =>
    (await rankNotes(index, await main(), sees, { question, ...whole })).paths;
  return { garden: { ...garden, repo }, dir, repo, asked, main, find };
};

test("R-3 search results depend only on the commit, not on the size of the cache", async () => {
  const { repo, find } = await ground({
    ...notes,
    "notes/скрипкові/струни.md": "Про інше.\n",
    "notes/bytes.md": "\u0000\u0001\u0002",
  });
  const index = newNoteIndex(repo, ROOTS);
  const forgetful = newNoteIndex(repo, ROOTS, { most: 100 }); // nearly all is read again for every question
  const found = await find(index, "скрипками");
  expect(found.toSorted()).toEqual([
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
  expect(await find(forgetful, "скрипками")).toEqual(found);
  expect(await find(forgetful, "скрипками")).toEqual(found);
  expect((await find(index, "троянда в саду")).length).toBe(58);
  expect((await find(index, "нотатка 42"))[0]).toBe("notes/n42.md");
  expect(await find(index, "")).toEqual([]);
});

test("R-3 a shorter note with more of the search words ranks first", async () => {
  const { repo, find } = await ground({
    "notes/long.md": `# Різне\n\n${"Слова про сад і город, про погоду й каву. ".repeat(40)}Скрипка.\n`,
    "notes/short.md": "# Скрипка\n\nСкрипка має струни.\n",
    "notes/half.md": "# Струни\n\nСтруни бувають різні.\n",
  });
  expect(await find(newNoteIndex(repo, ROOTS), "струни скрипки")).toEqual([
    "notes/short.md",
    "notes/half.md",
    "notes/long.md",
  ]);
});

test("U-1 every note is read once; a commit costs only its changed notes, and a reset to an earlier commit reads nothing", async () => {
  const { repo, dir, asked, find } = await ground();
  const index = newNoteIndex(repo, ROOTS);
  const steps: unknown[] = [];
  const step = async (question: string): Promise<void> => {
    const found = await find(index, question);
    steps.push([found.length, asked()]);
  };
  await step("скрипка");
  await step("троянда");
  files(dir, { "notes/n1.md": "# Інша\n\nФлейта.\n", "notes/deep/new.md": "Флейта.\n" });
  git(dir, "rm", "-q", "--cached", "notes/n2.md");
  git(dir, "add", "notes/n1.md", "notes/deep/new.md");
  git(dir, "commit", "-qm", "Change");
  await step("флейта");
  await step("троянда");
  git(dir, "reset", "-q", "--soft", "HEAD~1");
  await step("троянда");
  expect(steps).toEqual([
    [9, { list: 1, read: 60 }],
    [51, {}],
    [2, { changes: 1, read: 2 }],
    [49, {}],
    [51, { changes: 1 }],
  ]);
});

test("U-1 texts that no note has any more are evicted, and results stay the same", async () => {
  const { repo, dir, asked, find } = await ground({
    "notes/a.md": "Version 0 of a rose.\n",
    "notes/b.md": "A violin.\n",
  });
  const index = newNoteIndex(repo, ROOTS, { spare: 1 });
  const found = [];
  for (let version = 1; version < 8; version++) {
    files(dir, { "notes/a.md": `Version ${version} of a rose.\n` });
    git(dir, "commit", "-qam", "Change");
    found.push([await find(index, "rose"), await find(index, "violin")]);
  }
  asked();
  git(dir, "reset", "-q", "--hard", "HEAD~6");
  const old = await find(index, "version 1");
  expect({ found, old, asked: asked() }).toEqual({
    found: Array.from({ length: 7 }, () => [["notes/a.md"], ["notes/b.md"]]),
    old: ["notes/a.md"],
    asked: { changes: 1, read: 1 },
  });
});

test("U-1 a note that cannot be read does not block the index", async () => {
  const { repo, main } = await ground();
  const without: Repo = {
    ...repo,
    read: (at, path) => (path === "notes/n7.md" ? Promise.resolve(undefined) : repo.read(at, path)),
  };
  const found = await rankNotes(newNoteIndex(without, ROOTS), await main(), all, { question: "скрипка", ...whole });
  expect({ total: found.total, reading: found.reading }).toEqual({ total: 8, reading: undefined });
});

test("U-1 a folder page reads no note, and lists the folders once", async () => {
  const { garden, asked } = await ground({ ...notes, "notes/a/b/c.md": "# C\n" });
  const first = await listFolder(garden, all, { limit: 3 });
  const cost = asked();
  const second = await listFolder(garden, all, { limit: 3, after: first.next });
  expect({
    entries: first.entries.map(({ path, notes: count, title }) => [path, count ?? title]),
    cost,
    nextPaths: second.entries.map(({ path }) => path),
    asked: asked(),
    page: [first.notes, first.next],
  }).toEqual({
    entries: [
      ["notes/a", 1],
      ["notes/n0.md", "n0"],
      ["notes/n1.md", "n1"],
    ],
    cost: { list: 1 },
    nextPaths: ["notes/n10.md", "notes/n11.md", "notes/n12.md"],
    asked: {},
    page: [61, "2notes/n1.md"],
  });
});

test("U-1 backlinks read only the notes that link to the note", async () => {
  const { garden, asked } = await ground({
    ...notes,
    "notes/x.md": "See [[N3#Part|it]].\n",
    "notes/y.md": "[it](n3.md)\n",
  });
  await linksAround(garden, all, "notes/n5.md");
  asked();
  const { backlinks } = await linksAround(garden, all, "notes/n3.md");
  expect({ backlinks: backlinks.map(({ path }) => path), asked: asked() }).toEqual({
    backlinks: ["notes/x.md", "notes/y.md"],
    asked: { read: 4 },
  });
});

const MANY = 400;
const many = Object.fromEntries(
  Array.from({ length: MANY }, (_, number) => [
    `notes/${number % 2 === 0 ? "even" : "odd"}/n${number}.md`,
    `# N${number}\n\n${"Words of a garden that grows. ".repeat(50)}${number === 1 ? "Violin." : ""}\n`,
  ]),
);

test("U-1 a search that does not wait returns partial results with their progress, while the index reads the rest", async () => {
  const { repo, main } = await ground(many);
  const index = newNoteIndex(repo, ROOTS);
  const ask = async (sees = all) =>
    rankNotes(index, await main(), sees, { question: "garden violin", most: 1, patience: 100 });
  const first = await ask();
  const odd = await ask(readScope(ROOTS, ["notes/odd"]));
  let last = await ask();
  let questions = 3;
  for (; last.reading; questions++) last = await ask();
  expect({
    readingTotal: first.reading?.total,
    countsWhatIsRead: first.total === first.reading?.done,
    isPartial: first.total >= 100 && first.total < MANY,
    oddTotal: odd.reading?.total ?? MANY / 2,
    lastTotal: last.total,
    lastPaths: last.paths,
    asksFew: questions <= 2 + MANY / 100,
  }).toEqual({
    readingTotal: MANY,
    countsWhatIsRead: true,
    isPartial: true,
    oddTotal: MANY / 2,
    lastTotal: MANY,
    lastPaths: ["notes/odd/n1.md"],
    asksFew: true,
  });
});

test("U-1 indexing yields to other work", async () => {
  const { repo, main } = await ground(many);
  const at = await main();
  let turns = 0;
  const done = new AbortController();
  const beside = (async () => {
    for (; !done.signal.aborted; turns++) await new Promise(setImmediate);
  })();
  await rankNotes(newNoteIndex(repo, ROOTS), at, all, { question: "violin", ...whole });
  done.abort();
  await beside;
  const characters = Object.values(many).reduce((sum, text) => sum + text.length, 0);
  expect(turns).toBeGreaterThan(characters / 32_768);
});

test("G-3 R-3 the next process reads the index from disk and no note, and a damaged or deleted part is read again", async () => {
  const { garden, dir, repo, asked, find } = await ground();
  const opened = () => newNoteIndex(repo, ROOTS, { worthAFile: 10 }, indexFiles(garden.folder, "notes"));
  const parts = () =>
    readdirSync(join(dir, ".bloom/search"), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const first = await find(opened(), "скрипками саду");
  await until(() => parts().length === 1);
  asked();
  expect(await find(opened(), "скрипками саду")).toEqual(first);
  expect(asked()["read"]).toBeUndefined();

  const [part] = parts();
  const file = join(part!.parentPath, part!.name);
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  expect(await find(opened(), "скрипками саду")).toEqual(first);
  expect(asked()["read"]).toBe(60);

  files(dir, { "notes/n7.md": "Тепер про інше.\n" });
  git(dir, "commit", "-qam", "one more");
  expect(await find(opened(), "скрипками саду")).not.toContain("notes/n7.md");
  expect(asked()["read"]).toBe(1);
  rmSync(join(dir, ".bloom/search"), { recursive: true });
  expect(await find(opened(), "скрипками саду")).not.toContain("notes/n7.md");
});

test("R-3 the format of the index on disk changes with the keys of a text", async () => {
  const text = "---\ntitle: Скрипки\n---\n# Violins\n\nСтруни скрипок, [[Links|one]] and books.\n";
  const { keys, length } = await noteKeys("notes/a.md", text, async () => undefined);
  const digest = [...keys].toSorted(([a], [b]) => a - b).join(" ");
  // If this fails, stored indexes have other keys: raise the number in INDEX_FORMAT of index-files.ts, then take the new value.
  expect({ format: INDEX_FORMAT, length, digest: hashOf(digest) }).toEqual({
    format: "bloom-search 3\n",
    length: 7,
    digest: -2114499956,
  });
});

test("R-3 a file of many megabytes is searched up to the size that a note may have", async () => {
  const pauses: number[] = [];
  const text = `${"слово ".repeat(1_000_000)} кінець`;
  const { length, keys } = await noteKeys("notes/a.md", text, async (characters) => void pauses.push(characters));
  expect({ all: pauses.reduce((sum, each) => sum + each, 0), length, end: keys.has(termKey("кінець")) }).toEqual({
    all: 5_000_000,
    length: 833_334,
    end: false,
  });
});
