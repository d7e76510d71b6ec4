import { expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { headOf } from "../core/main-head.ts";
import { archivedSessions, restoreSession } from "../sessions/archive-session.ts";
import { mergeSession } from "../sessions/merge-session.ts";
import { spawnSessionAt, spawnSessionFrom } from "../sessions/spawn-session.ts";
import { sessionHeads } from "../sessions/topology.ts";
import { recordTrace } from "../sessions/trace-buffer.ts";
import { gardenWith, testPorts } from "../testing/scratch.ts";
import { retireSessions } from "./retire-sessions.ts";

test("S-2 merged and idle sessions go to the archive in their time, and those in use stay", async () => {
  const { garden, dir } = await gardenWith(
    { "notes/a.md": "a\n" },
    testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000)),
  );
  const head = await headOf(garden.repo);
  for (const name of ["scout", "talks", "out"]) await spawnSessionAt(garden, head, { name, briefing: { goal: name } });
  await spawnSessionFrom(garden, "scout", { name: "helper", briefing: { goal: "Help" } });
  await mergeSession(garden, { into: "scout", from: "helper" });
  await recordTrace(garden, "talks", { kind: "say", text: "not yet in a commit" });
  expect(await retireSessions(garden)).toEqual([]);
  await closeGarden(garden);
  const later = async (day: string) => {
    const again = await openGarden(testPorts(fixedWorld(`${day}T08:00:00Z`, 1000)), dir);
    const retired = (await retireSessions(again)).map(({ name, why }) => [name, why]);
    const left = (await sessionHeads(again.repo)).map(({ name }) => name);
    return { retired, left, again };
  };
  const month = await later("2026-03-20");
  expect([month.retired, month.left]).toEqual([[["helper", "merged"]], ["out", "scout", "talks"]]);
  await restoreSession(month.again, "helper");
  await closeGarden(month.again);
  const half = await later("2026-09-20");
  expect([half.retired, half.left]).toEqual([
    [
      ["helper", "merged"],
      ["out", "idle"],
      ["scout", "idle"],
    ],
    ["talks"],
  ]);
  expect((await archivedSessions(half.again.repo)).map(({ name }) => name)).toEqual(["helper", "out", "scout"]);
  await closeGarden(half.again);
});
