import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followerModel } from "../../../adapters/runtime/follower/follower-model.ts";
import { mastraRuntime } from "../../../adapters/runtime/mastra/mastra-runtime.ts";
import { listPending } from "../../changes/proposals/list-proposals.ts";
import { toolGround } from "../tools/testing/tool-ground.ts";
import { carryOut, endOf } from "./testing/workbench.ts";

const body = readFileSync(join(import.meta.dirname, "../../../../examples/archivist/_agent.md"), "utf8").split(
  "---\n",
)[2]!;
const sentence = "Нікколо Паганіні — скрипаль і композитор, чиї каприси стали школою віртуозної техніки на скрипці. ";
const notes = {
  "notes/violin.pp.ua/paganini.md": `# Паганіні\n\n${sentence.repeat(20)}\n`,
  "notes/violin.pp.ua/tiny.md": "# Дрібниця\n\nКілька слів.\n",
  "notes/elsewhere.md": `# Деінде\n\n${sentence.repeat(20)}\n`,
};

test.each([
  ["prompt", undefined],
  ["flow", undefined],
  ["prompt", mastraRuntime({ models: followerModel })],
] as const)(
  "R-2 U-3 the archivist of source 001 §6.2 with execution: %s and the real tools makes pending proposals",
  async (execution, runtime) => {
    const contract = 'context:\n  folder: "violin.pp.ua"\n';
    const ground = await toolGround({ notes, contract, language: "uk" });
    const shed = { tools: ground.tools, log: [] };
    const done = await carryOut({ body, execution, shed, ...(runtime && { runtime }) });
    expect(endOf(done)).toMatch(/^Готово: «Щоденний аналіз», викликів: \d+\.$/);
    const pending = (await listPending(ground.garden)).proposals.map(({ action, target }) => `${action} ${target}`);
    expect(pending.toSorted()).toEqual([
      "memory-update memory/archivist",
      "propose-summary agents/archivist/artifacts/summary-paganini-2026-02-14.md",
      "propose-tag notes/violin.pp.ua/paganini.md",
    ]);
  },
);
