import { describe, expect, it } from "vitest";
import { agentExporter, driftOf, type ExportRequest } from "./agent-exporter.ts";

const procedure = 'ПОЧАТОК "Аналіз"\n\n  нотатки ← read-notes(folder)\n\nКІНЕЦЬ\n';
const configuration = {
  name: "Архіваріус",
  slug: "archivist",
  description: "Резюме: нотаток",
  model: "bloom/follower",
  tools: ["read-notes", "create-proposal"],
  safe_outputs: ["propose-summary"],
  created_by: "owner",
};
const request = (over: Partial<ExportRequest> = {}): ExportRequest => ({
  pseudocode: procedure,
  generatedFrom: "main-flow.drakon.json",
  language: "uk",
  at: "2026-02-14T12:00:00Z",
  agent: configuration,
  ...over,
});
const exported = (over: Partial<ExportRequest> = {}): { agentFile: string; version: string } => {
  const result = agentExporter(request(over));
  if (result.kind === "refused") throw new Error(result.why.en);
  return result;
};

/** Written by hand, with comments, odd quotes and prose around the procedure. */
const byHand = `---
# Хто я
name: 'Архіваріус'   # як мене звати
slug: archivist
version: 1.2.0       # не 1.20
description: "x"
tools: [read-notes, create-proposal] # лише ці
x-note: |
  version: 9.9.9
generated_from: old.drakon.json
updated_at: "2026-01-01T00:00:00Z"
---

# Роль

Ти — архіваріус.

## Процедура

ПОЧАТОК "Стара"

  щось робити

КІНЕЦЬ

## Обмеження

- НЕ змінюй текст
`;

describe("D-5 agentExporter", () => {
  it("a new contract is made from a configuration and a procedure", () => {
    expect(exported().agentFile).toBe(`---
name: "Архіваріус"
slug: "archivist"
version: "1.0.0"
description: "Резюме: нотаток"
model: "bloom/follower"
tools:
  - "read-notes"
  - "create-proposal"
safe_outputs:
  - "propose-summary"
created_at: "2026-02-14T12:00:00Z"
updated_at: "2026-02-14T12:00:00Z"
created_by: "owner"
status: "draft"
generated_from: "main-flow.drakon.json"
---

# Логіка (згенеровано з main-flow.drakon.json)

${procedure}`);
  });

  it("an export changes four things of an existing contract and nothing else", () => {
    const changed = byHand
      .replace("version: 1.2.0 ", "version: 1.3.0 ")
      .replace("generated_from: old.drakon.json", "generated_from: main-flow.drakon.json")
      .replace('"2026-01-01T00:00:00Z"', '"2026-02-14T12:00:00Z"')
      .replace(/ПОЧАТОК "Стара"[\s\S]*КІНЕЦЬ/, procedure.trimEnd());
    expect(exported({ agent: byHand }).agentFile).toBe(changed);
  });

  it("a repeated export changes nothing, the version included", () => {
    const once = exported({ agent: byHand });
    const twice = exported({ agent: once.agentFile, at: "2027-01-01T00:00:00Z" });
    expect(twice).toEqual(once);
  });

  it.each([
    ["no front matter", "# Just prose"],
    ["front matter that never ends", "---\nname: x\n"],
    ["an invalid version", "---\nversion: tomorrow\n---\n"],
  ])("a contract with %s is refused", (_, agent) => expect(agentExporter(request({ agent })).kind).toBe("refused"));

  it.each([
    [
      "three hyphens at the end of a line",
      "---\ndescription: one ---\nversion: 1.2.0\n---\nbody\n",
      "description: one ---\nversion: 1.3.0",
    ],
    ["an alias", "---\nx-a: &v 1.2.0\nversion: *v\n---\nbody\n", 'x-a: &v 1.2.0\nversion: "1.3.0"\n'],
    [
      "an empty field",
      "---\nversion: 1.2.0\ngenerated_from:\n---\nbody\n",
      'generated_from: "main-flow.drakon.json"\n',
    ],
    [
      "an empty field with a comment",
      "---\nversion: 1.2.0\ngenerated_from: # soon\n---\nbody\n",
      'generated_from: "main-flow.drakon.json" # soon',
    ],
    [
      "a field of several lines",
      "---\nversion: 1.2.0\ngenerated_from: |\n  old\nname: x\n---\nbody\n",
      'generated_from: "main-flow.drakon.json"\nname: x',
    ],
    [
      "prose that begins like a procedure",
      '---\nversion: 1.2.0\n---\nBEGIN by reading.\n\nПОЧАТОК "a"\n\n  b\n\nКІНЕЦЬ\n',
      'BEGIN by reading.\n\nПОЧАТОК "Аналіз"',
    ],
  ])("a contract with %s is exported", (_, agent, part) => expect(exported({ agent }).agentFile).toContain(part));

  it.each([
    ["an anchor that another field uses", "---\nversion: &v 1.2.0\nx-a: *v\n---\n"],
    ["a list", "---\nversion: [1]\n---\n"],
    ["a map on one line", "---\n{version: 1.2.0}\n---\n"],
    ["one key twice", "---\nversion: 1.2.0\nversion: 1.2.1\n---\n"],
    ["invalid YAML", "---\nversion: 1.2.0\n  - : [\n---\n"],
  ])("a contract that cannot be changed in place is refused: %s", (_, agent) =>
    expect(agentExporter(request({ agent })).kind).toBe("refused"),
  );

  it("an export keeps Windows line ends and a byte order mark", () => {
    const file = `\ufeff${byHand.replaceAll("\n", "\r\n")}`;
    const result = exported({ agent: file }).agentFile;
    expect(result.startsWith("\ufeff---\r\n# Хто я\r\n")).toBe(true);
    expect(result).toContain("version: 1.3.0");
  });
});

describe("D-6 drift is checked when", () => {
  const files = { rendered: [procedure], pseudocode: procedure, agent: exported().agentFile };
  const kinds = (over: Partial<typeof files>): string[] => driftOf({ ...files, ...over }).map(({ kind }) => kind);

  it.each([
    ["nothing was changed", {}, []],
    ["line ends and blanks at the end differ", { pseudocode: procedure.replaceAll("\n", "  \r\n") }, []],
    ["pseudocode.md was changed", { pseudocode: procedure.replace("folder", '"інше"') }, ["pseudocode"]],
    ["pseudocode.md is missing", { pseudocode: undefined as unknown as string }, ["pseudocode"]],
    ["the body was changed", { agent: exported().agentFile.replace("read-notes(folder)", "нічого") }, ["body"]],
    ["the procedure is gone", { agent: exported().agentFile.replace("ПОЧАТОК", "Початок") }, ["no-procedure"]],
    ["the diagram was changed", { rendered: [procedure.replace("Аналіз", "Синтез")] }, ["pseudocode", "body"]],
    ["prose around the procedure was changed", { agent: `${exported().agentFile}\n## Обмеження\n\n- не шкодь\n` }, []],
    [
      "the contract says that it was changed by hand",
      { agent: exported().agentFile.replace('"main-flow.drakon.json"', '"main-flow.drakon.json # modified manually"') },
      ["by-hand"],
    ],
    [
      "a second procedure was added",
      { agent: `${exported().agentFile}\nПОЧАТОК "інша"\n\n  щось\n\nКІНЕЦЬ\n` },
      ["body"],
    ],
    ["the contract was never generated", { agent: "---\nname: x\n---\nprose" }, []],
  ] as [string, Partial<typeof files>, string[]][])("%s", (_, over, found) => expect(kinds(over)).toEqual(found));
});
