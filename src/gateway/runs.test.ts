import { appendFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { realWorld } from "../base/world.ts";
import { composeRuns, type RunsHere } from "../compose-runs.ts";
import { makeToken } from "../garden/agents/access/tokens.ts";
import { closeGarden, openGarden } from "../garden/core/garden.ts";
import { demoCopies } from "../garden/testing/demo-deps.ts";
import { testPorts } from "../garden/testing/scratch.ts";
import { gatewayApp } from "./app.ts";

type Json = Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with

const copy = demoCopies();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The real app with the real engine over the demo garden; `ask` is its owner. */
async function served({ engine = true, settings = "" } = {}) {
  const dir = copy();
  appendFileSync(`${dir}/garden.yaml`, settings);
  const garden = await openGarden(testPorts(realWorld), dir);
  const ending = new AbortController();
  const runs: RunsHere | undefined = engine ? await composeRuns(garden, {}) : undefined;
  ends.push(async () => {
    ending.abort();
    await runs?.close();
    await closeGarden(garden);
  });
  const app = gatewayApp(garden, {
    host: "127.0.0.1",
    allowedHosts: [],
    runs: runs?.gatewayRuns,
    ended: ending.signal,
    pollMs: 20,
  });
  const { token } = await makeToken(garden, { kind: "owner", name: "script" }, "owner");
  const ask = (method: string, path: string, body?: unknown, correlation?: string): Promise<Response> =>
    Promise.resolve(
      app.fetch(
        new Request(`http://localhost:4440${path}`, {
          method,
          headers: {
            host: "localhost:4440",
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(correlation !== undefined && { "x-correlation-id": correlation }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    );
  const json = async (method: string, path: string, body?: unknown, correlation?: string): Promise<Json> =>
    (await (await ask(method, path, body, correlation)).json()) as Json;
  const started = async (slug: string, input?: Json): Promise<string> =>
    (await json("POST", `/agents/${slug}/run`, { ...(input && { input }) }))["run"].run_id as string;
  return { garden, ask, json, started, settled: () => runs!.settled() };
}

const QUESTION = { question: "When does the lime tree bloom?" };

describe("source 003 runs over HTTP", () => {
  test.each([
    ["no price", "", () => null],
    [
      "a price of its model",
      "prices: { currency: UAH, models: { bloom/follower: { input: 2, output: 1000000 } } }\n",
      ({ input, output }: Json) => ({ amount: output + (2 * input) / 1_000_000, currency: "UAH" }),
    ],
  ])("U-1 a run shows its cost if the settings name %s", async (_, settings, cost) => {
    const { json, started, settled } = await served({ settings });
    const run = await started("test-echo");
    await settled();
    const one = await json("GET", `/runs/${run}`);
    expect(one["cost"]).toEqual(cost(one["manifest"].tokens_used));
  });

  test("A-1 a run is requested, worked on, and read with its steps, manifest and proposals", async () => {
    const { ask, json, settled } = await served();
    const asked = await ask("POST", "/agents/run", { slug: "test-echo" });
    const { run_id } = ((await asked.json()) as Json)["run"];
    await settled();
    const one = await json("GET", `/runs/${run_id}`);
    const { steps, next } = await json("GET", `/runs/${run_id}/steps?after=2&limit=1`);
    const { runs } = await json("GET", "/runs?agent=test-echo&state=completed");
    const { proposals } = await json("GET", "/proposals/pending?agent=test-echo");
    expect({
      status: asked.status,
      state: one["run"].state,
      outcome: one["manifest"].outcome.kind,
      steps: one["steps"].map((step: Json) => step["name"]),
      hasOutput: "output" in one["steps"][0],
      step: [steps[0].position, steps[0].name, steps[0].output.startsWith("# Test data"), next],
      runs: runs.map((run: Json) => run["run_id"]),
      proposals: proposals.map((card: Json) => card["id"]),
    }).toEqual({
      status: 201,
      state: "completed",
      outcome: "effects",
      steps: [
        "load-context",
        "model",
        "read-context",
        "model",
        "create-proposal",
        "model",
        "execute-agent",
        "persist-results",
        "finalize",
      ],
      hasOutput: false,
      step: [3, "read-context", true, "3"],
      runs: [run_id],
      proposals: one["manifest"].outcome.proposals,
    });
  });

  test("runs are paged newest first", async () => {
    const { json, started, settled } = await served();
    const ids: string[] = [];
    for (const slug of ["test-echo", "gardener", "test-echo"]) {
      ids.push(await started(slug));
      await settled();
    }
    const first = await json("GET", "/runs?limit=2");
    const rest = await json("GET", `/runs?limit=2&after=${encodeURIComponent(first["next"])}`);
    const told = [...first["runs"], ...rest["runs"]].map((run: Json) => run["run_id"] as string);
    expect({ told, next: rest["next"] }).toEqual({ told: ids.toReversed(), next: undefined });
  });

  test("O-6 a request is answered in its form and only once, and the run continues", async () => {
    const { ask, json, started, settled } = await served();
    const run = await started("librarian", QUESTION);
    await settled();
    const { requests } = await json("GET", "/requests?agent=librarian");
    const path = `/requests/${requests[0].id}/answer`;
    const waiting = await json("GET", `/runs/${run}`);
    const choice = requests[0].ask.options[1] as string;
    const wrong = await ask("POST", path, { value: { choice: "neither" } });
    const answered = await ask("POST", path, { value: { choice }, note: "He is at home in July" });
    const again = await json("POST", path, { value: { choice } });
    const other = await ask("POST", path, { value: { choice: requests[0].ask.options[0] as string } });
    await settled();
    const ended = await json("GET", `/runs/${run}`);
    expect({
      waiting: [waiting["run"].state, waiting["run"].waiting_for],
      statuses: [wrong.status, answered.status, again["repeated"], other.status],
      ended: [ended["run"].state, ended["requests"][0].answer.note],
      open: (await json("GET", "/requests"))["requests"],
    }).toEqual({
      waiting: ["waiting", requests[0].id],
      statuses: [400, 200, true, 409],
      ended: ["completed", "He is at home in July"],
      open: [],
    });
  });

  test("P-3 a repeated request for a run or a fork with the same correlation id gets the same one; a different request is refused", async () => {
    const { json, settled } = await served();
    const wish = { input: { say: "hello" } };
    const echo = (name: string, body: Json = wish): Promise<Json> => json("POST", "/agents/test-echo/run", body, name);
    const first = (await echo("click-1"))["run"].run_id as string;
    await settled();
    const runs = [await echo("click-1"), await echo("click-2")].map((each) => each["run"].run_id as string);
    await settled();
    const fork = (at: number): Promise<Json> => json("POST", `/runs/${first}/fork`, { at }, "click-3");
    const forks = [(await fork(1))["run"].run_id as string];
    await settled();
    forks.push((await fork(1))["run"].run_id as string);
    await settled();
    const { runs: all } = await json("GET", "/runs?agent=test-echo");
    expect({
      repeatsRun: runs[0] === first,
      repeatsFork: forks[0] === forks[1],
      runs: all.map((each: Json) => `${each["run_id"]} ${each["state"]}`).toSorted(),
      codes: [await echo("click-1", {}), await fork(2)].map((each) => each["error"].code as string),
    }).toEqual({
      repeatsRun: true,
      repeatsFork: true,
      runs: [first, runs[1], forks[0]].map((id) => `${id} completed`).toSorted(),
      codes: ["DUPLICATE_ENTRY", "DUPLICATE_ENTRY"],
    });
  });

  test("P-3 a correlation id without an agent leaves nothing behind", async () => {
    const { ask, garden } = await served();
    const answer = await ask("POST", "/agents/nobody/run", {}, "click-1");
    expect({ status: answer.status, entries: (await garden.store.list("agents/nobody/")).entries }).toEqual({
      status: 404,
      entries: [],
    });
  });

  test("O-7 a fork with another input runs separately, and its proposals name the fork", async () => {
    const { json, started, settled } = await served();
    const run = await started("librarian", QUESTION);
    await settled();
    const forked = await json("POST", `/runs/${run}/fork`, { at: 1, set: { question: "Where is the violin?" } });
    const id = forked["run"].run_id as string;
    await settled();
    const { run: card, request } = await json("GET", `/runs/${id}`);
    expect({ forkedFrom: card.forked_from ?? request.forked_from, input: request.input }).toMatchObject({
      forkedFrom: { run, step: 1 },
      input: { question: "Where is the violin?" },
    });
  });

  test("O-1, O-3a a waiting run can be cancelled but not moved to the version that it has; an ended run can do neither", async () => {
    const { ask, json, started, settled } = await served();
    const run = await started("librarian", QUESTION);
    await settled();
    const move = async (): Promise<unknown> => [
      (await json("GET", `/runs/${run}`))["newer_version"],
      (await json("GET", `/runs/${run}/move`))["error"].message,
      (await ask("POST", `/runs/${run}/move`, {})).status,
    ];
    const waiting = await move();
    const cancelled = await ask("POST", `/runs/${run}/cancel`, { why: "Never mind" });
    await settled();
    const again = await ask("POST", `/runs/${run}/cancel`, {});
    expect({
      cancelled: cancelled.status,
      state: (await json("GET", `/runs/${run}`))["run"].state,
      again: again.status,
      moves: [waiting, await move()],
    }).toEqual({
      cancelled: 200,
      state: "cancelled",
      again: 409,
      moves: [
        [null, expect.stringContaining("already: v001"), 409],
        [null, expect.stringContaining("it is cancelled"), 409],
      ],
    });
  });

  test.each<[string, string, string, unknown, number, string]>([
    ["an agent that does not exist", "POST", "/agents/nobody/run", {}, 404, "NOT_FOUND"],
    ["a run that does not exist", "GET", "/runs/run_2026-02-14_080000_aaaaaa", undefined, 404, "NOT_FOUND"],
    ["what is no run id", "GET", "/runs/latest", undefined, 400, "VALIDATION_FAILED"],
    ["an input that is no record", "POST", "/agents/run", { slug: "test-echo", input: 5 }, 400, "VALIDATION_FAILED"],
    ["an unknown state", "GET", "/runs?state=asleep", undefined, 400, "VALIDATION_FAILED"],
    ["an event of the garden itself", "POST", "/events", { name: "note/created" }, 403, "FORBIDDEN"],
    ["a name that is no event's", "POST", "/events", { name: "What?" }, 400, "VALIDATION_FAILED"],
  ])("%s is refused", async (_, method, path, body, status, code) => {
    const { ask } = await served();
    const answer = await ask(method, path, body);
    expect({ status: answer.status, code: ((await answer.json()) as Json)["error"].code }).toEqual({ status, code });
  });

  test("O-8 without an engine runs and requests can be read, and a new run is refused with the missing part", async () => {
    const { ask, json } = await served({ engine: false });
    const run = await ask("POST", "/agents/run", { slug: "test-echo" });
    const { error } = (await run.json()) as Json;
    expect({
      status: run.status,
      part: error.details.part,
      runs: await json("GET", "/runs"),
      requests: await json("GET", "/requests"),
    }).toEqual({ status: 503, part: "engine", runs: { runs: [] }, requests: { requests: [] } });
  });
});

describe("A-4 live steps", () => {
  test("every step of a run is streamed once, in order, beside the audit records", async () => {
    const { ask, started } = await served();
    const stream = await ask("GET", "/events");
    const run = await started("gardener");
    const [steps, kinds] = [[] as Json[], new Set<string>()];
    let text = "";
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const whole = text.split("\n\n");
      text = whole.pop()!;
      for (const event of whole) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        kinds.add(/^event: (.*)$/m.exec(event)?.[1] ?? "");
        if (event.startsWith("event: run-step")) steps.push(JSON.parse(data!) as Json);
      }
      if (steps.at(-1)?.["name"] === "finalize" && kinds.has("run-finished")) break;
    }
    expect({
      positions: steps.map(({ position }) => position as number),
      runs: new Set(steps.map(({ run_id }) => run_id as string)),
      hasContent: steps.some((step) => "output" in step || "input" in step),
      hasAudit: kinds.has("run-requested"),
    }).toEqual({
      positions: steps.map((_, index) => index + 1),
      runs: new Set([run]),
      hasContent: false,
      hasAudit: true,
    });
  });
});
