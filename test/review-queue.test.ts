import { describe, expect, test } from "vitest";
import { wordParts } from "../web/src/components/patch.ts";
import { lineText, wordBlocks } from "../web/src/components/word-lines.ts";
import { neighboursIn } from "../web/src/pages/proposals/queue-neighbours.ts";
import { queueRows } from "../web/src/pages/proposals/queue-rows.ts";

type Card = Parameters<typeof queueRows>[0]["cards"][number];

const card = (id: string, over: Partial<Card> & { readonly agent?: string; readonly run?: string } = {}): Card => {
  const { agent = "gardener", run = "run_1", ...fields } = over;
  return {
    id,
    status: "pending",
    action: "propose-edit",
    target: `notes/${id}.md`,
    summary: `Change ${id}`,
    source: { type: "agent", identity: agent, authenticated: true, timestamp: "", run_id: run },
    priority: "normal",
    digest: id,
    created_at: "",
    expires_at: "",
    ...fields,
  };
};

const rowsOf = (cards: readonly Card[], over: Partial<Parameters<typeof queueRows>[0]> = {}): string[] =>
  queueRows({ cards, pageStarts: [0], isWhole: true, grouping: "run", opened: new Set(), ...over }).map((row) =>
    row.kind === "head"
      ? `${row.first.source.identity} ${row.count}${row.isOpenEnded ? "+" : ""}`
      : row.kind === "fold"
        ? `fold ${row.cards.length}`
        : row.card.id,
  );

describe("U-1 the rows of the queue", () => {
  const two = [card("a"), card("b", { agent: "archivist", run: "run_2" }), card("c")];
  const five = ["a", "b", "c", "d", "e"].map((id) => card(id));
  test.for<[string, string[], string[]]>([
    ["proposals are grouped by agent and run", rowsOf(two), ["gardener 2", "a", "c", "archivist 1", "b"]],
    [
      "grouped by note, each target is a group",
      rowsOf(two, { grouping: "note" }),
      ["gardener 1", "a", "archivist 1", "b", "gardener 1", "c"],
    ],
    ["more than three alike ones of a run are folded", rowsOf(five), ["gardener 5", "a", "b", "fold 3"]],
    [
      "an opened fold shows its proposals",
      rowsOf(five, { opened: new Set(["fold 0 agent gardener run_1 propose-edit run_1"]) }),
      ["gardener 5", "a", "b", "fold 3", "c", "d", "e"],
    ],
    [
      "changes of logic are never folded",
      rowsOf(["a", "b", "c", "d"].map((id) => card(id, { action: "logic-update" }))),
      ["gardener 4", "a", "b", "c", "d"],
    ],
    [
      "a page that is read later moves no row above it, and may go on with the last group",
      rowsOf(two.concat(card("d"), card("e", { agent: "archivist", run: "run_2" })), {
        pageStarts: [0, 3],
        isWhole: false,
      }),
      ["gardener 2", "a", "c", "archivist 2", "b", "e", "gardener 1+", "d"],
    ],
  ])("U-1 %s", ([, rows, expected]) => {
    expect(rows).toEqual(expected);
  });

  test("U-1 the next proposal skips those that were just decided, and after the last comes the first", () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => card(id)) as [Card, Card, Card];
    expect([
      neighboursIn([a, b, c], [a, c], "a"),
      neighboursIn([a, b, c], [a, c], "c"),
      neighboursIn([a, c], [a, c], "b"),
    ]).toEqual([
      { next: "c", previous: undefined },
      { next: "a", previous: "a" },
      { next: "c", previous: "a" },
    ]);
  });
});

describe("U-1 the words of a change", () => {
  const marks = (old: string, now: string): string =>
    wordParts(old, now)
      .map(({ text, mark }) => (mark === "same" ? text : mark === "added" ? `+${text}+` : `-${text}-`))
      .join("");

  test.for([
    [
      "a link is one word",
      "see [[lime-tree]] now",
      "see [[The old lime tree]] now",
      "see -[[lime-tree]]-+[[The old lime tree]]+ now",
    ],
    ["changes with only a space between are one", "one two three", "four five three", "-one two-+four five+ three"],
    ["Ukrainian words are words", "сіяти боби", "сіяти горох", "сіяти -боби-+горох+"],
  ] as const)("U-1 %s", ([, old, now, expected]) => {
    expect(marks(old, now)).toBe(expected);
  });

  const patch = "--- a/x.md\n+++ b/x.md\n@@ -3,3 +3,3 @@\n three\n-four is here\n+four was here\n five\n";
  test("U-1 hidden lines are counted before and after the changed ones", () => {
    expect(
      wordBlocks(patch, 8).map((block) =>
        block.kind === "hidden" ? block.count : block.lines.map((line) => `${line.kind} ${lineText(line)}`),
      ),
    ).toEqual([2, ["same three", "changed four was here", "same five"], 3]);
  });

  test("U-1 lines that share little are shown one after the other", () => {
    const other = patch.replace("+four was here", "+something else entirely");
    const lines = wordBlocks(other, 8).flatMap((block) => (block.kind === "lines" ? block.lines : []));
    expect(lines.map(({ kind }) => kind)).toEqual(["same", "removed", "added", "same"]);
  });
});
