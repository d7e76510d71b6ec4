import { expect, test } from "vitest";
import { gitFailed } from "./git-process.ts";

test.each([
  [["fsck"], "fsck"],
  [["-c", "core.bare=true", "-c", "merge.conflictStyle=merge", "merge-tree", "--write-tree"], "merge-tree"],
  [["--no-replace-objects", "cat-file", "-p"], "cat-file"],
  [["-c", "a=b"], "git"],
])("a failure of git %j names its subcommand", (args, verb) => {
  expect(gitFailed(args, "exit code 1", "fatal: no").text.en).toBe(`git ${verb} failed (exit code 1): no`);
});
