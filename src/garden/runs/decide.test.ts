import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalId } from "../../base/canonical.ts";
import { prove } from "../../base/testing/prove.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { realWorld } from "../../base/world.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { everyKey } from "../../ports/store.ts";
import { closeGarden, type Garden, openGarden } from "../core/garden.ts";
import { decisionOn } from "../sessions/decision-commit.ts";
import { sessionLog } from "../sessions/topology.ts";
import { environment, gardensLike, gardenWith, git, testPorts } from "../testing/scratch.ts";
import { answerRequest } from "./answer.ts";
import { openRequests, requestsOf } from "./hold.ts";
import { heldAt, ORDER } from "./testing/held-order.ts";
import { type HeldSession, heldSession } from "./testing/held-session.ts";

const script = testProgram(join(import.meta.dirname, "testing/deciding.ts"));

interface Ground extends Omit<HeldSession, "garden"> {
  readonly dir: string;
}
let held: Omit<HeldSession, "garden"> | undefined;

/** Gardens with a run that waits in its session. */
const like = gardensLike(async () => {
  const made = await gardenWith(undefined, testPorts(realWorld));
  const { garden: _, ...rest } = await heldSession(ORDER, { base: 1 }, made.garden);
  held = rest;
  return made;
});
async function ground(): Promise<Ground> {
  const dir = await like.copy();
  return { ...held!, dir };
}

const deciding = async ({ dir, request }: Ground, number: number, at = -1) => {
  const ran = await ranNode([script, dir, request, String(number), String(at)], { env: environment });
  const lines = ran.stdout.trim().split("\n");
  return { ...ran, points: lines.filter((line) => !line.startsWith("= ")), said: lines.at(-1) ?? "" };
};

async function opened<T>({ dir }: Ground, work: (garden: Garden) => Promise<T>): Promise<T> {
  const garden = await openGarden(testPorts(realWorld), dir);
  try {
    return await work(garden);
  } finally {
    await closeGarden(garden);
  }
}

/** Everything that a decision writes. */
async function written(garden: Garden, { place, session, request }: Ground) {
  const audited: string[] = [];
  for await (const { key } of everyKey(garden.store, "audit/")) if (key.includes("answered")) audited.push(key);
  const { commits } = await sessionLog(garden.repo, session);
  const [answered] = await requestsOf(garden.store, place);
  return {
    decisions: commits.filter(({ typed }) => typed?.kind === "decision").length,
    value: answered?.answer?.value,
    note: answered?.answer?.note,
    isNamed: answered?.answer?.decision === (await decisionOn(garden.repo, session, request))?.commit,
    open: (await openRequests(garden)).map(({ id }) => id),
    audited: audited.length,
  };
}

const DONE = { decisions: 1, value: { number: 9 }, note: "So be it", isNamed: true, open: [], audited: 1 };

describe("S-8 a decision that is killed", () => {
  test("happened as a whole or not at all, wherever it is killed; repeating it, or resuming the run, completes it", async () => {
    const whole = await ground();
    const { points, said } = await deciding(whole, 9);
    expect([said, await opened(whole, (garden) => written(garden, whole))]).toEqual(["= answered", DONE]);
    const names = [...new Set(points)];
    expect(names).toEqual(
      expect.arrayContaining(["session.decide.committed", "run.answer.recorded", "run.answer.told"]),
    );
    const chosen = names.filter((name) => isThorough || /^session|^run|after-swap/.test(name));
    let kills = 0;
    for (const name of chosen) {
      const here = await ground();
      const ran = await deciding(here, 9, points.indexOf(name));
      expect([name, ran.signal]).toEqual([name, "SIGKILL"]);
      kills++;
      await opened(here, async (garden) => {
        const landed = (await decisionOn(garden.repo, here.session, here.request)) !== undefined;
        // A decision that was recorded needs no person: the run finds it. Otherwise the person decides again.
        if (landed) expect(await heldAt(garden, here.place)).toMatch(/_02$/);
        const wish = { request: here.request, value: { number: 9 }, by: commandLineOwner, note: "So be it" };
        expect((await answerRequest(garden, wish)).repeated).toBe(landed);
        expect([name, await heldAt(garden, here.place)]).toEqual([name, here.request.replace(/1$/, "2")]);
        const found = await written(garden, here);
        expect([name, found]).toEqual([name, { ...DONE, open: [here.request.replace(/1$/, "2")] }]);
      });
    }
    prove({ losses: 0 });
    expect(kills).toBeGreaterThan(5);
  });

  test("X6. 6 processes answer one request: exactly one wins", async () => {
    const here = await ground();
    const numbers = [1, 2, 3, 4, 5, 6];
    const ran = await Promise.all(numbers.map((number) => deciding(here, number)));
    prove({ races: 1 });
    expect(ran.map(({ said }) => said).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "= INVALID_TRANSITION"),
      "= answered",
    ]);
    const won = numbers[ran.findIndex(({ said }) => said === "= answered")]!;
    const found = await opened(here, (garden) => written(garden, here));
    expect(found).toEqual({ ...DONE, value: { number: won } });
    expect(git(here.dir, "fsck", "--strict", "--no-dangling")).toBe("");
  });
});

describe("S-8a an answer that a commit message cannot hold", () => {
  test.each([
    ["is too long", "й".repeat(40_000)],
    ["has a secret in it", "a secret of the owner's, 0123456789"],
  ])("and %s is named by its id; the run gets it whole", async (_, text) => {
    const made = await gardenWith(undefined, testPorts(realWorld));
    const garden: Garden = { ...made.garden, secrets: () => ["0123456789"] };
    const echo = `BEGIN "Echo"\n  a ← ask-human("Words?")\n  b ← ask-human("More?")\nEND\n`;
    const on = await heldSession(echo, {}, garden);
    const { answer } = await answerRequest(garden, { request: on.request, value: { text }, by: commandLineOwner });
    const decision = await decisionOn(garden.repo, on.session, on.request);
    expect([decision?.value, decision?.valueId, answer.value]).toEqual([undefined, canonicalId({ text }), { text }]);
    expect(git(made.dir, "log", "--format=%B", `agents/${on.session}`)).not.toContain("0123456789");
    expect(await heldAt(garden, on.place)).toMatch(/_02$/);
  });
});
