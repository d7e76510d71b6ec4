import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { canonicalJson, type Json } from "../../../base/canonical.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { behaviourId, canonicalForm } from "../../../drakon/canonical.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { answered, program } from "../../../drakon/walk/testing/procedures.ts";
import { replay } from "../../../drakon/walk/testing/replay.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { drawnFrom } from "../../insight/learning/testing/drawn-agent.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import type { SessionCheck } from "../../sessions/testing/object-checks.ts";
import { codeOf } from "../../sessions/testing/space.ts";
import { closed, gardenWith } from "../../testing/scratch.ts";
import { loadBrief } from "../brief.ts";
import { forkRun } from "../fork.ts";
import { openRequests, requestsOf } from "../hold.ts";
import { requestAt } from "../open-runs.ts";
import { readRun } from "../read-runs.ts";
import { askForRun } from "../request-run.ts";
import { activeAgent, live, manifestOf, namesOf, portsWith, requestedRun, stepsOf } from "./agent-ground.ts";
import {
  agentWith,
  answerWith,
  FLOW,
  type HeldOrder,
  heldAt,
  keysOfRun,
  nextOrder,
  ORDER,
  orderGarden,
  resultOfOrder,
  startedOrder,
} from "./held-order.ts";

const by = commandLineOwner;
const behaviourOf = (diagram: string): string => logicOfFiles({ diagram, procedure: "" }).behaviour;

/** The diagram file with other places, other ids of icons and HTML in its texts. */
function redressed(diagram: string): string {
  const { items, ...rest } = JSON.parse(diagram) as { items: Record<string, Record<string, Json>> };
  const renamed = (id: Json | undefined): Json | undefined =>
    typeof id === "string" && Object.hasOwn(items, id) ? `icon-${id}` : id;
  const other = Object.entries(items).map(([id, item]) => [
    `icon-${id}`,
    {
      ...item,
      one: renamed(item["one"]),
      two: renamed(item["two"]),
      ...(typeof item["content"] === "string" && { content: `<p>${item["content"]}</p>` }),
      style: '{"background":"#fff"}',
    },
  ]);
  return JSON.stringify({ ...rest, items: Object.fromEntries(other.toReversed()) });
}

/** D1 to D10. */
export const definitionChecks: readonly SessionCheck[] = [
  [
    "behaviour id = blob id of the canonical program",
    () => {
      const { tree } = parsePseudocode(ORDER);
      const input = canonicalJson(canonicalForm(tree!));
      const id = execFileSync("git", ["hash-object", "--stdin"], { input, encoding: "utf8" }).trim();
      expect([behaviourId(tree!), behaviourOf(drawnFrom(ORDER))]).toEqual([id, id]);
    },
  ],
  [
    "definition is create-idempotent",
    async () => {
      const garden = orderGarden();
      const [one, two] = [await agentWith(), await agentWith()];
      const ids = [];
      for (const slug of [one, one, two]) {
        const { run } = await requestedRun(garden, slug, { base: 1 });
        const request = (await requestAt(garden.store, { slug, run }))!;
        ids.push((await loadBrief(garden, { slug, run }, request)).behaviour_id);
      }
      expect(new Set(ids)).toEqual(new Set([behaviourOf(drawnFrom(ORDER))]));
    },
  ],
  [
    "layout, ids and HTML do not change the id",
    () => {
      const drawn = drawnFrom(ORDER);
      expect(redressed(drawn)).not.toBe(drawn);
      expect(behaviourOf(redressed(drawn))).toBe(behaviourOf(drawn));
    },
  ],
  [
    "changed text changes the id",
    () => expect(behaviourOf(drawnFrom(ORDER.replace("price", "prize")))).not.toBe(behaviourOf(drawnFrom(ORDER))),
  ],
  [
    "starts suspended on the first effect",
    async () => {
      const { garden, place, request } = await startedOrder();
      expect([await namesOf(garden, place), request]).toEqual([["load-context"], `req_${place.run.slice(4)}_01`]);
    },
  ],
  [
    "request is plain data",
    async () => {
      const { garden, place } = await startedOrder();
      const [asked] = await requestsOf(garden.store, place);
      expect(JSON.parse(JSON.stringify(asked!.request))).toEqual(asked!.request);
      expect(asked!.request.ask).toEqual({ question: "How many?", form: "number" });
    },
  ],
  [
    "kind of the envelope",
    async () => {
      const { garden, request } = await startedOrder();
      const open = (await openRequests(garden)).find(({ id }) => id === request);
      expect(open).toMatchObject({ reason: "asked", icon: expect.any(String), line: 4 });
    },
  ],
  [
    "second start conflicts",
    async () => {
      const garden = orderGarden();
      const start = { slug: await agentWith(), by, correlation: "start-once", input: { base: 1 } };
      const first = await askForRun(garden, start);
      expect(await askForRun(garden, start)).toEqual(first);
      expect(await codeOf(askForRun(garden, { ...start, input: { base: 2 } }))).toBe("DUPLICATE_ENTRY");
    },
  ],
  [
    "start with a prompt behaviour refused",
    async () => {
      const garden = orderGarden();
      const made = activeAgent(garden, "prose-in-flow", FLOW, "Be kind to every note.\n");
      await expect(made).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        text: { en: expect.stringContaining("execution: flow needs a diagram") },
      });
      expect(await codeOf(requestedRun(garden, "prose-in-flow"))).toBe("INVALID_AGENT_TRANSITION");
    },
  ],
  [
    "missing parameter fails visibly",
    async () => {
      const garden = orderGarden();
      const place = await requestedRun(garden, await agentWith());
      await live(garden, place, portsWith(scriptedModel([])));
      const { status, error } = await manifestOf(garden, place);
      expect([status, error]).toEqual(["failed", expect.stringContaining("base")]);
    },
  ],
];

/** D11 to D18. */
export const resumeChecks: readonly SessionCheck[] = [
  [
    "resume moves on",
    async () => {
      const { place, request } = await nextOrder(await startedOrder(), { number: 9 });
      expect(request).toBe(`req_${place.run.slice(4)}_02`);
    },
  ],
  [
    "journal holds request id and value",
    async () => {
      const { garden, place, request: first } = await startedOrder();
      await nextOrder({ garden, place, request: first }, { number: 9 });
      const [one] = await requestsOf(garden.store, place);
      expect(one!.answer).toMatchObject({ request: first, value: { number: 9 }, by: "owner" });
      expect((await stepsOf(garden, place)).at(-1)).toMatchObject({ name: "ask-human", output: { number: 9 } });
    },
  ],
  [
    "fresh handle sees the same suspension",
    async () => {
      const made = await gardenWith();
      const { place, request } = await startedOrder(ORDER, { base: 1 }, made.garden);
      const { dir, ground } = await closed(made);
      const fresh = await openGarden(ground, dir);
      expect((await openRequests(fresh)).map(({ id }) => id)).toEqual([request]);
      expect(await heldAt(fresh, place)).toBe(request);
      await closeGarden(fresh);
    },
  ],
  [
    "only program, input and journal are stored",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const { garden, place, request } = held;
      const id = request.slice(0, -3);
      expect((await keysOfRun(garden, place)).filter((key) => key !== "status.json")).toEqual([
        `answers/${id}_01.json`,
        `requests/${id}_01.json`,
        `requests/${id}_02.json`,
        "steps/00-request.json",
        "steps/01-load-context.json",
        "steps/02-ask-human.json",
      ]);
      // The views are not part of the state.
      await garden.store.delete(keys.runStatus(place.slug, place.run));
      await garden.store.delete(keys.openRequest(request));
      expect(await heldAt(garden, place)).toBe(request);
      expect(await resultOfOrder(held, { number: 5 })).toBe(45);
    },
  ],
  [
    "replay is pure: 100 runs, one answer",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const before = await keysOfRun(held.garden, held.place);
      const asked = [];
      for (let time = 0; time < 5; time++) asked.push(await heldAt(held.garden, held.place));
      expect(new Set(asked)).toEqual(new Set([held.request]));
      const order = program(ORDER);
      const journal = answered(order, { base: 1 }, [{ number: 9 }]);
      const states = Array.from({ length: 100 }, () => JSON.stringify(replay(order, { base: 1 }, journal)));
      expect(new Set(states).size).toBe(1);
      expect(await keysOfRun(held.garden, held.place)).toEqual(before);
    },
  ],
  [
    "wrong answer type refused",
    async () => {
      const { garden, request } = await startedOrder();
      for (const value of [{ number: "9" }, { text: "9" }, 9, null])
        expect(await codeOf(answerWith(garden, request, value))).toBe("VALIDATION_FAILED");
    },
  ],
  [
    "… and nothing recorded",
    async () => {
      const { garden, place, request } = await startedOrder();
      const before = await keysOfRun(garden, place);
      await codeOf(answerWith(garden, request, { number: "9" }));
      expect(await keysOfRun(garden, place)).toEqual(before);
      expect(await heldAt(garden, place)).toBe(request);
    },
  ],
  [
    "answer to a non-pending request conflicts",
    async () => {
      const { garden, place, request } = await startedOrder();
      await nextOrder({ garden, place, request }, { number: 9 });
      expect(await codeOf(answerWith(garden, request, { number: 8 }))).toBe("INVALID_TRANSITION");
      expect(await codeOf(answerWith(garden, `req_${place.run.slice(4)}_07`, { number: 8 }))).toBe("NOT_FOUND");
    },
  ],
];

const forked = async ({ garden, place }: HeldOrder, at: number, correlation?: string): Promise<RunPlace> => ({
  slug: place.slug,
  run: (await forkRun(garden, { place, at, by, correlation })).run_id,
});

/** D19 to D26. */
export const forkChecks: readonly SessionCheck[] = [
  [
    "fork rebuilds the suspended state",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const fork = await forked(held, 2);
      const request = await heldAt(held.garden, fork);
      const asked = async (place: RunPlace, id: string): Promise<unknown> =>
        (await requestsOf(held.garden.store, place)).find((one) => one.request.id === id)?.request.ask;
      expect(await asked(fork, request)).toEqual(await asked(held.place, held.request));
    },
  ],
  [
    "forks diverge: 45 and 9000 from a shared prefix",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const place = await forked(held, 2);
      const fork = { garden: held.garden, place, request: await heldAt(held.garden, place) };
      expect([await resultOfOrder(held, { number: 5 }), await resultOfOrder(fork, { number: 1000 })]).toEqual([
        45, 9000,
      ]);
    },
  ],
  [
    "fork shares behaviour blob and input blob",
    async () => {
      const held = await startedOrder();
      const fork = await forked(held, 1);
      await heldAt(held.garden, fork);
      const hashOf = async ({ slug, run }: RunPlace): Promise<string> =>
        (await held.garden.store.get(keys.runStep(slug, run, 1, "load-context")))!.hash;
      const input = async (place: RunPlace): Promise<unknown> => (await requestAt(held.garden.store, place))!.input;
      expect([await hashOf(fork), await input(fork)]).toEqual([await hashOf(held.place), await input(held.place)]);
    },
  ],
  [
    "fork records where it came from",
    async () => {
      const held = await startedOrder();
      const fork = await forked(held, 1);
      expect((await requestAt(held.garden.store, fork))!.forked_from).toMatchObject({ run: held.place.run, step: 1 });
    },
  ],
  [
    "fork at an earlier step",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const fork = await forked(held, 1);
      expect(await heldAt(held.garden, fork)).toBe(`req_${fork.run.slice(4)}_01`);
    },
  ],
  [
    "fork into an agent with a session conflicts",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      const first = await forked(held, 2, "one-fork");
      expect(await forked(held, 2, "one-fork")).toEqual(first);
      expect(await codeOf(forked(held, 1, "one-fork"))).toBe("DUPLICATE_ENTRY");
    },
  ],
  [
    "resume a finished session",
    async () => {
      const held = await nextOrder(await startedOrder(), { number: 9 });
      await resultOfOrder(held, { number: 5 });
      expect(await codeOf(answerWith(held.garden, held.request, { number: 6 }))).toBe("INVALID_TRANSITION");
      const fork = await startedOrder();
      await live(fork.garden, fork.place, portsWith(scriptedModel([])));
      expect(await codeOf(answerWith(fork.garden, `${fork.request.slice(0, -2)}02`, { number: 6 }))).toBe("NOT_FOUND");
    },
  ],
  [
    "no session",
    async () => {
      const garden = orderGarden();
      const place = { slug: await agentWith(), run: "run_2020-01-01_000000_aaaaaa" };
      expect(await codeOf(readRun(garden, place))).toBe("NOT_FOUND");
      expect(await codeOf(forkRun(garden, { place, at: 1, by }))).toBe("NOT_FOUND");
      expect(await codeOf(answerWith(garden, "req_2020-01-01_000000_aaaaaa_01", { number: 1 }))).toBe("NOT_FOUND");
    },
  ],
];
