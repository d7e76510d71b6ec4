import { expect, test } from "vitest";
import { commandLineOwner } from "../../domain/identity.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import { decideInSession, sessionRequests } from "../../garden/runs/session-requests.ts";
import { ORDER } from "../../garden/runs/testing/held-order.ts";
import { heldSession } from "../../garden/runs/testing/held-session.ts";
import { sessionHead, sessionLog } from "../../garden/sessions/topology.ts";
import { closed, gardenWith } from "../../garden/testing/scratch.ts";
import type { CommandContext } from "../command.ts";
import { sessionCommand } from "../commands/session.ts";
import { styleFor } from "../style.ts";

test("S-8 bloom session requests lists what sessions ask, and decide answers with a commit on the branch", async () => {
  const made = await gardenWith();
  const { session, request, place } = await heldSession(ORDER, { base: 1 }, made.garden);
  const at = await sessionHead(made.garden.repo, session);
  const { dir, ground } = await closed(made);
  const bloom = (words: readonly string[], options: Record<string, string> = {}) =>
    sessionCommand.run({
      words,
      options,
      ground,
      style: styleFor(false),
      gardenDir: async () => dir,
      machine: {},
    } as unknown as CommandContext);
  expect((await bloom(["requests"])).json).toMatchObject({
    requests: [{ session, head: at, request: { id: request } }],
  });
  expect((await bloom(["requests"])).text.en).toContain(`bloom session decide ${session} --value`);
  const elsewhere = bloom(["decide", session], { value: "9", seen: "00000000" });
  await expect(elsewhere).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(bloom(["decide", session], { value: "nine" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await bloom(["decide", session], { value: "9", note: "Nine is enough", seen: at.slice(0, 8) });
  await expect(bloom(["decide", session], { value: "9" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const garden = await openGarden(ground, dir);
  const [newest] = (await sessionLog(garden.repo, session)).commits;
  expect(newest!.typed).toMatchObject({ kind: "decision", message: "Nine is enough" });
  expect((await requestsOf(garden.store, place))[0]!.answer?.decision).toBe(newest!.commit.oid);
  expect(await sessionRequests(garden)).toEqual([]);
  // A repetition names the question: it is not open any more.
  const again = { session, request, value: { number: 9 }, by: commandLineOwner };
  expect((await decideInSession(garden, again)).repeated).toBe(true);
  const foreign = { ...again, request: "req_2020-01-01_000000_aaaaaa_01" };
  await expect(decideInSession(garden, foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await closeGarden(garden);
});
