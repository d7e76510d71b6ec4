import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { Failure } from "../../base/failure.ts";
import type { Garden } from "../core/garden.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import { gardenWith } from "../testing/scratch.ts";
import { activeAgent, live, manifestOf, portsWith, requestedRun, stepsOf } from "./testing/agent-ground.ts";
import { onBranch, planted } from "./testing/session-ground.ts";

const away = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the remote is away", uk: "віддалений недоступний" });

/** The same garden, whose keys under `prefix` cannot be used while `isAway`, from the first use of a key with `from` in it. */
function awayFrom(garden: Garden, from: string, prefix: string, isAway: () => boolean): Garden {
  let isReached = false;
  const store = new Proxy(garden.store, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function") return method;
      return async (...given: unknown[]) => {
        const key = String(given[0]);
        if (key.includes(from)) isReached = true;
        if (isReached && isAway() && key.startsWith(prefix)) throw away();
        return (await Reflect.apply(method, target, given)) as unknown;
      };
    },
  });
  return { ...garden, store };
}

const ports = portsWith(scriptedModel([]));

describe("O-3b a service that is away for longer than the retries of a step at the end of a run", () => {
  test.each([
    ["persist-results", "execute-agent"],
    ["finalize", "persist-results"],
  ])("in %s: the run ends when the service is back", async (step, before) => {
    const { garden } = await gardenWith({ "notes/a.md": "# A\n" });
    const fields = { model: "bloom/follower", proposes: "anywhere" };
    const body = 'BEGIN "Write"\n  create-proposal(type: "propose-note", path: "notes/b.md", content: "# B")\nEND\n';
    await activeAgent(garden, "writer", { ...fields, tools: "[create-proposal]" }, body);
    const place = await requestedRun(garden, "writer");
    let isAway = true;
    const shaky = awayFrom(garden, before, "proposals/", () => isAway);
    await expect(live(shaky, place, ports)).rejects.toThrow("the remote is away");
    await expect(live(shaky, place, ports)).rejects.toThrow("the remote is away");
    isAway = false;
    expect(await live(shaky, place, ports)).toEqual({ kind: "ended" });
    const failed = (await stepsOf(garden, place)).filter(({ failure }) => failure).map(({ name }) => name);
    expect({ failed, status: (await manifestOf(garden, place)).status }).toEqual({
      failed: [step],
      status: "completed",
    });
  });

  test("in propose-merge: the run fails with that reason, and its branch stays for the owner to propose", async () => {
    const { garden } = await gardenWith({ "notes/a.md": "# A\n" });
    const mode = { model: "bloom/follower", execution: "flow" };
    await planted(garden, "tidy", { ...onBranch, ...mode }, ['write-note("b", content: "# B\\n")']);
    const place = await requestedRun(garden, "tidy");
    const shaky = awayFrom(garden, "-write-note.json", "inbox/", () => true);
    expect(await live(shaky, place, ports)).toEqual({ kind: "ended" });
    const { status, error } = await manifestOf(garden, place);
    const session = await runSessionOf(garden.repo, place);
    const written = await garden.repo.changes(
      await garden.repo.mergeBase((await garden.repo.resolve("refs/heads/main"))!, session!.head),
      session!.head,
    );
    expect({ status, error, written: written.map(({ path }) => path) }).toEqual({
      status: "failed",
      error: "the remote is away",
      written: ["notes/b.md"],
    });
  });
});
