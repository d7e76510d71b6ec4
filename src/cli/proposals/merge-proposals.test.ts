import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { initGarden } from "../../garden/life/init.ts";
import { commitSession } from "../../garden/sessions/commit-session.ts";
import { sessionHead } from "../../garden/sessions/topology.ts";
import { files, git, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";

interface Made {
  readonly proposal: { readonly id: string; readonly edits?: string };
}
const NONE: Made = { proposal: { id: "" } };

test("S-11 S-5 P-10b a merge on the command line: a part of it, its conflicts resolved, and taken back", async () => {
  const dir = scratch();
  files(dir, { "notes/a.md": "one\n", "notes/b.md": "B\n" });
  await initGarden(testPorts(), dir, { language: "en" });
  let minute = 0;
  const bloom = async (...args: string[]): Promise<{ exit: number; json: Made; text: string }> => {
    const at = Date.parse("2026-02-14T08:00:00Z") + 60_000 * minute++;
    const { exit, out, err } = await inProcessBloom(dir, args, {
      ground: testPorts(fixedWorld(at, 1)),
      language: "en",
    });
    const json = args.includes("--json") ? (JSON.parse(out || err) as Made) : NONE;
    return { exit, json, text: out + err };
  };
  const worked = async (session: string, texts: Readonly<Record<string, string | undefined>>): Promise<string> => {
    await bloom("session", "spawn", session, "--goal", "Tidy");
    const garden = await openGarden(testPorts(), dir);
    const edits = Object.entries(texts).map(([path, text]) => ({
      path,
      bytes: text === undefined ? text : Buffer.from(text),
    }));
    const expected = await sessionHead(garden.repo, session);
    await commitSession(garden, session, { expect: expected, kind: "refactor", message: "Tidy", tree: { edits } });
    await closeGarden(garden);
    const { json } = await bloom("propose", "merge", session, "--json");
    return json.proposal.id;
  };

  const first = await worked("tidy", {
    "notes/b.md": undefined,
    "notes/old/b.md": "B\n",
    "notes/c.md": "c\n",
    "notes/d.md": "d\n",
  });
  expect((await bloom("proposals", "show", first)).text).toContain("> notes/b.md → notes/old/b.md");
  const both = await bloom("proposals", "approve", first, "--yes", "--only", "notes/c.md", "--except", "notes/d.md");
  expect(both.text).toContain("exclude each other");
  const part = await bloom("proposals", "approve", first, "--yes", "--except", "notes/d.md", "--json");
  expect([part.exit, git(dir, "ls-files", "notes")]).toEqual([0, "notes/a.md\nnotes/c.md\nnotes/old/b.md"]);
  expect((await bloom("proposals", "show", first)).text).toMatch(/only +notes\/b.md, notes\/c.md, notes\/old\/b.md/);

  const second = await worked("more", { "notes/a.md": "theirs\n" });
  files(dir, { "notes/a.md": "ours\n" });
  git(dir, "-c", "user.name=O", "-c", "user.email=o@example.org", "commit", "-qam", "By hand");
  expect((await bloom("proposals", "show", second)).text).toContain("notes/a.md: the same lines were changed on main");
  const text = join(scratch(), "a.md");
  writeFileSync(text, "both\n");
  expect((await bloom("proposals", "resolve", second)).text).toContain("missing: notes/a.md");
  const resolved = await bloom("proposals", "resolve", second, "--with", `notes/a.md=${text}`, "--json");
  const { proposal } = resolved.json;
  expect(proposal.edits).toBe(second);
  await bloom("proposals", "approve", proposal.id, "--yes");
  expect(git(dir, "show", "main:notes/a.md")).toBe("both");

  const revert = await bloom("revert", first, "--approve");
  expect([revert.exit, revert.text]).toEqual([0, expect.stringContaining("notes/old/b.md → notes/b.md") as unknown]);
  expect(git(dir, "ls-files", "notes")).toBe("notes/a.md\nnotes/b.md");
});
