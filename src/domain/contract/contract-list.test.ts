import { describe, expect, test } from "vitest";
import { contractFile } from "./contract-file.ts";
import { withListItem } from "./contract-list.ts";

const changed = (front: string, item: string, present: boolean): string | undefined =>
  withListItem(contractFile(`---\n${front}\n---\nBody\n`)!, "out", item, present)?.text.slice(4, -10);

describe("C-2 a list of a contract is changed in place", () => {
  const rows: [string, string, string, boolean, string | undefined][] = [
    ["one more line", 'a: 1\nout:\n  - "x" # mine\nb: 2', "y", true, 'a: 1\nout:\n  - "x" # mine\n  - y\nb: 2'],
    ["at the end of the front matter", "out:\n- x", "y", true, "out:\n- x\n- y"],
    ["with its line ends", "out:\r\n  - x\r\nb: 2", "y", true, "out:\r\n  - x\r\n  - y\r\nb: 2"],
    ["on one line", "out: [ x, 'z' ] # these\nb: 2", "y", true, "out: [ x, 'z', y ] # these\nb: 2"],
    ["into nothing", "out: []", "y", true, "out: [y]"],
    ["what is there stays", "out: [x]", "x", true, "out: [x]"],
    ["one line less", "out:\n  - x\n  # about y\n  - y\n  - z", "y", false, "out:\n  - x\n  # about y\n  - z"],
    ["the first of a line", "out: [x, y]", "x", false, "out: [y]"],
    ["the last of a line", "out: [x, y]", "y", false, "out: [x]"],
    ["the only one", "out: [x]", "x", false, "out: []"],
    ["what is not there", "out: [x]", "y", false, "out: [x]"],
    ["the last line: nothing in place is right", "out:\n  - x\nb: 2", "x", false, undefined],
    ["no list", "out: x", "y", true, undefined],
    ["a list that another field shares", "a: &a [x]\nout: *a", "y", true, undefined],
  ];
  test.each(rows)("%s", (_, front, item, present, expected) => {
    expect(changed(front, item, present)).toBe(expected);
  });
});
