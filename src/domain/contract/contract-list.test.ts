import { describe, expect, test } from "vitest";
import { contractFile } from "./contract-file.ts";
import { withListItem } from "./contract-list.ts";

const changed = (front: string, item: string, present: boolean): string | undefined =>
  withListItem(contractFile(`---\n${front}\n---\nBody\n`)!, "out", item, present)?.text.slice(4, -10);

describe("C-2 a list of a contract is changed in place", () => {
  const rows: [string, string, string, boolean, string | undefined][] = [
    [
      "an item is added on its own line",
      'a: 1\nout:\n  - "x" # mine\nb: 2',
      "y",
      true,
      'a: 1\nout:\n  - "x" # mine\n  - y\nb: 2',
    ],
    ["an item is added at the end of the front matter", "out:\n- x", "y", true, "out:\n- x\n- y"],
    [
      "an item is added with the line ends of the file",
      "out:\r\n  - x\r\nb: 2",
      "y",
      true,
      "out:\r\n  - x\r\n  - y\r\nb: 2",
    ],
    [
      "an item is added to a list on one line",
      "out: [ x, 'z' ] # these\nb: 2",
      "y",
      true,
      "out: [ x, 'z', y ] # these\nb: 2",
    ],
    ["an item is added to an empty list", "out: []", "y", true, "out: [y]"],
    ["an existing item is not added again", "out: [x]", "x", true, "out: [x]"],
    [
      "an item is removed with its line",
      "out:\n  - x\n  # about y\n  - y\n  - z",
      "y",
      false,
      "out:\n  - x\n  # about y\n  - z",
    ],
    ["the first item of a line is removed", "out: [x, y]", "x", false, "out: [y]"],
    ["the last item of a line is removed", "out: [x, y]", "y", false, "out: [x]"],
    ["the only item of a line is removed", "out: [x]", "x", false, "out: []"],
    ["a missing item is not removed", "out: [x]", "y", false, "out: [x]"],
    ["the only line of a list cannot be removed in place", "out:\n  - x\nb: 2", "x", false, undefined],
    ["a value that is not a list cannot be changed", "out: x", "y", true, undefined],
    ["a list that another field shares cannot be changed", "a: &a [x]\nout: *a", "y", true, undefined],
  ];
  test.each(rows)("%s", (_, front, item, present, expected) => {
    expect(changed(front, item, present)).toBe(expected);
  });
});
