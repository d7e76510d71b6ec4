import { expect, test } from "vitest";
import { markedMerge } from "./marked-merge.ts";

const names = { ours: "a", theirs: "b" };
const conflict = (ours: string, theirs: string): string => `<<<<<<< a\n${ours}=======\n${theirs}>>>>>>> b\n`;

test.each([
  ["changes of different lines are both there", "1\n2\n3\n4\n", "1\nx\n3\n4\n", "1\n2\n3\ny\n", "1\nx\n3\ny\n"],
  ["the same change is there once", "1\n2\n", "1\nx\n", "1\nx\n", "1\nx\n"],
  ["changes of one line are marked", "1\n2\n3\n", "1\nx\n3\n", "1\ny\n3\n", `1\n${conflict("x\n", "y\n")}3\n`],
  [
    "changes of lines side by side are marked, as in git",
    "1\n2\n3\n4\n",
    "1\nx\n3\n4\n",
    "1\n2\ny\n4\n",
    `1\n${conflict("x\n3\n", "2\ny\n")}4\n`,
  ],
  ["a removed line is an empty side", "1\n2\n", "1\n", "1\ny\n", `1\n${conflict("", "y\n")}`],
  ["a last line without its end gets one", "1\n2", "1\nx", "1\ny", `1\n${conflict("x\n", "y\n")}`],
  [
    "changes elsewhere are kept beside a conflict",
    "1\n2\n3\n4\n5\n",
    "x\n2\n3\n4\n5\n",
    "y\n2\n3\n4\nz\n",
    `${conflict("x\n", "y\n")}2\n3\n4\nz\n`,
  ],
])("S-5 in a marked merge %s", (_, base, ours, theirs, expected) => {
  expect(markedMerge(base, { ours, theirs }, names)).toBe(expected);
});
