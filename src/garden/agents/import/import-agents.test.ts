import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { skillProblems } from "../../../domain/import/skill-rules.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { files, gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { packAgent } from "../lifecycle/agent-package.ts";
import { exportSkill } from "./export-skill.ts";
import { filesIn, gatherFiles, markdownIn } from "./gather-files.ts";
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
  const found = await gatherFiles(filesIn(folder), ["sweep.md", "link.md", "big.md"], (source, file) =>
    readImportSource("gh-aw", { file, language: "en" }, source),
  );
  expect([...found].map(([path, bytes]) => [path, bytes.length > 1_048_576])).toEqual([
    ["sweep.md", false],
    ["shared/manners.md", false],
    ["big.md", true],
  ]);
});

const skillRequest = (found: ReadonlyMap<string, Uint8Array>, folder: string): ImportRequest => ({
  format: "skill",
  files: new Map([...found].map(([path, bytes]) => [`${folder}/${path}`, bytes])),
  mains: [`${folder}/SKILL.md`],
  language: "en",
});

const packed = async (garden: Parameters<typeof packAgent>[0], slug: string): Promise<unknown> => {
  const { files: all } = await packAgent(garden, slug);
  const contract = /^(?:created_at|updated_at|logic_version):.*\n/gm;
  return all.map((file) => (file.path === "_agent.md" && "text" in file ? file.text.replaceAll(contract, "") : file));
};

test("I-4 an agent that goes out as a skill comes back without a loss", async () => {
  const { garden } = await gardenWith();
  await importAgents(garden, request(), commandLineOwner);
  const { name, files: folder } = await exportSkill(garden, "sweep");
  const other = (await gardenWith()).garden;
  const { created, reports } = await importAgents(other, skillRequest(folder, name), commandLineOwner);
  expect([created, reports[0]?.counts]).toEqual([
    ["sweep"],
    { mapped: 3, kept: expect.any(Number), lost: 0, refused: 0 },
  ]);
  expect(await packed(other, "sweep")).toEqual(await packed(garden, "sweep"));
  expect((await exportSkill(other, "sweep")).files.get("references/main-flow.svg")).toEqual(
    folder.get("references/main-flow.svg"),
  );
});

test("I-4 an exported skill keeps the rules of the format, and an edited one is an ordinary skill", async () => {
  const { garden } = await gardenWith();
  await importAgents(garden, request(), commandLineOwner);
  const { name, files: folder } = await exportSkill(garden, "sweep");
  expect([...folder.keys()].toSorted()).toEqual(["SKILL.md", "assets/agent.json", "references/main-flow.svg"]);
  expect(skillProblems(name, folder)).toEqual([]);
  const edited = new Map(folder).set(
    "SKILL.md",
    Buffer.from(`${Buffer.from(folder.get("SKILL.md")!).toString()}More.\n`),
  );
  const { agents } = await planImport(garden, { ...skillRequest(edited, name), rename: true });
  expect(agents[0]).toMatchObject({
    report: { slug: "sweep-2", outcome: "agent", missing: [expect.anything(), expect.anything()] },
  });
});

const front = (more: string): Map<string, Uint8Array> =>
  new Map([["SKILL.md", Buffer.from(`---\nname: moss\ndescription: Moss\n${more}---\nWater it.\n`)]]);

test.each<[string, ReadonlyMap<string, Uint8Array>, string]>([
  ["another folder", front(""), "stone"],
  ["a key of no format", front("speed: fast\n"), "moss"],
  ["metadata that is no text", front("metadata:\n  n: 1\n"), "moss"],
  ["an empty compatibility", front("compatibility: ''\n"), "moss"],
  [
    "a body of 501 lines",
    new Map([["SKILL.md", Buffer.concat([front("").get("SKILL.md")!, Buffer.from("a\n".repeat(501))])]]),
    "moss",
  ],
  ["no SKILL.md", new Map(), "moss"],
])("I-4 the rules of the format find %s", (_, folder, name) => {
  expect(skillProblems(name, folder)).toHaveLength(1);
});
