import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "../../src/adapters/runtime/testing/scripted-model.ts";
import { realWorld } from "../../src/base/world.ts";
import { composePorts } from "../../src/compose.ts";
import { closeGarden, openGarden } from "../../src/garden/core/garden.ts";
import { headOf } from "../../src/garden/core/main-head.ts";
import { peerLibrary } from "../../src/garden/federation/library/testing/peer-library.ts";
import { endedRun } from "../../src/garden/insight/learning/testing/counted-runs.ts";
import { drawnAgent } from "../../src/garden/insight/learning/testing/drawn-agent.ts";
import { readLogicState } from "../../src/garden/records/logic/logic-state.ts";
import { logicOfFiles } from "../../src/garden/records/logic/proposed-logic.ts";
import { live, portsWith, requestedRun } from "../../src/garden/runs/testing/agent-ground.ts";
import { bloomNow } from "../bloom.ts";

const MEND = `BEGIN "Mend links"
  notes ← read-notes()
  first ← read-context("notes/garden/compost.md")
  IF notes are empty
    outcome ← "nothing to mend"
  ELSE
    second ← read-context("notes/garden/compost.md")
    outcome ← "nothing is broken"
END
`;
const CAREFUL = MEND.replace("  first ←", '  lines ← find-lines("rename")\n  first ←');
const COUNT =
  'BEGIN "Count what grows"\n  notes ← read-notes()\n  n ← length(notes)\n  IF n > 3\n    outcome ← "enough"\nEND\n';

/**
 * The demo garden with an agent of its own that does poorly, and a followed garden whose library has a better behaviour and two others.
 * Returns its folder; no server may hold it yet.
 */
export async function libraryGarden(language: "en" | "uk" = "en"): Promise<string> {
  const dir = join(mkdtempSync(join(tmpdir(), "bloom-library-")), "garden");
  if (bloomNow(join(dir, ".."), ["demo", dir, "--lang", language]).exit !== 0) throw new Error("no demo garden");
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const garden = await openGarden(composePorts({ environment }, realWorld), dir);
  const fields = {
    execution: "flow",
    model: "bloom/follower",
    tools: "[read-notes, read-context, find-lines, create-proposal]",
  };
  await drawnAgent(garden, "mender", MEND, fields);
  const { behaviour } = logicOfFiles(await readLogicState(garden.repo, await headOf(garden.repo), "mender"));
  for (let run = 0; run < 40; run++)
    await endedRun(garden, "mender", {
      behaviour_id: behaviour,
      temperature: 0.3,
      status: run < 22 ? "completed" : "failed",
    });
  for (let run = 0; run < 2; run++)
    await live(garden, await requestedRun(garden, "mender"), portsWith(scriptedModel([])));
  await peerLibrary(garden, "orchard-row", [
    { name: "Mend links after a rename", version: "v007", procedure: CAREFUL, good: 301, bad: 11 },
    { name: "Count what grows", version: "v002", procedure: COUNT, good: 88, bad: 8 },
    { name: "Mend links", version: "v001", procedure: MEND, good: 30, bad: 14 },
  ]);
  await closeGarden(garden);
  return dir;
}
