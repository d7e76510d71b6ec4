import { expect, test } from "vitest";
import { scriptedModel } from "../adapters/runtime/testing/scripted-model.ts";
import { live, portsWith, requestedRun } from "../garden/runs/testing/agent-ground.ts";
import { answerWith } from "../garden/runs/testing/held-order.ts";
import { planted } from "../garden/runs/testing/session-ground.ts";
import { testGateway } from "./testing/test-gateway.ts";

type Json = Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with

const slug = "chooser";

/** A gateway whose agent asked which note to propose, and was told `left`. Its engine starts nothing: `lived` does. */
async function answered() {
  const { garden, ask } = await testGateway();
  const contract = { tools: "[ask-human, create-proposal]", safe_outputs: "[propose-note]", execution: "flow" };
  await planted(garden, slug, { model: "bloom/follower", ...contract }, [
    'a ← ask-human("Which?", form: "choice", options: ["left", "right", "up"])',
    'create-proposal(type: "propose-note", path: "notes/" + a.choice + ".md", text: "# " + a.choice)',
  ]);
  const lived = (run: string) => live(garden, { slug, run }, portsWith(scriptedModel([])));
  const { run } = await requestedRun(garden, slug);
  const held = await lived(run);
  const request = held.kind === "held" ? held.request : "";
  await answerWith(garden, request, { choice: "left" });
  await lived(run);
  const json = async (method: string, path: string, body?: unknown, correlation?: string): Promise<[number, Json]> => {
    const answer = await ask("token", method, path, {
      ...(body !== undefined && { body }),
      headers: { "x-correlation-id": correlation },
    });
    return [answer.status, (await answer.json()) as Json];
  };
  /** The run of an experiment with another answer, at its end, and the entry that it left. */
  const tried = async (choice: string) => {
    const [, { run: made }] = await json("POST", `/requests/${request}/what-if`, { value: { choice } });
    await lived(made.run_id as string);
    const [, { entries }] = await json("GET", "/sandbox");
    return { run: made.run_id as string, entry: (entries as Json[]).find((one) => one["run_id"] === made.run_id)! };
  };
  return { run, request, json, tried };
}

const codeIn = ([status, body]: readonly [number, Json]): unknown => [status, body["error"]?.code ?? body["code"]];

test("S-7 POST what-if starts one experiment per correlation id, and none for a wrong answer or an unknown question", async () => {
  const { run, request, json } = await answered();
  const path = `/requests/${request}/what-if`;
  const whatIf = (correlation?: string) =>
    json("POST", path, { value: { choice: "right" }, note: "Just to see" }, correlation);
  const [status, first] = await whatIf("one");
  const [, again] = await whatIf("one");
  const [, other] = await whatIf();
  expect([status, first["run"]]).toMatchObject([201, { agent_slug: slug, forked_from: { run, step: 1 } }]);
  expect([again["run"].run_id === first["run"].run_id, other["run"].run_id === first["run"].run_id]).toEqual([
    true,
    false,
  ]);
  expect(codeIn(await json("POST", path, { value: { choice: "down" } }))).toEqual([400, "VALIDATION_FAILED"]);
  expect(codeIn(await json("POST", path, { value: { choice: "up" }, not: 1 }))).toEqual([400, "VALIDATION_FAILED"]);
  const unknown = request.replace(/_\d+$/, "_09");
  expect(codeIn(await json("POST", `/requests/${unknown}/what-if`, { value: {} }))).toEqual([404, "NOT_FOUND"]);
  const [, { runs }] = await json("GET", `/runs?agent=${slug}`);
  expect(runs).toHaveLength(3);
});

test("S-7 GET compare shows both ends; an entry of the sandbox is promoted once, and a discarded one never", async () => {
  const { run, json, tried } = await answered();
  const right = await tried("right");
  const up = await tried("up");
  const [, compared] = await json("GET", `/runs/${run}/compare?with=${right.run}`);
  expect(compared).toMatchObject({
    shared: 1,
    files: null,
    ends: [
      { run, is_experiment: false, answers: [{ value: { choice: "left" } }], proposals: [{ status: "pending" }] },
      { is_experiment: true, answers: [{ value: { choice: "right" } }], proposals: [{ status: "sandbox" }] },
    ],
  });
  expect(codeIn(await json("GET", `/runs/${run}/compare?with=nobody`))).toEqual([404, "NOT_FOUND"]);
  const at = (entry: Json, rest = ""): string => `/sandbox/${entry["id"]}${rest}`;
  expect((await json("GET", at(right.entry)))[1]["effect"].files).toMatchObject([{ path: "notes/right.md" }]);
  const promoted = await json("POST", at(right.entry, "/promote"));
  expect(promoted).toMatchObject([200, { end: { verdict: "promoted", by: "owner" } }]);
  expect(await json("POST", at(right.entry, "/promote"))).toEqual(promoted);
  expect(await json("POST", at(right.entry, "/discard"))).toEqual(promoted);
  expect(await json("POST", at(up.entry, "/discard"))).toMatchObject([200, { end: { verdict: "discarded" } }]);
  expect(codeIn(await json("POST", at(up.entry, "/promote")))).toEqual([409, "INVALID_TRANSITION"]);
  expect((await json("GET", "/sandbox"))[1]).toEqual({ entries: [] });
  const [, { proposals }] = await json("GET", `/proposals/pending?agent=${slug}`);
  expect((proposals as Json[]).map(({ target }) => target as string)).toEqual(["notes/left.md", "notes/right.md"]);
  const gone = { id: (right.entry["id"] as string).replace(/\d+$/, "99") };
  expect(codeIn(await json("POST", at(gone, "/promote")))).toEqual([404, "NOT_FOUND"]);
  expect(codeIn(await json("POST", at({ id: "sand_1" }, "/discard")))).toEqual([400, "VALIDATION_FAILED"]);
});
