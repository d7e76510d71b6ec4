import { expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { live, portsWith, requestedRun } from "../../garden/runs/testing/agent-ground.ts";
import { answerWith } from "../../garden/runs/testing/held-order.ts";
import { planted } from "../../garden/runs/testing/session-ground.ts";
import { closed, gardenWith } from "../../garden/testing/scratch.ts";
import type { Command, CommandContext } from "../command.ts";
import { runsCommand } from "../commands/runs.ts";
import { sandboxCommand } from "../commands/sandbox.ts";
import { styleFor } from "../style.ts";

test("S-7 bloom runs what-if tries the other answer, compare shows both ends, and the sandbox is decided on", async () => {
  const made = await gardenWith();
  const { garden: first } = made;
  await planted(
    first,
    "chooser",
    {
      model: "bloom/follower",
      execution: "flow",
      tools: "[ask-human, create-proposal]",
      safe_outputs: "[propose-note]",
    },
    [
      'a ← ask-human("Which?", form: "choice", options: ["left", "right"])',
      'create-proposal(type: "propose-note", path: "notes/" + a.choice + ".md", text: "# " + a.choice)',
    ],
  );
  const place = await requestedRun(first, "chooser");
  const lived = await live(first, place, portsWith(scriptedModel([])));
  const request = lived.kind === "held" ? lived.request : "";
  await answerWith(first, request, { choice: "left" });
  await live(first, place, portsWith(scriptedModel([])));
  const { dir, ground } = await closed(made);
  const bloom = (command: Command, words: readonly string[], options: Record<string, string> = {}) =>
    command.run({
      words,
      options,
      ground,
      style: styleFor(false),
      gardenDir: async () => dir,
      machine: {},
    } as unknown as CommandContext);
  await expect(bloom(runsCommand, ["what-if", request])).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  const told = await bloom(runsCommand, ["what-if", request], { choice: "2" });
  const { run_id: run } = (told.json as { run: { run_id: string } }).run;
  expect(told.text.en).toContain(`bloom runs compare ${place.run} ${run}`);
  const garden = await openGarden(ground, dir);
  await live(garden, { slug: "chooser", run }, portsWith(scriptedModel([])));
  await closeGarden(garden);
  const compared = await bloom(runsCommand, ["compare", place.run, run]);
  expect(compared.text.en.split("\n")).toEqual(
    expect.arrayContaining([
      "steps in common: 1",
      expect.stringMatching(/answer +Which\? → \{"choice":"left"\}/),
      expect.stringMatching(/answer +Which\? → \{"choice":"right"\}/),
      expect.stringMatching(/proposes +propose-note notes\/right.md {2}sandbox/),
    ]),
  );
  const { entries } = (await bloom(sandboxCommand, [])).json as { entries: { id: string }[] };
  expect((await bloom(sandboxCommand, ["show", entries[0]!.id])).text.en).toContain("right");
  expect((await bloom(sandboxCommand, ["promote", entries[0]!.id])).json).toMatchObject({
    end: { verdict: "promoted" },
  });
  expect((await bloom(sandboxCommand, ["discard", entries[0]!.id])).json).toMatchObject({
    end: { verdict: "promoted" },
  });
  expect((await bloom(sandboxCommand, [])).text.en).toBe("The sandbox is empty.");
});
