import { describe, expect, test } from "vitest";
import type { Language } from "../src/base/text.ts";
import { realWorld } from "../src/base/world.ts";
import { composeRuns } from "../src/compose-runs.ts";
import { commandLineOwner } from "../src/domain/identity.ts";
import { decide } from "../src/garden/changes/proposals/decide.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { readProposal } from "../src/garden/records/proposals/proposal-log.ts";
import { readRun } from "../src/garden/runs/read-runs.ts";
import { requestRun } from "../src/garden/runs/request-run.ts";
import { demoCopies } from "../src/garden/testing/demo-deps.ts";
import { testPorts } from "../src/garden/testing/scratch.ts";

const slug = "archivist";

/** Runs the archivist once and approves all its proposals. Returns their kinds. */
async function approvedRun(garden: Garden): Promise<string[]> {
  const engine = await composeRuns(garden, {});
  const { run_id: run } = await requestRun(garden, { slug, trigger: "manual", by: "owner" });
  await engine.offer({ slug, run });
  await engine.settled();
  await engine.close();
  const { manifest, steps } = await readRun(garden, { slug, run });
  expect(manifest).toMatchObject({ status: "completed" });
  const kinds: string[] = [];
  for (const id of steps.flatMap(({ proposals }) => proposals)) {
    const { digest, action } = await readProposal(garden.store, id);
    const { status } = await decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner });
    kinds.push(`${action} ${status}`);
  }
  return kinds;
}

describe.each<Language>(["uk"])("U-3 the archivist of the demo (%s)", (language) => {
  const copy = demoCopies(language);

  test("describes each note once: the second run reads the memory of the first", async () => {
    const garden = await openGarden(testPorts(realWorld), copy());
    const first = await approvedRun(garden);
    const second = await approvedRun(garden);
    await closeGarden(garden);
    const each = ["propose-summary applied", "propose-tag applied"];
    expect({ first, second }).toEqual({
      first: [...each, ...each, "memory-update applied"],
      second: ["memory-update applied"],
    });
  });
});
