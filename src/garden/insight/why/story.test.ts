import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys } from "../../../domain/layout.ts";
import { type Story, storyFileName, storyVerdict } from "../../../domain/why/story.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { files, git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { tellStory } from "./story.ts";
import { storyPage } from "./story-page.ts";

const made = tendedCopies();
const { copy } = made;

async function told(dir: string, subject: string): Promise<Story | undefined> {
  const garden = await openGarden(testPorts(), dir);
  try {
    return await tellStory(garden, subject);
  } finally {
    await closeGarden(garden);
  }
}

const shape = (story: Story | undefined): string[] | undefined =>
  story?.links.map(({ kind, mark }) => `${kind} ${mark}`);
const verified = (...kinds: string[]): string[] => kinds.map((kind) => `${kind} verified`);

test.each<[string, () => string, string[]]>([
  [
    "a line that an agent wrote",
    () => "notes/a.md:1",
    verified("wish", "permission", "run", "step", "proposal", "decision", "commit", "since"),
  ],
  ["a line that a person wrote", () => "notes/б.md:1", verified("commit", "since")],
  ["a path that the owner proposed", () => "notes/new.md", verified("wish", "proposal", "decision", "commit", "since")],
  ["a proposal that waits", () => made.tended.proposals.pending.id, verified("wish", "proposal", "decision")],
])(
  "P-11 the story goes from the wish to today, and every link says what was checked: %s",
  async (_, subject, expected) => {
    const story = await told(copy(), subject());
    expect({ shape: shape(story), bare: story?.links.filter(({ checks }) => checks.length === 0) }).toEqual({
      shape: expected,
      bare: [],
    });
  },
);

test("P-11 a run has no single story", async () => {
  expect(await told(copy(), made.tended.proposals.byAgent.source.run_id!)).toBeUndefined();
});

const commitOf = (): string => made.tended.proposals.byAgent.apply_result!.git_commit!;

test.each<[string, (dir: string) => string, Record<string, string>]>([
  [
    "the record of the run is gone",
    (dir) => {
      const { identity, run_id } = made.tended.proposals.byAgent.source;
      rmSync(join(dir, ".bloom/store", keys.runs(identity), run_id!), { recursive: true, force: true });
      return "notes/a.md:1";
    },
    { run: "unchecked", proposal: "verified", commit: "verified" },
  ],
  [
    "a commit was changed by hand and kept its trailers",
    (dir) => {
      const message = git(dir, "log", "-1", "--format=%B", commitOf());
      files(dir, { "notes/a.md": "Forged.\n" });
      git(dir, "commit", "-qam", message);
      return "notes/a.md:1";
    },
    { decision: "verified", commit: "mismatch" },
  ],
])("P-11 a broken story says where: %s", async (_, break_, expected) => {
  const dir = copy();
  const story = await told(dir, break_(dir));
  const marks = Object.fromEntries(story!.links.map(({ kind, mark }) => [kind, mark]));
  expect(marks).toMatchObject(expected);
});

test("P-11 a story as one file has no script, loads nothing, and shows hostile words as words", async () => {
  const dir = copy();
  const story = (await told(dir, "notes/a.md:1"))!;
  const evil = '<script>alert(1)</script><img src=x onerror="alert(1)">';
  const html = storyPage(
    {
      ...story,
      lines: [{ number: 1, text: evil }],
      links: story.links.map((link) => ({ ...link, words: evil, patch: `@@ -1 +1 @@\n-${evil}\n+${evil}` })),
    },
    "en",
    "UTC",
  );
  writeFileSync(join(dir, "why.html"), html);
  expect({
    tags: [...new Set(readFileSync(join(dir, "why.html"), "utf8").match(/<(?:script|img|iframe|link|object|a)\b/g))],
    handlers: html.match(/<[a-z]+[^>]*\son[a-z]+=/g),
    policy: html.includes("default-src 'none'; style-src 'unsafe-inline'"),
    name: storyFileName(story),
    isSmall: Buffer.byteLength(html) < 100_000,
  }).toEqual({ tags: [], handlers: null, policy: true, name: "why-notes-a-md-1.html", isSmall: true });
});

test.each<[string, readonly string[], string]>([
  ["en", ["verified", "verified"], "All 2 links are verified"],
  ["en", ["verified", "unchecked"], "1 link is verified, 1 cannot be checked."],
  ["en", ["verified", "mismatch"], "The story breaks at link 2. 1 link is verified."],
  ["uk", ["verified", "verified", "unchecked"], "2 ланки перевірено, 1 перевірити не можна."],
])("P-11 the verdict in %s of %j is a sentence", (language, marks, expected) => {
  const links = marks.map((mark) => ({ kind: "run", mark, checks: [], title: { en: "", uk: "" } })) as never;
  const { opening, result } = storyVerdict({ links }, language as "en", () => "");
  expect(`${opening} ${result}`.trim()).toBe(expected);
});
