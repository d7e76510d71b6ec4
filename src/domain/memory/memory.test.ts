import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MemoryOperation } from "../proposal/operation.ts";
import { matchLoop, openLoops } from "./memory-loops.ts";
import { contentsId, type MemoryFiles, memoryMetaText, metaOf, readMemoryMeta } from "./memory-meta.ts";
import { applyMemoryOperations, type OperationsResult } from "./memory-operations.ts";
import { observationLine, withLinesOnce } from "./memory-record.ts";
import { sectionIn, withAppendedText, withReplacedSection } from "./memory-section.ts";

const apply = (now: MemoryFiles, operations: readonly MemoryOperation[], read: MemoryFiles | undefined = now) =>
  applyMemoryOperations({ agentId: "curator", now, read, day: "2026-02-14" }, operations);

function filesOf(result: OperationsResult): MemoryFiles {
  if (result.kind !== "applied") throw new Error(JSON.stringify(result));
  return result.files;
}

const append = (section: string | undefined, text: string): MemoryOperation => ({
  op: "append",
  file: "facts.md",
  ...(section !== undefined && { section }),
  text,
});

describe("M-4 sections", () => {
  const file = "# Facts\n\nintro\n\n## A\n\n- one\n\n### deeper\n\n- two\n\n```\n## A\n```\n\n## B\n\n- three";

  test.each([
    ["an existing section", "B", "- four", "## B\n\n- three\n- four\n"],
    ["a section with subsections and code, before the next section", "A", "- four", "```\n- four\n\n## B\n"],
    ["a new section", "C", "- four", "- three\n\n## C\n\n- four\n"],
    ["the file", undefined, "- four", "- three\n- four\n"],
  ])("text is appended to %s", (_, section, text, part) =>
    expect(withAppendedText(file, section, text)).toContain(part),
  );

  test("an open code fence is closed before more text follows", () => {
    expect(withAppendedText("# F\n\n```\ncode", "New", "- x")).toBe("# F\n\n```\ncode\n```\n\n## New\n\n- x\n");
    expect(withAppendedText("# F\n\n## A\n\n## B\n", "A", "~~~\ncode")).toBe("# F\n\n## A\n\n~~~\ncode\n~~~\n\n## B\n");
  });

  test("appended text gets the Windows line ends of the file", () => {
    expect(withAppendedText("# F\r\n\r\n## A\r\n\r\n- x\r\n", "A", "- y\n- z")).toBe(
      "# F\r\n\r\n## A\r\n\r\n- x\r\n- y\r\n- z\r\n",
    );
  });

  test("a replaced section is read back, and its neighbours stay", () => {
    const words = fc
      .string({ unit: fc.constantFrom("a", " ", "\n", "- b", "```\n", "ї") })
      .filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(words, (text) => {
        const after = withReplacedSection(file, "A", text);
        const found = sectionIn(after, "A");
        expect(found.kind === "found" && found.text.includes(text.trim().split("\n")[0]!.trim())).toBe(true);
        expect(sectionIn(after, "B")).toEqual({ kind: "found", text: "\n- three" });
        expect(after.startsWith("# Facts\n\nintro\n\n## A\n")).toBe(true);
      }),
    );
  });

  test("appending keeps every line in order, and adds the text once", () => {
    const line = fc.constantFrom("# T", "## A", "## B", "- item", "", "text", "```", "~~~", "    code");
    const end = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(line), end, fc.constantFrom("A", "C", undefined), (lines, eol, section) => {
        const text = lines.join(eol);
        const after = withAppendedText(text, section, "- NEW").split(/\r?\n/);
        let at = -1;
        for (const each of lines.filter((one) => one !== "")) {
          at = after.indexOf(each, at + 1);
          expect(at).toBeGreaterThanOrEqual(0);
        }
        expect(after.filter((each) => each === "- NEW")).toHaveLength(1);
      }),
    );
  });
});

describe("M-4 operations", () => {
  test("appends to different sections commute, and two appends to one section are both kept", () => {
    const text = fc
      .string({ minLength: 1, unit: fc.constantFrom("a", "б", " ", ".") })
      .filter((one) => one.trim() !== "");
    const now = { "facts.md": "# Facts\n\n## A\n\n- a\n\n## B\n\n- b\n" };
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [a, b] = [append("A", one), append("B", two)];
        expect(filesOf(apply(now, [a, b]))).toEqual(filesOf(apply(now, [b, a])));
        const both = filesOf(apply(now, [append("A", one), append("A", two)]))["facts.md"]!;
        expect([one, two].every((each) => both.includes(`- ${each.trim()}`))).toBe(true);
      }),
    );
  });

  test("an append to a stale version always fits, with the same essence", () => {
    const read = { "facts.md": "# Facts\n\n- a\n" };
    const now = { "facts.md": "# Facts\n\n- a\n- meanwhile\n" };
    const [fresh, stale] = [apply(read, [append(undefined, "new")]), apply(now, [append(undefined, "new")], read)];
    expect(filesOf(stale)["facts.md"]).toBe("# Facts\n\n- a\n- meanwhile\n- new\n");
    expect(stale).toMatchObject({ essence: (fresh as { essence: unknown }).essence });
  });

  test.each<[string, MemoryFiles | undefined, MemoryFiles, string]>([
    ["nothing changed", { "facts.md": "## A\n\nold\n" }, { "facts.md": "## A\n\nold\n" }, "applied"],
    [
      "another section changed",
      { "facts.md": "## A\n\nold\n" },
      { "facts.md": "## A\n\nold\n\n## B\n\nx\n" },
      "applied",
    ],
    ["the section changed", { "facts.md": "## A\n\nold\n" }, { "facts.md": "## A\n\nother\n" }, "version_conflict"],
    ["the section was added meanwhile", {}, { "facts.md": "## A\n\nother\n" }, "version_conflict"],
    ["the section already has the text", { "facts.md": "## A\n\nold\n" }, { "facts.md": "## A\n\nnew\n" }, "applied"],
    ["the version that was read is unknown", undefined, { "facts.md": "## A\n\nold\n" }, "version_conflict"],
  ])("a replacement of a section is checked when %s", (_, read, now, kind) => {
    const result = applyMemoryOperations({ agentId: "c", now, read, day: "2026-02-14" }, [
      { op: "replace", file: "facts.md", section: "A", text: "new" },
    ]);
    expect(result.kind).toBe(kind);
  });

  test("an append to one of two sections of one name is refused", () => {
    const twice = { "facts.md": "## A\n\nx\n\n## A\n\ny\n" };
    expect({
      sameName: apply(twice, [append("A", "z")]).kind,
      otherName: apply(twice, [append("B", "z")]).kind,
    }).toEqual({ sameName: "refused", otherName: "applied" });
  });

  test("a loop gets an id, is closed by id or text, and an unknown loop is refused with the open ones", () => {
    const opened = filesOf(apply({}, [{ op: "append", file: "open_loops.md", text: "Перевірити джерело" }]));
    const [loop] = openLoops(opened["open_loops.md"]!);
    expect(loop).toMatchObject({
      text: "Перевірити джерело",
      id: expect.stringMatching(/^loop-[0-9a-f]{6}$/) as string,
    });
    const close = (wanted: string): OperationsResult =>
      apply(opened, [{ op: "close-loop", loop: wanted, resolution: "знайдено\nу томі 2" }]);
    for (const wanted of [loop!.id!, `^${loop!.id!}`, "Перевірити джерело"]) {
      const files = filesOf(close(wanted));
      expect(openLoops(files["open_loops.md"]!)).toEqual([]);
      expect(files["decisions.md"]).toContain("- [x] 2026-02-14 Перевірити джерело — знайдено\n  у томі 2\n");
    }
    expect(close("щось інше")).toMatchObject({
      kind: "refused",
      problems: [{ operation: 0, candidates: [`${loop!.id}: Перевірити джерело`] }],
    });
  });

  test("two equal loops have two ids, and their text closes neither", () => {
    const twice = filesOf(
      apply({}, [
        { op: "append", file: "open_loops.md", text: "x" },
        { op: "append", file: "open_loops.md", text: "x" },
      ]),
    );
    expect(matchLoop(twice["open_loops.md"]!, "x").kind).toBe("several");
    expect(apply(twice, [{ op: "close-loop", loop: "x" }])).toMatchObject({
      kind: "refused",
      problems: [{ operation: 0 }],
    });
    const [one] = openLoops(twice["open_loops.md"]!);
    expect(openLoops(filesOf(apply(twice, [{ op: "close-loop", loop: one!.id! }]))["open_loops.md"]!)).toHaveLength(1);
  });

  test("a loop that was closed meanwhile is a version conflict", () => {
    const read = { "open_loops.md": "- [ ] x\n" };
    const now = { "open_loops.md": "- [x] x\n" };
    expect(apply(now, [{ op: "close-loop", loop: "x" }], read).kind).toBe("version_conflict");
  });

  test("values are set by name, and a value that changed meanwhile is a version conflict", () => {
    const set = (values: Record<string, number>): MemoryOperation => ({ op: "observe", text: "seen", values });
    const read = { "values.json": '{\n  "count": 1\n}\n' };
    const now = { "values.json": '{\n  "count": 2\n}\n' };
    expect(filesOf(apply(read, [set({ b: 1, a: 2 })]))["values.json"]).toBe(
      '{\n  "a": 2,\n  "b": 1,\n  "count": 1\n}\n',
    );
    expect({
      changed: apply(now, [set({ count: 3 })], read).kind,
      equal: apply(now, [set({ count: 2 })], read).kind,
      other: apply(now, [set({ other: 3 })], read).kind,
      invalid: apply({ "values.json": "[]" }, [set({ count: 3 })]).kind,
    }).toEqual({ changed: "version_conflict", equal: "applied", other: "applied", invalid: "refused" });
  });

  test("all operations apply or none: one invalid operation refuses the list", () => {
    expect(apply({}, [append(undefined, "a"), { op: "close-loop", loop: "nope" }]).kind).toBe("refused");
    expect(apply({}, [append(undefined, "  ")]).kind).toBe("refused");
  });
});

describe("M-1 meta.json", () => {
  test("counts the entries of the files, without code, and is read back", () => {
    const files = {
      "facts.md": "# Facts\n\n- a\n- b\n\n```\n- not one\n```\n",
      "open_loops.md": "- [ ] x\n- [x] done\n",
      "values.json": '{"a":1}',
    };
    const meta = metaOf(7, files);
    expect(meta).toMatchObject({
      version: 7,
      counts: { facts: 2, openLoops: 1, decisions: 0, values: 1 },
      schemaVersion: "1.0",
    });
    expect(readMemoryMeta(memoryMetaText(meta))).toEqual(meta);
    expect(contentsId({ ...files, "facts.md": "- a\n" })).not.toBe(meta.contents);
  });
});

describe("C-10 observations.jsonl", () => {
  const line = observationLine("2026-02-13T08:00:00Z", "run_1", "Нових нотаток не знайдено");

  test("an observation line has the fields of source 001 §6.4", () => {
    expect(line).toBe('{"ts":"2026-02-13T08:00:00Z","run":"run_1","observation":"Нових нотаток не знайдено"}');
  });

  test("adding lines is idempotent, even if the file has no final line end", () => {
    const once = withLinesOnce('{"a":1}', [line, line]);
    expect(once).toBe(`{"a":1}\n${line}\n${line}\n`);
    expect(withLinesOnce(once, [line, line])).toBe(once);
  });
});
