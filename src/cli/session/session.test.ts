import { expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { initGarden } from "../../garden/life/init.ts";
import { commitSession } from "../../garden/sessions/commit-session.ts";
import { sessionHead } from "../../garden/sessions/topology.ts";
import { scratch, testPorts } from "../../garden/testing/scratch.ts";
import type { CommandContext } from "../command.ts";
import { sessionCommand } from "../commands/session.ts";

test("S-2 S-4 S-5 bloom session spawns, lists, merges and shows sessions of a garden", async () => {
  const dir = scratch();
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  await initGarden(ground, dir, { language: "en" });
  const bloom = (words: readonly string[], options: Record<string, string> = {}) =>
    sessionCommand.run({ words, options, ground, gardenDir: async () => dir } as unknown as CommandContext);
  expect((await bloom([])).text.en).toContain("no sessions");
  await bloom(["spawn", "scout"], { goal: "Sort the inbox" });
  await bloom(["spawn", "helper"], { goal: "Links", from: "scout" });
  await expect(bloom(["spawn", "scout"], { goal: "Again" })).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
  await expect(bloom(["spawn", "other"])).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  const garden = await openGarden(ground, dir);
  await commitSession(garden, "helper", {
    expect: await sessionHead(garden.repo, "helper"),
    kind: "finding",
    message: "A dead link",
    tree: { edits: [{ path: "notes/links.md", bytes: Buffer.from("x\n") }] },
  });
  await closeGarden(garden);
  expect((await bloom(["graph"])).text.en).toBe("scout\n  helper");
  expect((await bloom(["merge", "helper", "scout"])).json).toMatchObject({ kind: "merged" });
  expect((await bloom(["merge", "helper", "scout"])).json).toEqual({ kind: "up-to-date" });
  expect((await bloom(["show", "scout"])).json).toMatchObject({
    goal: "Sort the inbox",
    subAgents: ["helper"],
    isMoved: false,
    commits: [{ kind: "session-merge", merged: "helper" }, { kind: "spawn" }],
  });
  expect((await bloom(["log", "helper"])).text.en.split("\n")).toHaveLength(2);
  expect((await bloom(["trace", "scout"])).text.en).toBe("no traces");
  expect((await bloom(["rebind"])).json).toEqual({ bound: [], orphans: [] });
  await expect(bloom(["show", "nobody-here"])).rejects.toMatchObject({ code: "NOT_FOUND" });
});
