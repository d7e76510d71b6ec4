import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { files, gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { gatherFiles, markdownIn } from "./gather-files.ts";
import { importAgents } from "./import-agents.ts";
import { type ImportRequest, planImport } from "./plan-import.ts";
import { readImportSource } from "./read-import-source.ts";

const SWEEP = `---
on: daily
permissions: read-all
imports: [shared/manners.md]
safe-outputs:
  create-issue:
    max: 2
---
# Sweep

1. Read the notes
2. If nothing is new, then stop
3. Write down what is new
`;
const PROSE = "---\non: weekly\n---\nKeep an eye on the gate.\n";

const request = (more: Partial<ImportRequest> = {}): ImportRequest => ({
  format: "gh-aw",
  files: new Map([
    ["sweep.md", Buffer.from(SWEEP)],
    ["gate.md", Buffer.from(PROSE)],
    ["shared/manners.md", Buffer.from("Be kind.\n")],
  ]),
  mains: ["sweep.md", "gate.md"],
  language: "en",
  ...more,
});

test("I-1 an import creates drafts with their sources, their report and a first diagram beside them", async () => {
  const { garden } = await gardenWith();
  const { created } = await importAgents(garden, request(), commandLineOwner);
  const sweep = await readAgent(garden.store, "sweep");
  const gate = await readAgent(garden.store, "gate");
  expect(created).toEqual(["sweep", "gate"]);
  expect([sweep.contract.status, sweep.contract.generated_from, sweep.contract.logic_version]).toEqual([
    "draft",
    "main-flow.drakon.json",
    "v001",
  ]);
  expect([gate.contract.status, gate.contract.generated_from]).toEqual(["draft", undefined]);
  expect(sweep.text).toContain("IF nothing is new");
  const source = await garden.store.get("agents/sweep/sources/shared/manners.md");
  const report = await garden.store.get("agents/sweep/sources/import-report.json");
  expect(Buffer.from(source!.bytes).toString()).toBe("Be kind.\n");
  expect(JSON.parse(Buffer.from(report!.bytes).toString())).toMatchObject({ slug: "sweep", outcome: "agent" });
});

test("I-1 a name in use is told with a free one, and taken only if the owner says so", async () => {
  const { garden } = await gardenWith();
  await importAgents(garden, request(), commandLineOwner);
  const again = await importAgents(garden, request(), commandLineOwner);
  expect(again.created).toEqual([]);
  expect(again.reports.map(({ outcome, free_slug }) => [outcome, free_slug])).toEqual([
    ["clash", "sweep-2"],
    ["clash", "gate-2"],
  ]);
  const renamed = await importAgents(garden, request({ rename: true }), commandLineOwner);
  expect(renamed.created).toEqual(["sweep-2", "gate-2"]);
});

test("I-1 a confirmation counts for the files of its report only", async () => {
  const { garden } = await gardenWith();
  const { digest } = await planImport(garden, request());
  const other = request({ files: new Map([...request().files, ["gate.md", Buffer.from(`${PROSE}And the fence.\n`)]]) });
  const refused = await importAgents(garden, other, commandLineOwner, digest).catch((error: unknown) => error);
  expect(isFailure(refused, "CONCURRENT_MODIFICATION")).toBe(true);
  expect((await importAgents(garden, request(), commandLineOwner, digest)).created).toHaveLength(2);
});

test("I-1 a folder gives its own files and no link out of it", async () => {
  const dir = scratch();
  files(dir, {
    "flows/sweep.md": SWEEP,
    "flows/shared/manners.md": "Be kind.\n",
    "flows/big.md": "a".repeat(1_100_000),
  });

  symlinkSync("/etc/hostname", `${dir}/flows/link.md`);
  const folder = testPorts().folders.at(`${dir}/flows`);
  const mains = await markdownIn(folder, "");
  expect(mains).toEqual(["big.md", "shared/manners.md", "sweep.md"]);
  const found = await gatherFiles(folder, ["sweep.md", "link.md", "big.md"], (source, file) =>
    readImportSource("gh-aw", { file, language: "en" }, source),
  );
  expect([...found].map(([path, bytes]) => [path, bytes.length > 1_048_576])).toEqual([
    ["sweep.md", false],
    ["shared/manners.md", false],
    ["big.md", true],
  ]);
});
