import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localReader } from "../../adapters/reader/local/local-reader.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closed, gardenWith, git, testPorts } from "../../garden/testing/scratch.ts";
import { runCommandLine } from "../run-command-line.ts";

const world = fixedWorld("2026-02-15T08:00:00Z", 1000);

async function bloom(cwd: string, args: readonly string[], input = ""): Promise<{ exit: number; said: string }> {
  let said = "";
  const ground = testPorts(world);
  const exit = await runCommandLine(args, {
    ground,
    garden: undefined,
    language: "en",
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (said += text), err: (text) => (said += text), interactive: false, columns: 80 },
    machine: {
      cwd,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from(input)),
      examples: ground.folders.at(cwd),
      reader: localReader(),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  });
  return {
    exit,
    said: said
      .replaceAll(/prop_\d{4}-\d{2}-\d{2}_\d{6}_\w{6}/g, "PROP")
      .replaceAll(/\b[0-9a-f]{10}(?:[0-9a-f]{30})?\b/g, "HASH"),
  };
}

const rose = async (contents?: Readonly<Record<string, string>>): Promise<string> =>
  (await closed(await gardenWith(contents))).dir;

test("U-2 a note is created, edited, shown and reverted, each with its diff, digest and commit", async () => {
  const dir = await rose({ "notes/a.md": "# A\n" });
  const made = await bloom(dir, ["note", "new", "notes/violin.md", "--file", "-"], "A is 440 Hz.\n");
  const changed = await bloom(dir, ["note", "edit", "notes/violin.md", "--text", "A is 442 Hz."]);
  const history = await bloom(dir, ["note", "history", "notes/violin.md"]);
  const list = await bloom(dir, ["note"]);
  const id = git(dir, "log", "-1", "--format=%(trailers:key=Proposal,valueonly)").trim();
  const back = await bloom(dir, ["revert", id.slice(-6), "--approve", "--reason", "the pianist objects"]);
  expect(made.said).toBe(
    "--- /dev/null\n+++ b/notes/violin.md\n@@ -0,0 +1 @@\n+A is 440 Hz.\ndigest HASH\nnotes/violin.md  PROP is applied (HASH)\n",
  );
  expect(changed.said).toContain(
    "-A is 440 Hz.\n+A is 442 Hz.\ndigest HASH\nnotes/violin.md  PROP is applied (HASH)\n",
  );
  expect(history.said).toBe(
    "HASH  2026-02-15 08:00 UTC  owner  [owner] Edit notes/violin.md  PROP\nHASH  2026-02-15 08:00 UTC  owner  [owner] Add notes/violin.md  PROP\n",
  );
  expect(list.said).toBe("notes/a.md\nnotes/violin.md\n");
  expect({ exit: back.exit, text: readFileSync(join(dir, "notes/violin.md"), "utf8") }).toEqual({
    exit: 0,
    text: "A is 440 Hz.\n",
  });
});

test("U-2 control characters in a note cannot move the cursor", async () => {
  const dir = await rose({ "notes/a.md": "safe\u001b[2Jgone\u202e\n" });
  expect((await bloom(dir, ["note", "show", "notes/a.md"])).said).toBe("safe\ufffd[2Jgone\ufffd\n");
});

test.each<[string, string[], number, string]>([
  [
    "a new note at an existing path",
    ["note", "new", "notes/a.md", "--text", "x"],
    5,
    "there is a note notes/a.md already",
  ],
  ["an edit of a missing note", ["note", "edit", "notes/z.md", "--text", "x"], 3, "there is no note notes/z.md"],
  ["a bare name outside notes/", ["note", "new", "x.md", "--text", "x"], 2, "Notes are .md files under notes/"],
  ["a bare name of a missing note", ["note", "show", "x.md"], 3, "there is no note x.md"],
  ["a relative path", ["note", "show", "./notes/a.md"], 0, "# A"],
  ["a Windows path", ["note", "show", "notes\\a.md"], 0, "# A"],
  ["no text", ["note", "edit", "notes/a.md"], 2, "no text given"],
  ["neither path nor title", ["note", "new", "--text", "x"], 2, "give either PATH or --title"],
  ["a misspelled subcommand", ["note", "hsitory", "notes/a.md"], 2, "Did you mean `bloom note history`?"],
  ["a revert of a missing proposal", ["revert", "zzzzzz"], 3, "no proposal"],
])("U-2 %s has its message and exit code", async (_, args, exit, said) => {
  const told = await bloom(await rose(), args);
  expect({ exit: told.exit, said: told.said }).toEqual({ exit, said: expect.stringContaining(said) });
});

test.each<[string, string[], string]>([
  ["a found word", ["note", "find", "roses"], "notes/a.md\n  The rose is old.\n"],
  ["a word that no note has", ["note", "find", "unicorns"], "No matches.\n"],
  ["an answered question", ["note", "ask", "is", "the", "rose", "old?"], "«The rose is old.» [1]\n[1] notes/a.md:3\n"],
  ["a question without an answer", ["note", "ask", "what of unicorns?"], "The notes say nothing about this.\n"],
])("U-2 U-1a note find and note ask print the result: %s", async (_, args, said) => {
  expect((await bloom(await rose({ "notes/a.md": "# A\n\nThe rose is old.\n" }), args)).said).toBe(said);
});
