import { diskFolders } from "../../src/adapters/folder/disk-folder.ts";
import { gitRepos } from "../../src/adapters/repo/git/repos.ts";
import { realWorld } from "../../src/base/world.ts";
import { MAIN_REF } from "../../src/domain/layout.ts";
import type { CommitFields } from "../../src/domain/session/typed-commit.ts";
import { commitWithTrace } from "../../src/garden/sessions/commit-with-trace.ts";
import { mergeSession } from "../../src/garden/sessions/merge-session.ts";
import type { SessionGarden } from "../../src/garden/sessions/session-garden.ts";
import { spawnSessionAt, spawnSessionFrom } from "../../src/garden/sessions/spawn-session.ts";
import { sessionHead } from "../../src/garden/sessions/topology.ts";
import { recordTrace } from "../../src/garden/sessions/trace-buffer.ts";

/** Something that a session says or calls before a commit. */
type Said = readonly [kind: "model" | "tool", text: string];

interface Work {
  readonly at: string;
  readonly kind: string;
  readonly message: string;
  readonly said?: readonly Said[];
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly fields?: CommitFields;
}

/** Sessions at work in the garden of a folder, at given times, as agents would leave them. Returns the ids of commits by message. */
export async function plantSessions(dir: string, day = "2026-11-16"): Promise<ReadonlyMap<string, string>> {
  let now = Date.parse(`${day}T13:00:00Z`);
  const world = { ...realWorld, now: () => now };
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const repo = await gitRepos({ environment, world: realWorld, maintainEvery: Number.POSITIVE_INFINITY }).open(dir);
  const garden: SessionGarden = { repo, world, folder: diskFolders({ world }).at(dir), secrets: () => [] };
  const made = new Map<string, string>();
  const at = (time: string): number => (now = Date.parse(`${day}T${time}:00Z`));
  const work = async (name: string, { at: time, kind, message, said = [], files, fields }: Work): Promise<void> => {
    for (const [index, [what, text]] of said.entries()) {
      at(time);
      now -= (said.length - index) * 15_000;
      await recordTrace(garden, name, { kind: what, text, step: index + 1 });
    }
    at(time);
    const edits = Object.entries(files).map(([path, text]) => ({
      path,
      bytes: text === undefined ? undefined : Buffer.from(text),
    }));
    const wish = { expect: await sessionHead(repo, name), kind, message, tree: { edits }, ...(fields && { fields }) };
    const done = await commitWithTrace(garden, name, wish);
    if (done.kind !== "committed") throw new Error(`${name}: ${done.kind}`);
    made.set(message, done.commit);
  };
  await archivist({ garden, at, work });
  await tidyUp({ garden, at, work });
  await repo.close();
  return made;
}

interface Bench {
  readonly garden: SessionGarden;
  readonly at: (time: string) => number;
  readonly work: (name: string, work: Work) => Promise<void>;
}

const ARCHIVE = "archivist-7f3k2m";
const READER = "archivist-reader-2c";
const LONG = Array.from({ length: 60 }, (_, index) => `Lid ${index + 1}: a date and two initials.`).join("\n");

/** A session with a sub-agent, whose work it has merged, and entries that no commit has yet. */
async function archivist({ garden, at, work }: Bench): Promise<void> {
  at("13:05");
  const main = (await garden.repo.resolve(MAIN_REF))!;
  await spawnSessionAt(garden, main, { name: ARCHIVE, briefing: { goal: "Describe box 9 of the archive" } });
  await work(ARCHIVE, {
    at: "13:09",
    kind: "finding",
    message: "Three lids name tapes that no note has",
    said: [
      ["model", "The lids of box 9 name tapes. Which of them have a note?"],
      ["tool", `read-notes {"folder":"notes/archive"}\n→ ${LONG}`],
    ],
    files: { "notes/archive/Lids.md": "# Lids\n\nTape 38, tape 39, tape 41.\n" },
  });
  at("13:13");
  await spawnSessionFrom(garden, ARCHIVE, { name: READER, briefing: { goal: "Read the lids" } });
  await work(READER, {
    at: "13:18",
    kind: "finding",
    message: "Tape 38 is a wedding",
    said: [["model", "The lid says: wedding, 1974."]],
    files: { "notes/archive/Tape 38.md": "# Tape 38\n\nA wedding, 1974.\n" },
  });
  await work(ARCHIVE, {
    at: "13:24",
    kind: "decision",
    message: "Keep the numbers that are on the lids",
    files: {},
    fields: { "resume-tag": "numbers", "resume-value": "lids" },
  });
  await work(READER, {
    at: "13:28",
    kind: "finding",
    message: "Tape 39 has no sound",
    files: { "notes/archive/Tape 39.md": "# Tape 39\n\nNo sound.\n" },
  });
  await work(ARCHIVE, {
    at: "13:31",
    kind: "refactor",
    message: "Split What is in the archive by box",
    said: [
      ["model", "One note lists nine boxes. People look for a box, not for the list."],
      ["tool", 'write-note {"path":"notes/archive/Box 9.md"}'],
    ],
    files: {
      "notes/archive/Box 9.md": "# Box 9\n\nFour tapes and a bundle of letters.\n",
      "notes/archive/Lids.md": "# Lids\n\nTape 38, tape 39, tape 41: see [[Box 9]].\n",
    },
  });
  at("13:40");
  await mergeSession(garden, { into: ARCHIVE, from: READER, message: "Merge what the reader found" });
  at("13:52");
  await recordTrace(garden, ARCHIVE, { kind: "model", text: "Next: is tape 41 the same reel as tape 7?" });
}

/** A session and its sub-agent, which changed the same line. */
async function tidyUp({ garden, at, work }: Bench): Promise<void> {
  at("13:20");
  const main = (await garden.repo.resolve(MAIN_REF))!;
  await spawnSessionAt(garden, main, { name: "tidy-up", briefing: { goal: "Sort the inbox\n\nOldest notes first." } });
  const log = "# Listening log\n\n1 November: nothing.\n\nThe shelf is dry.\n\n8 November: box 9 opened.\n";
  await work("tidy-up", {
    at: "13:22",
    kind: "refactor",
    message: "A log of listening",
    files: { "notes/Log.md": log },
  });
  at("13:25");
  await spawnSessionFrom(garden, "tidy-up", { name: "labels", briefing: { goal: "Name who opened it" } });
  await work("labels", {
    at: "13:33",
    kind: "finding",
    message: "Four tapes were in it",
    files: { "notes/Log.md": log.replace("opened.", "opened. Four tapes, 38 to 41.").replace("nothing.", "silence.") },
  });
  await work("tidy-up", {
    at: "13:44",
    kind: "finding",
    message: "Halyna was there",
    files: { "notes/Log.md": log.replace("box 9 opened.", "box 9 opened with Halyna.") },
  });
}
