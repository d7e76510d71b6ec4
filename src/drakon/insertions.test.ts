import { describe, expect, it } from "vitest";
import { checkInsertions } from "./insertions.ts";
import { jsonDiagram } from "./testing/json-diagram.ts";

function calling(file: string, texts: readonly string[], name = "") {
  const items: Record<string, unknown> = { b: { type: "branch", branchId: 0, one: "0" }, e: { type: "end" } };
  for (const [i, content] of texts.entries())
    items[i] = { type: "insertion", content, one: i + 1 < texts.length ? String(i + 1) : "e" };
  if (texts.length === 0) items["b"] = { type: "branch", branchId: 0, one: "e" };
  return { file, diagram: jsonDiagram({ name, items }) };
}

const said = (diagrams: Parameters<typeof checkInsertions>[0]): string[] =>
  checkInsertions(diagrams).findings.map(({ file, icon, message }) => `${file} ${icon}: ${message.en.split(": ")[1]}`);

describe("D-7 diagrams of one agent that call each other", () => {
  it.each([
    ["by the file's name", "Check", "x/Check.drakon.json", ""],
    ["by the name of a DrakonHub file", "Check", "Check.drakon", ""],
    ["by the diagram's own name", "Check", "file.drakon.json", "Check"],
    ["with arguments", "Check(note, 3)", "Check.drakon", ""],
    ["with a name for the result", "tags ← Check(note)", "Check.drakon", ""],
    ["regardless of case", "ПЕРЕВІРКА", "перевірка.drakon", ""],
    ["regardless of Unicode composition", "Перевірка\u0438\u0306", "Перевірка\u0439.drakon", ""],
  ])("are found %s", (_, text, file, name) => {
    const { calls, findings } = checkInsertions([calling("main.drakon", [text]), calling(file, [], name)]);
    expect(calls).toEqual([{ from: "main.drakon", icon: "0", text, to: file }]);
    expect(findings).toEqual([]);
  });

  it("a file's exact name has priority over a diagram's own name, and both over another case", () => {
    const callee = (diagrams: Parameters<typeof checkInsertions>[0]): string | undefined =>
      checkInsertions([calling("m", ["Sub"]), ...diagrams]).calls[0]?.to;
    expect(callee([calling("a.drakon", [], "Sub"), calling("Sub.drakon", [])])).toBe("Sub.drakon");
    expect(callee([calling("sub.drakon", []), calling("a.drakon", [], "Sub")])).toBe("a.drakon");
  });

  it("a missing diagram is an error with both names", () => {
    expect(said([calling("main.drakon", ["Gone(1)", ""])])).toEqual([
      "main.drakon 0: main → Gone",
      "main.drakon 1: main → –",
    ]);
  });

  it("a cycle is an error at every icon that closes it, with all names", () => {
    expect(
      said([
        calling("a.drakon", ["b", "d"]),
        calling("b.drakon", ["c"]),
        calling("c.drakon", ["a"]),
        calling("d.drakon", ["d"]),
      ]),
    ).toEqual([
      "a.drakon 0: a → b → c → a",
      "b.drakon 0: b → c → a → b",
      "c.drakon 0: c → a → b → c",
      "d.drakon 0: d → d",
    ]);
  });

  it("an unreachable insertion is not a call", () => {
    const items = {
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "end" },
      3: { type: "insertion", content: "gone", one: "2" },
    };
    expect(said([{ file: "a", diagram: jsonDiagram({ items }) }])).toEqual([]);
  });
});
