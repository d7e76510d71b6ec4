import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { testGateway } from "../testing/test-gateway.ts";
import { oauthFlow, proof, REDIRECT } from "./testing/oauth-flow.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("OAuth 2.1 for programs (A-3, A-5)", () => {
  test("A-5 the official client finds the server, registers, is confirmed by the owner, and calls a tool", async () => {
    const gateway = await testGateway();
    const origin = "http://localhost:4440";
    const fetching = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const sent = new Request(address, init);
      const url = new URL(sent.url);
      const raw = sent.method === "POST" ? { raw: await sent.text() } : {};
      return gateway.ask("none", sent.method, url.pathname + url.search, {
        headers: Object.fromEntries(sent.headers),
        ...raw,
      });
    };
    const kept = new Map<string, unknown>();
    let opened: URL | undefined;
    const keep = (name: string) =>
      [() => kept.get(name) as never, (value: unknown) => void kept.set(name, value)] as const;
    const [clientInformation, saveClientInformation] = keep("client");
    const [tokens, saveTokens] = keep("tokens");
    const [codeVerifier, saveCodeVerifier] = keep("verifier");
    const [discoveryState, saveDiscoveryState] = keep("discovery");
    const authProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: "Claude Code", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
      redirectToAuthorization: (url: URL) => void (opened = url),
      clientInformation,
      saveClientInformation,
      tokens,
      saveTokens,
      codeVerifier,
      saveCodeVerifier,
      discoveryState,
      saveDiscoveryState,
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch: fetching, authProvider });
    const first = transport();
    await expect(new Client({ name: "test", version: "1" }).connect(first)).rejects.toThrow(UnauthorizedError);

    const page = await (await gateway.ask("cookie", "GET", opened!.pathname + opened!.search)).text();
    const form = new URLSearchParams(opened!.search);
    for (const [name, value] of [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, n, v]) => [n!, v!],
    ))
      form.set(name!, value!.replaceAll("&amp;", "&"));
    for (const [name, value] of Object.entries({
      decision: "connect",
      confirmed: "yes",
      agent: "claude-code",
      action: "propose-comment",
    }))
      form.set(name, value);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const done = await (
      await gateway.ask("cookie", "POST", "/oauth/authorize", { raw: form.toString(), headers })
    ).text();
    const back = new URL(/content="0;url=([^"]+)"/.exec(done)![1]!.replaceAll("&amp;", "&"));
    await first.finishAuth(back.searchParams);

    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport());
    const { tools } = await client.listTools();
    expect({
      shown: page.includes("<h1>Connect Claude Code?</h1>") && page.includes("127.0.0.1:7777"),
      named: page.includes('value="claude-code"'),
      back: [back.origin + back.pathname, back.searchParams.get("iss")],
      proposes: tools.map(({ name }) => name).filter((name) => name.startsWith("propose-")),
    }).toEqual({ shown: true, named: true, back: [REDIRECT, origin], proposes: ["propose-comment"] });
  });

  test("A-3 the tokens are those of an outside agent with the chosen grant: listed, audited and revoked like others", async () => {
    const { answer, exchange, client, ask } = await oauthFlow();
    const { address } = await answer({ action: ["propose-comment"], folder: "notes/porch/", per_minute: "7" });
    const { status, body } = await exchange(proof(address!.searchParams.get("code")!, client));
    const { contract } = (await (await ask("token", "GET", "/agents/some-program")).json()) as {
      contract: Record<string, unknown>;
    };
    const listed = (await (await ask("token", "GET", "/tokens")).json()) as {
      tokens: { id: string; agent?: string }[];
    };
    const { id } = listed.tokens.find(({ agent }) => agent === "some-program")!;
    const before = await ask("none", "GET", "/me", bearer(body["access_token"]!));
    await ask("token", "DELETE", `/tokens/${id}`);
    const after = await ask("none", "GET", "/me", bearer(body["access_token"]!));
    const refreshed = await exchange({
      grant_type: "refresh_token",
      client_id: client,
      refresh_token: body["refresh_token"],
    });
    expect({
      answer: [address!.searchParams.get("state"), status, body["token_type"], body["expires_in"]],
      contract: [contract["safe_outputs"], contract["context"], contract["budget"]],
      used: [before.status, after.status],
      refreshed: [refreshed.status, refreshed.body["error"]],
    }).toEqual({
      answer: ["s1", 200, "Bearer", 14_400],
      contract: [["propose-comment"], { folder: "notes/porch", max_sources: 10 }, { changes_per_minute: 7 }],
      used: [200, 401],
      refreshed: [400, "invalid_grant"],
    });
  });

  test("A-3 nothing is granted without the tick, after a refusal, or to another agent's name without a second answer", async () => {
    const { answer, garden, ask } = await oauthFlow();
    const { store } = garden;
    const unticked = await answer({ confirmed: undefined });
    const refused = await answer({ decision: "refuse" });
    const other = await answer({ agent: "archivist" });
    const none = await answer({ action: undefined });
    const strange = await answer({ action: ["logic-update", "propose-merge"] });
    const wrong = await answer({ agent: "Not A Slug" });
    const made = await store.get("agents/some-program/_agent.md");
    const same = await answer({ agent: "archivist", existing: "archivist" });
    const sleeping = await answer({ agent: "sleeper", existing: "sleeper" });
    const audit = (await (await ask("token", "GET", "/audit")).json()) as { records: { record: { kind: string } }[] };
    expect({
      again: [unticked, other, none, strange, wrong, sleeping].map(({ address }) => address),
      refused: [refused.address!.searchParams.get("error"), refused.address!.searchParams.get("code")],
      contract: other.text.includes("propose-edit"),
      made,
      same: same.address!.searchParams.has("code"),
      agents: audit.records.filter(({ record: { kind } }) => kind === "agent-created"),
    }).toEqual({
      again: Array.from({ length: 6 }, () => undefined),
      refused: ["access_denied", null],
      contract: true,
      made: undefined,
      same: true,
      agents: [],
    });
  });

  test("A-3 the page asks a visitor to sign in, opens itself again first, and lets no other page send the form", async () => {
    const flow = await oauthFlow();
    const path = `/oauth/authorize?response_type=code&client_id=${flow.client}&redirect_uri=${encodeURIComponent(REDIRECT)}&code_challenge=${"a".repeat(43)}&code_challenge_method=S256`;
    const first = await flow.ask("none", "GET", path);
    const second = await flow.ask("none", "GET", `${path}&again=1`);
    const forged = await flow.ask("cookie", "POST", "/oauth/authorize", {
      raw: "decision=connect",
      headers: { origin: undefined, "content-type": "application/x-www-form-urlencoded" },
    });
    const foreign = await flow.ask("cookie", "POST", "/oauth/authorize", {
      raw: "decision=connect",
      headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    });
    const shown = await flow.page();
    const text = await shown.text();
    expect({
      reload: (await first.text()).includes("again=1"),
      signIn: (await second.text()).includes("bloom token link"),
      forged: [forged.status, foreign.status],
      framed: [
        shown.headers.get("x-frame-options"),
        shown.headers.get("content-security-policy")!.includes("frame-ancestors 'none'"),
      ],
      firstButton: text.indexOf('value="refuse"') < text.indexOf('value="connect"'),
      focus: text.includes("autofocus"),
    }).toEqual({
      reload: true,
      signIn: true,
      forged: [403, 403],
      framed: ["DENY", true],
      firstButton: true,
      focus: false,
    });
  });

  test("A-5 the documents name the address that the program uses, also behind a proxy, and a refusal names the document", async () => {
    const { ask } = await testGateway();
    const resource = async (headers: Record<string, string>): Promise<unknown> => {
      const answer = await ask("none", "GET", "/.well-known/oauth-protected-resource/mcp", { headers });
      return ((await answer.json()) as { resource: string }).resource;
    };
    const issuer = await ask("none", "GET", "/.well-known/oauth-authorization-server");
    const refused = await ask("none", "POST", "/mcp", { body: {} });
    expect({
      here: await resource({}),
      proxy: await resource({ "x-forwarded-host": "garden.example", "x-forwarded-proto": "https" }),
      strange: await resource({ "x-forwarded-host": "a b/<script>" }),
      methods: ((await issuer.json()) as Record<string, unknown>)["code_challenge_methods_supported"],
      refused: [refused.status, refused.headers.get("www-authenticate")],
    }).toEqual({
      here: "http://localhost:4440/mcp",
      proxy: "https://garden.example/mcp",
      strange: "http://localhost:4440/mcp",
      methods: ["S256"],
      refused: [
        401,
        'Bearer realm="garden", resource_metadata="http://localhost:4440/.well-known/oauth-protected-resource/mcp"',
      ],
    });
  });
});
