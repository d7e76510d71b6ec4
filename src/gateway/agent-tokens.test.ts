import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { explain } from "../garden/insight/why/explain.ts";
import { testGateway } from "./testing/test-gateway.ts";

/** The part of answers that these tests read. */
interface Answer {
  readonly token: string;
  readonly proposal_id: string;
  readonly error: { readonly code: string };
  readonly tokens: readonly { readonly name: string; readonly last_used?: string; readonly revoked_at?: string }[];
  readonly type: string;
  readonly run?: string;
}

const comment = { intent: { action: "propose-comment", payload: { note: "notes/a.md", text: "from outside" } } };

async function outsideAgent() {
  const gateway = await testGateway();
  const { ask } = gateway;
  const answer = async (response: Promise<Response>) => {
    const given = await response;
    return { status: given.status, ...((await given.json()) as Answer & { status?: string }) };
  };
  const owner = (method: string, path: string, body?: unknown) =>
    answer(ask("token", method, path, body === undefined ? {} : { body }));
  const made = await owner("POST", "/agents/archivist/tokens", { name: "laptop", days: 3 });
  const headers = { authorization: `Bearer ${made.token}` };
  const agent = (method: string, path: string, body?: unknown) =>
    answer(ask("none", method, path, { headers, ...(body === undefined ? {} : { body }) }));
  return { ...gateway, owner, agent, made };
}

test("A-3 the token of an outside agent has the rights of that agent, and its proposals name the token", async () => {
  const { agent, owner, garden, dir, made } = await outsideAgent();
  const who = await agent("GET", "/me");
  const submitted = await agent("POST", "/inbox/submit", comment);
  expect({
    made: made.status,
    who: [who.type, who.run],
    own: (await agent("GET", "/agents/archivist")).status,
    another: (await agent("GET", "/agents/gardener")).status,
    settings: (await agent("GET", "/settings")).status,
    more: (await agent("POST", "/agents/archivist/tokens", { name: "mine" })).status,
    submitted: submitted.status,
    listed: (await owner("GET", "/agents/archivist/tokens")).tokens.map(({ name, last_used }) => [name, last_used]),
    again: (await owner("POST", "/agents/archivist/tokens", { name: "laptop" })).status,
  }).toEqual({
    made: 201,
    who: ["agent", undefined],
    own: 200,
    another: 403,
    settings: 403,
    more: 403,
    submitted: "pending",
    listed: [["laptop", "2026-02-14"]],
    again: 409,
  });
  const { links, missing } = await explain(garden, submitted.proposal_id);
  expect({ missing, end: links.at(-1)!.what.en }).toEqual({
    missing: [],
    end: "asked for by archivist from outside, with its token laptop",
  });
  const keys = join(dir, ".bloom/keys/tokens");
  const secret = made.token.split(".").at(-1)!;
  expect(readdirSync(keys).some((name) => readFileSync(join(keys, name), "utf8").includes(secret))).toBe(false);
});

test("A-3 the token of a paused agent is refused, and that of a revoked or deleted one for good", async () => {
  const { agent, owner } = await outsideAgent();
  const state = async () => {
    const { status, error } = await agent("GET", "/agents/archivist");
    return status === 200 ? 200 : `${status} ${error.code}`;
  };
  const move = (to: string) => owner("PATCH", "/agents/archivist/status", { status: to });
  const states = [await state()];
  for (const to of ["paused", "active"]) {
    await move(to);
    states.push(await state());
  }
  await owner("DELETE", "/agents/archivist/tokens/laptop");
  states.push(await state());
  expect(states).toEqual([200, "403 FORBIDDEN", 200, "401 AUTH_REQUIRED"]);
  const second = await owner("POST", "/agents/archivist/tokens", { name: "laptop" });
  expect(second.status).toBe(201);
  for (const to of ["paused", "archived"]) await move(to);
  expect((await owner("DELETE", "/agents/archivist?confirm=archivist")).status).toBe(200);
  const { tokens } = await owner("GET", "/agents/archivist/tokens");
  expect(tokens.map(({ revoked_at }) => revoked_at !== undefined)).toEqual([true, true]);
});

test("A-3 the list of tokens tells to half a minute when a program was last seen, and writes no more often", async () => {
  const { agent, owner, garden, at } = await outsideAgent();
  const seen = async (): Promise<string | undefined> =>
    (await owner("GET", "/tokens")).tokens.map((token) => (token as { seen_at?: string }).seen_at).find((time) => time);
  const before = await seen();
  const times: (string | undefined)[] = [];
  const start = garden.world.now();
  for (const seconds of [0, 20, 40]) {
    at(start + seconds * 1000);
    await agent("GET", "/me");
    times.push((await seen())?.slice(11, 19));
  }
  expect({ before, times }).toEqual({ before: undefined, times: ["08:00:00", "08:00:00", "08:00:40"] });
});
