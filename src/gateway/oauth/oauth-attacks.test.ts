import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../base/crash-point.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { forgetEndedGrants } from "../../garden/agents/access/oauth/oauth-grants.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import { deleteAgent } from "../../garden/agents/lifecycle/delete-agent.ts";
import { START, testGateway } from "../testing/test-gateway.ts";
import { oauthFlow, proof, REDIRECT, registered, VERIFIER } from "./testing/oauth-flow.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("attacks on OAuth (A-3)", () => {
  const shown: readonly (readonly [string, Record<string, string | undefined>])[] = [
    ["another redirect", { redirect_uri: "http://127.0.0.1:7777/other" }],
    ["a redirect on another host", { redirect_uri: "https://evil.example/callback" }],
    ["a redirect whose host begins like ours", { redirect_uri: "http://127.0.0.1.evil.example/callback" }],
    ["a redirect with a user name", { redirect_uri: "http://127.0.0.1:7777@evil.example/callback" }],
    ["no redirect", { redirect_uri: undefined }],
    ["an unknown program", { client_id: "client_00000000000000000000000000000000" }],
    ["a program that is a path", { client_id: "../tokens/tok_1" }],
  ];
  test("A-3 a wrong program or address is told to the person, and nothing is sent to the address", async () => {
    const { page, answer } = await oauthFlow();
    const found = [];
    for (const [name, change] of shown) {
      const asked = await page(change);
      const { address } = await answer(change);
      found.push([name, asked.status, asked.headers.get("location"), address]);
    }
    expect(found).toEqual(shown.map(([name]) => [name, 400, null, undefined]));
  });

  const sent: readonly (readonly [string, Record<string, string | undefined>, string])[] = [
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["the plain method", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method, which means plain", { code_challenge_method: undefined }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["a token for another server", { resource: "https://other.example/mcp" }, "invalid_target"],
  ];
  test("A-3 a wrong request is refused at the program's own address, with its state", async () => {
    const { page } = await oauthFlow();
    const found = [];
    for (const [name, change] of sent) {
      const asked = await page(change);
      const { searchParams } = new URL(asked.headers.get("location")!);
      found.push([name, asked.status, searchParams.get("error"), searchParams.get("state")]);
    }
    expect(found).toEqual(sent.map(([name, , code]) => [name, 303, code, "s1"]));
  });

  test("A-3 a loopback redirect may have another port, as native programs need", async () => {
    const { code, exchange, client } = await oauthFlow();
    const other = "http://127.0.0.1:50123/callback";
    const given = await code({ redirect_uri: other });
    const { status } = await exchange(proof(given, client, { redirect_uri: other }));
    expect(status).toBe(200);
  });

  const proofs: readonly (readonly [string, Record<string, string | undefined>, string])[] = [
    ["another verifier", { code_verifier: VERIFIER.replace("a-", "b-") }, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, "invalid_request"],
    ["the challenge as verifier", { code_verifier: "a".repeat(43) }, "invalid_grant"],
    ["another redirect", { redirect_uri: "http://127.0.0.1:7777/other" }, "invalid_grant"],
    ["no program", { client_id: undefined }, "invalid_request"],
    ["another code", { code: "x".repeat(43) }, "invalid_grant"],
    ["a password", { grant_type: "password" }, "unsupported_grant_type"],
    ["a token for another server", { resource: "https://other.example/mcp" }, "invalid_target"],
  ];
  test("A-3 a code with a wrong proof gives no token, and stays good for its program", async () => {
    const { code, exchange, client } = await oauthFlow();
    const found = [];
    let again = {};
    for (const [name, change] of proofs) {
      const given = await code(again);
      again = { existing: "some-program" };
      const wrong = await exchange(proof(given, client, change));
      const right = await exchange(proof(given, client));
      found.push([name, wrong.status, wrong.body["error"], right.status]);
    }
    expect(found).toEqual(proofs.map(([name, , error]) => [name, 400, error, 200]));
  });

  test("A-3 another program's code gives no token", async () => {
    const flow = await oauthFlow();
    const { body } = await registered(flow, [REDIRECT], "Another");
    const stolen = await flow.exchange(proof(await flow.code(), body["client_id"]!));
    expect([stolen.status, stolen.body["error"]]).toEqual([400, "invalid_grant"]);
  });

  test("A-3 a code works for a minute", async () => {
    const { code, exchange, client, at } = await oauthFlow();
    const given = await code();
    at(START + 60_000);
    expect((await exchange(proof(given, client))).body["error"]).toBe("invalid_grant");
  });

  test("A-3 a code that is used twice ends the connection, also for the first user", async () => {
    const { code, exchange, client, ask, refresh } = await oauthFlow();
    const given = await code();
    const first = await exchange(proof(given, client));
    const second = await exchange(proof(given, client));
    const me = await ask("none", "GET", "/me", bearer(first.body["access_token"]!));
    const next = await refresh(first.body["refresh_token"]!);
    expect([first.status, second.status, me.status, next.status]).toEqual([200, 400, 401, 400]);
  });

  test("A-3 of two exchanges at once one gets tokens, and both have none in the end", async () => {
    const { code, exchange, client } = await oauthFlow();
    const given = await code();
    const both = await Promise.all([exchange(proof(given, client)), exchange(proof(given, client))]);
    expect(both.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test("A-3 a refresh token is rotated; the one before works again only while its answer may have been lost", async () => {
    const { tokens, refresh, ask, at } = await oauthFlow();
    const one = await tokens();
    const two = await refresh(one.refresh);
    const lost = await refresh(one.refresh);
    const old = await ask("none", "GET", "/me", bearer(one.access));
    at(START + 60_000);
    const stolen = await refresh(one.refresh);
    const after = await refresh(lost.body["refresh_token"]!);
    const me = await ask("none", "GET", "/me", bearer(lost.body["access_token"]!));
    expect([two.status, lost.status, old.status, stolen.status, after.status, me.status]).toEqual([
      200, 200, 401, 400, 400, 401,
    ]);
  });

  test("A-3 a refresh token ends after a week, is no access token, and is no use to another program", async () => {
    const flow = await oauthFlow();
    const { refresh } = await flow.tokens();
    const asToken = await flow.ask("none", "GET", "/me", bearer(refresh));
    const { body } = await registered(flow, [REDIRECT], "Another");
    const other = await flow.refresh(refresh, body["client_id"]);
    flow.at(START + 7 * 24 * 3600 * 1000 + 1000);
    const late = await flow.refresh(refresh);
    expect([asToken.status, other.status, late.status]).toEqual([401, 400, 400]);
  });

  test("A-3 a program ends its connection itself; a revocation outlives the records of the token, and a deleted agent its grants", async () => {
    const flow = await oauthFlow();
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
    const one = await flow.tokens();
    const revoked = await flow.ask("none", "POST", "/oauth/revoke", {
      raw: `token=${one.refresh}&client_id=${flow.client}`,
      ...form,
    });
    const unknown = await flow.ask("none", "POST", "/oauth/revoke", { raw: "token=nothing&client_id=x", ...form });
    const ended = await flow.ask("none", "GET", "/me", bearer(one.access));
    const again = { agent: "some-program", existing: "some-program" };
    const two = (await flow.exchange(proof(await flow.code(again), flow.client))).body;
    const { tokens: listed } = (await (await flow.ask("token", "GET", "/tokens")).json()) as {
      tokens: { id: string; agent?: string; revoked_at?: string }[];
    };
    const { id } = listed.find(({ agent, revoked_at }) => agent !== undefined && revoked_at === undefined)!;
    await flow.ask("token", "DELETE", `/tokens/${id}`);
    await forgetEndedGrants(flow.garden);
    await flow.garden.folder.removeFile(`.bloom/keys/tokens/${id}.json`);
    await flow.garden.folder.removeFile(`.bloom/keys/tokens/${id}.revoked`);
    const forgotten = await flow.refresh(two["refresh_token"]!);
    const three = (await flow.exchange(proof(await flow.code(again), flow.client))).body;
    await changeAgentStatus(flow.garden, { slug: "some-program", to: "archived", by: commandLineOwner });
    await deleteAgent(flow.garden, { slug: "some-program", confirm: "some-program", by: commandLineOwner });
    const deleted = await flow.refresh(three["refresh_token"]!);
    expect([revoked.status, unknown.status, ended.status, forgotten.status, deleted.status]).toEqual([
      200, 200, 401, 400, 400,
    ]);
  });

  const redirects: readonly (readonly [string, string, number])[] = [
    ["HTTPS", "https://program.example/callback", 201],
    ["HTTP on this machine", "http://localhost/cb", 201],
    ["the scheme of a native program", "cursor://anysphere.cursor-mcp/oauth", 201],
    ["HTTP elsewhere", "http://program.example/callback", 400],
    ["a script", "javascript:alert(1)", 400],
    ["a document", "data:text/html,x", 400],
    ["a fragment", "https://program.example/#x", 400],
    ["a password", "https://a:b@program.example/", 400],
    ["words", "somewhere", 400],
  ];
  test("A-3 a program may register addresses that only it can read", async () => {
    const gateway = await testGateway();
    const found = [];
    for (const [name, uri] of redirects) found.push([name, uri, (await registered(gateway, [uri])).status]);
    expect(found).toEqual(redirects);
  });

  test("A-3 a name of a program is one line and no markup, and registrations without an owner are forgotten", async () => {
    const gateway = await testGateway();
    const { body } = await registered(gateway, [REDIRECT], "<b>Bank</b>\n\u202eYour garden");
    const page = await gateway.ask(
      "cookie",
      "GET",
      `/oauth/authorize?response_type=code&client_id=${body["client_id"]}&redirect_uri=${encodeURIComponent(REDIRECT)}&code_challenge=${"a".repeat(43)}&code_challenge_method=S256`,
    );
    const text = await page.text();
    gateway.at(START + 25 * 3600 * 1000);
    await registered(gateway, [REDIRECT], "Later");
    const names = await gateway.garden.folder.names(".bloom/keys/oauth-clients");
    expect([text.includes("<b>Bank"), text.includes("\u202e"), names.length]).toEqual([false, false, 1]);
  });

  test("A-3 registrations and exchanges are limited for all callers together", async () => {
    const gateway = await testGateway();
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) statuses.push((await registered(gateway)).status);
    expect([statuses[19], statuses[20]]).toEqual([201, 429]);
  });

  test.each(["oauth.refresh-used", "oauth.access-replaced", "oauth.grant-moved"])(
    "A-3 a gateway killed at %s leaves a program that gets its tokens by asking again",
    async (point) => {
      const { tokens, refresh, ask } = await oauthFlow();
      const one = await tokens();
      const disarm = armCrashPoints((name) => {
        if (name === point) throw new Error("killed");
      });
      const killed = await refresh(one.refresh);
      disarm();
      const { status, body } = await refresh(one.refresh);
      const me = await ask("none", "GET", "/me", bearer(body["access_token"]!));
      expect([killed.status, status, me.status]).toEqual([500, 200, 200]);
    },
  );

  test("A-3 a gateway killed while it ends a connection leaves no token that works", async () => {
    const { code, exchange, client, ask, refresh } = await oauthFlow();
    const given = await code();
    const { body } = await exchange(proof(given, client));
    const disarm = armCrashPoints((name) => {
      if (name === "oauth.access-revoked") throw new Error("killed");
    });
    const killed = await exchange(proof(given, client));
    disarm();
    const me = await ask("none", "GET", "/me", bearer(body["access_token"]!));
    const next = await refresh(body["refresh_token"]!);
    expect([killed.status, me.status, next.status]).toEqual([500, 401, 400]);
  });
});
