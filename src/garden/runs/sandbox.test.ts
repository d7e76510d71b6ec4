import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { prove } from "../../base/testing/prove.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { realWorld } from "../../base/world.ts";
import { commandLineOwner as by } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import { listPending } from "../changes/proposals/list-proposals.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { environment, gardensLike, gardenWith, testPorts } from "../testing/scratch.ts";
import { discardSandboxed, openSandbox, promoteSandboxed, sandboxOf } from "./sandbox.ts";
import { live, portsWith, requestedRun } from "./testing/agent-ground.ts";
import { answerWith } from "./testing/held-order.ts";
import { planted } from "./testing/session-ground.ts";
import { whatIfAnswered } from "./what-if.ts";

const script = testProgram(join(import.meta.dirname, "testing/sandboxing.ts"));
const slug = "chooser";
const lived = (garden: Garden, place: RunPlace) => live(garden, place, portsWith(scriptedModel([])));

/** An entry of an experiment that has ended, and an experiment that has not begun. */
let on: { readonly id: string; readonly ended: RunPlace; readonly next: RunPlace } | undefined;

const like = gardensLike(async () => {
  const made = await gardenWith(undefined, testPorts(realWorld));
  const { garden } = made;
  const contract = { tools: "[ask-human, create-proposal]", safe_outputs: "[propose-note]", execution: "flow" };
  await planted(garden, slug, { model: "bloom/follower", ...contract }, [
    'a ← ask-human("Which?", form: "choice", options: ["left", "right", "up"])',
    'create-proposal(type: "propose-note", path: "notes/" + a.choice + ".md", text: "# " + a.choice)',
  ]);
  const place = await requestedRun(garden, slug);
  const held = await lived(garden, place);
  const request = held.kind === "held" ? held.request : "";
  await answerWith(garden, request, { choice: "left" });
  await lived(garden, place);
  const tried = async (choice: string): Promise<RunPlace> => ({
    slug,
    run: (await whatIfAnswered(garden, { request, value: { choice }, by })).run_id,
  });
  const ended = await tried("right");
  await lived(garden, ended);
  on = { id: (await sandboxOf(garden.store, ended))[0]!.entry.id, ended, next: await tried("up") };
  return made;
});

/** Everything about experiments that a garden has. */
async function found(garden: Garden) {
  const keysUnder = async (prefix: string): Promise<string[]> => {
    const all: string[] = [];
    for await (const { key } of everyKey(garden.store, prefix)) all.push(key);
    return all;
  };
  return {
    pending: (await listPending(garden)).proposals.map(({ target }) => target).toSorted(),
    open: (await openSandbox(garden)).map(({ target }) => target),
    ends: (await sandboxOf(garden.store, on!.ended)).map(({ end }) => end?.verdict),
    views: (await keysUnder(keys.openSandbox)).length,
    audited: (await keysUnder("audit/")).filter((key) => key.includes("sand_")).length,
  };
}

const LEFT = "notes/left.md";
const RIGHT = "notes/right.md";
/** Each act with the points where it is killed, and further ones for the soak. */
const rows = [
  {
    act: "file",
    subject: () => `${slug}/${on!.next.run}`,
    again: (garden: Garden) => lived(garden, on!.next),
    points: ["run.sandbox.shown", "run.sandbox.filed"],
    further: [],
    done: { pending: [LEFT], open: [RIGHT, "notes/up.md"], ends: [undefined], views: 2, audited: 0 },
  },
  {
    act: "promote",
    subject: () => on!.id,
    again: (garden: Garden) => promoteSandboxed(garden, { id: on!.id, by }),
    points: ["run.sandbox.promoted", "run.sandbox.ended"],
    further: [
      "inbox.pending",
      "inbox.claimed",
      "inbox.proposed",
      "inbox.told",
      "inbox.processed",
      "inbox.done",
      "run.sandbox.audited",
    ],
    done: { pending: [LEFT, RIGHT], open: [], ends: ["promoted"], views: 0, audited: 1 },
  },
  {
    act: "discard",
    subject: () => on!.id,
    again: (garden: Garden) => discardSandboxed(garden, { id: on!.id, by }),
    points: ["run.sandbox.ended"],
    further: ["run.sandbox.audited"],
    done: { pending: [LEFT], open: [], ends: ["discarded"], views: 0, audited: 1 },
  },
];

test.each(rows)(
  "S-7 an experiment's proposal that is killed during $act happens once: nothing is lost, nothing doubled",
  async ({ act, subject, again, points, further, done }) => {
    const after = async (dir: string, isRepeated: boolean) => {
      const garden = await openGarden(testPorts(realWorld), dir);
      try {
        if (isRepeated) await again(garden);
        return await found(garden);
      } finally {
        await closeGarden(garden);
      }
    };
    for (const name of isThorough ? [...points, ...further] : points) {
      const dir = await like.copy();
      const { signal } = await ranNode([script, dir, act, subject(), name], { env: environment });
      expect([name, signal]).toEqual([name, "SIGKILL"]);
      // A decision that was recorded needs nobody to repeat it: whoever reads the list concludes it.
      const isDecided = /ended|audited/.test(name);
      expect([name, await after(dir, !isDecided)]).toEqual([name, done]);
      expect([name, await after(dir, true)]).toEqual([name, done]);
    }
    prove({ losses: 0 });
  },
);
