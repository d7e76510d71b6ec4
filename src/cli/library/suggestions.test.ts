import { expect, test } from "vitest";
import { closeGarden } from "../../garden/core/garden.ts";
import { headOf } from "../../garden/core/main-head.ts";
import { peerLibrary } from "../../garden/federation/library/testing/peer-library.ts";
import { endedRun } from "../../garden/insight/learning/testing/counted-runs.ts";
import { drawnAgent } from "../../garden/insight/learning/testing/drawn-agent.ts";
import { readLogicState } from "../../garden/records/logic/logic-state.ts";
import { logicOfFiles } from "../../garden/records/logic/proposed-logic.ts";
import { gardenWith } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";

const SORT = 'BEGIN "Sort"\n  notes ← read-notes()\n  one ← read-context("a")\nEND\n';

test("S-9b bloom library shows figures and suggestions, and dismisses one with a reason", async () => {
  const { garden, dir } = await gardenWith();
  await drawnAgent(garden, "sorter", SORT, { tools: "[read-notes, read-context, create-proposal]" });
  const { behaviour } = logicOfFiles(await readLogicState(garden.repo, await headOf(garden.repo), "sorter"));
  for (let run = 0; run < 30; run++)
    await endedRun(garden, "sorter", {
      behaviour_id: behaviour,
      temperature: 0.3,
      status: run < 15 ? "completed" : "failed",
    });
  const procedure = SORT.replace("END", '  two ← read-context("b")\nEND');
  await peerLibrary(garden, "alice", [{ name: "Sort twice", version: "v004", procedure, good: 96, bad: 4 }]);
  await closeGarden(garden);
  const bloom = (...args: string[]) => inProcessBloom(dir, ["library", ...args]);
  const figures = await bloom("statistics");
  const shown = await bloom("suggestions");
  const { open } = JSON.parse((await bloom("suggestions", "--json")).out) as { open: { id: string }[] };
  const unexplained = await bloom("dismiss", open[0]!.id);
  const dismissed = await bloom("dismiss", open[0]!.id, "--reason", "Reads too much");
  expect([figures.out, shown.out, unexplained.exit, dismissed.out, (await bloom("suggestions")).out]).toEqual([
    expect.stringMatching(/^[0-9a-f]{10} +– +50 % \(33–67\), 15\/30 +bloom\/follower 0\.3/),
    expect.stringMatching(
      /^[0-9a-f]{16} {2}sorter v001 ← Sort twice v004 of alice: theirs 96 % \(90–98\), 96\/100; yours 50 % \(33–67\), 15\/30\n$/,
    ),
    2,
    "Sort twice v004 is no longer suggested for sorter: Reads too much\n",
    expect.stringContaining("no suggestions"),
  ]);
});
