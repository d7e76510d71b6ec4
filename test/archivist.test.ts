import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blobId } from "../src/base/canonical.ts";
import { readContract } from "../src/domain/contract/contract.ts";
import { contractHash } from "../src/domain/contract/contract-file.ts";
import { commandLineOwner } from "../src/domain/identity.ts";
import { journalId, loadedContext, runManifest } from "../src/domain/run/run-manifest.ts";
import { inputHash, stepRecord } from "../src/domain/run/run-step.ts";
import { behaviourId } from "../src/drakon/canonical.ts";
import { checkText } from "../src/drakon/check.ts";
import { driftOf } from "../src/drakon/export/agent-exporter.ts";
import { diagramFromTree } from "../src/drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../src/drakon/text/parse.ts";
import { renderPseudocode } from "../src/drakon/text/render.ts";
import { activationReport } from "../src/garden/agents/lifecycle/activation.ts";
import { createAgent } from "../src/garden/agents/lifecycle/create-agent.ts";
import { gardenWith, testPorts } from "../src/garden/testing/scratch.ts";

/** The rules of every agent, checked on the complete example of source 001 §6. */
const root = join(import.meta.dirname, "..");
const folder = join(root, "examples/archivist");
const text = (path: string): string => readFileSync(join(folder, path), "utf8");
const json = (path: string): unknown => JSON.parse(text(path));
const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  .toSorted();

test("source 001 §6.1 every file exists", () => {
  expect(all).toEqual(
    expect.arrayContaining([
      "_agent.md",
      "artifacts/folder-index.md",
      "artifacts/weekly-digest-2026-w07.md",
      "drakon/main-flow.drakon.json",
      "memory/decisions.jsonl",
      "memory/observations.jsonl",
      "runs/run_2026-02-13_080000_def456/manifest.json",
      "runs/run_2026-02-13_080000_def456/steps/01-load-context.json",
      "runs/run_2026-02-14_080000_abc123/manifest.json",
      "runs/run_2026-02-14_080000_abc123/output/proposal-summary-sonata-bwv1001.json",
      "runs/run_2026-02-14_080000_abc123/steps/01-load-context.json",
      "runs/run_2026-02-14_080000_abc123/steps/02-list-notes.json",
      "runs/run_2026-02-14_080000_abc123/steps/03-nlm-summarize.json",
      "runs/run_2026-02-14_080000_abc123/steps/04-create-proposal.json",
      "sources/note-formatting-guide.md",
      "sources/summary-template.md",
      "sources/violin-taxonomy.md",
    ]),
  );
});

test("source 001 §6.2 the contract is valid, and its procedure means the same as the source's", () => {
  expect(readContract(Buffer.from(text("_agent.md")))).toMatchObject({
    kind: "contract",
    contract: { slug: "archivist-violin", version: "1.2.0", status: "active", generated_from: "main-flow.drakon.json" },
  });
  const original = readFileSync(join(root, "test/golden/pseudocode/sources/001-6.2.md"), "utf8");
  const [ours, theirs] = [text("_agent.md"), original].map((each) => {
    const { source } = diagramFromTree(parsePseudocode(each).tree!);
    return behaviourId(checkText(source.text).tree!);
  });
  expect(ours).toBe(theirs);
});

test("D-6 diagram, pseudocode.md and contract agree", () => {
  const { tree, findings } = checkText(text("drakon/main-flow.drakon.json"));
  expect(findings).toEqual([]);
  const rendered = renderPseudocode(tree!, { language: "uk" }).text;
  expect(text("pseudocode.md")).toBe(rendered);
  expect(text("_agent.md")).toContain(rendered.trimEnd());
  expect(driftOf({ rendered: [rendered], pseudocode: text("pseudocode.md"), agent: text("_agent.md") })).toEqual([]);
});

test.each(["observations", "decisions"])(
  "source 001 §6.4 memory/%s.jsonl has a time and a run on every line",
  (name) => {
    const lines = text(`memory/${name}.jsonl`)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(
      lines.map(({ ts, run }) => [Number.isNaN(Date.parse(ts!)), all.some((path) => path.startsWith(`runs/${run}/`))]),
    ).toEqual(lines.map(() => [false, true]));
  },
);

test.each(readdirSync(join(folder, "runs")))("O-9 %s is complete: manifest, journal and pins agree", (run) => {
  const manifest = runManifest.parse(json(`runs/${run}/manifest.json`));
  const steps = all.filter((path) => path.startsWith(`runs/${run}/steps/`));
  const records = steps.map((path) => stepRecord.parse(json(path)));
  expect(records.map(({ input_hash }) => input_hash)).toEqual(records.map(({ input }) => inputHash(input)));
  expect(manifest).toMatchObject({
    run_id: run,
    steps_count: records.length,
    contract_hash: contractHash(text("_agent.md")),
    behaviour_id: behaviourId(checkText(text("drakon/main-flow.drakon.json")).tree!),
    journal: journalId(steps.map((key) => ({ key, hash: blobId(readFileSync(join(folder, key))) }))),
    proposals_created: records.flatMap(({ proposals }) => proposals).length,
  });
  expect(loadedContext.parse(records[0]!.output).contract).toBe(text("_agent.md"));
});

test("C-4 a copy of the agent in a garden can be activated", async () => {
  const { garden } = await gardenWith();
  const from = { kind: "folder", folder: testPorts().folders.at(folder) } as const;
  const agent = await createAgent(garden, { slug: "archivist-violin", by: commandLineOwner, language: "uk", from });
  const { ready, checks } = await activationReport(garden, "archivist-violin");
  expect({ ready, problems: checks.filter(({ result }) => result !== "pass") }).toEqual({ ready: true, problems: [] });
  expect(agent.contract).toMatchObject({ status: "draft", version: "1.2.0", logic_version: "v001" });
});
