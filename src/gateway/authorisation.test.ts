import { expect, test } from "vitest";
import { MAIN_REF } from "../domain/layout.ts";
import { issueAgentToken } from "../garden/agents/access/agent-tokens.ts";
import { type OauthClient, registerOauthClient } from "../garden/agents/access/oauth/oauth-clients.ts";
import { challengeOf, makeOauthCode } from "../garden/agents/access/oauth/oauth-codes.ts";
import { makeOauthGrant } from "../garden/agents/access/oauth/oauth-grants.ts";
import { makeSignInCode } from "../garden/agents/access/sign-in.ts";
import { makeToken } from "../garden/agents/access/tokens.ts";
import { takeSnapshot } from "../garden/agents/memory/memory-snapshot.ts";
import type { RunPlace } from "../garden/core/flow/journal.ts";
import { realPause } from "../garden/core/flow/pause.ts";
import type { Garden } from "../garden/core/garden.ts";
import { readAgent } from "../garden/records/agents/read-agent.ts";
import { askPerson } from "../garden/runs/hold.ts";
import { requestRun } from "../garden/runs/request-run.ts";
import { files, git } from "../garden/testing/scratch.ts";
import { proof, REDIRECT, VERIFIER } from "./oauth/testing/oauth-flow.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";
import { authorisationTable } from "./testing/authorisation-table.ts";
import { oddities, printedCells } from "./testing/refusal-body.ts";
import { callerKinds, ENDED_RUN, type TestCall, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const openRun = async (garden: Garden): Promise<RunPlace> => {
  const { run_id: run } = await requestRun(garden, { slug: "archivist", trigger: "manual", by: "owner" });
  return { slug: "archivist", run };
};

type Sample = (ground: TestGateway, count: number) => Promise<{ path: string } & TestCall>;
const at =
  (path: string, body?: unknown): Sample =>
  async () => ({ path, body });

/** A part of a new proposal. */
const ofProposal =
  (part: string, body?: unknown): Sample =>
  async (ground) => ({ path: `/proposals/${(await ground.proposal()).id}${part}`, body });

const setting =
  (list: string): Sample =>
  async (ground) => {
    const { base, items } = (await (await ground.ask("token", "GET", `/settings/${list}`)).json()) as {
      base: string;
      items: unknown[];
    };
    return { path: `/settings/${list}`, body: { base, items } };
  };

async function authorizeQuery({ garden }: TestGateway): Promise<string> {
  const client = await registerOauthClient(garden, { name: "Program", redirects: [REDIRECT] });
  return new URLSearchParams({
    response_type: "code",
    client_id: (client as OauthClient).id,
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
  }).toString();
}

/** A valid request for each endpoint; made anew for each call if a call consumes something. */
const samples: Readonly<Record<string, Sample>> = {
  "GET /sign-in": async ({ garden, at: setTime }, count) => {
    setTime(Date.parse("2026-02-14T09:00:00Z") + count * 60_000); // ten attempts a minute
    return { path: `/sign-in?code=${(await makeSignInCode(garden)).code}` };
  },
  "POST /inbox/submit": async (_, count) => ({
    path: "/inbox/submit",
    body: { intent: { action: "propose-comment", payload: { note: "notes/porch/b.md", text: `Number ${count}` } } },
  }),
  "POST /proposals/batch": async (ground) => {
    const { id, digest } = await ground.proposal();
    return { path: "/proposals/batch", body: { verdict: "approve", proposals: [{ id, digest }] } };
  },
  "GET /proposals/:id": ofProposal(""),
  "GET /proposals/:id/file": ofProposal("/file?path=notes/none.md"),
  "GET /proposals/:id/files": ofProposal("/files"),
  "GET /proposals/:id/conflicts": ofProposal("/conflicts"),
  "POST /proposals/:id/resolve": ofProposal("/resolve", { files: { "notes/none.md": "text" } }),
  "GET /proposals/:id/remarks": ofProposal("/remarks"),
  "POST /proposals/:id/remarks": ofProposal("/remarks", { text: "Which link?" }),
  "GET /proposals/:id/report": ofProposal("/report"),
  "POST /proposals/:id/report": ofProposal("/report"),
  "PATCH /proposals/:id": async (ground) => {
    const { id, digest } = await ground.proposal();
    return { path: `/proposals/${id}`, body: { verdict: "reject", digest, note: "Not now" } };
  },
  "POST /proposals/:id/withdraw": ofProposal("/withdraw"),
  "POST /proposals/:id/revert": ofProposal("/revert", { reason: "A mistake" }),
  "PATCH /agents/:slug/own-values": at("/agents/archivist/own-values", { approve: false }),
  "GET /logic/:agentId/read": at("/logic/archivist/read"),
  "POST /logic/:agentId/propose": async (_, count) => ({
    path: "/logic/archivist/propose",
    body: {
      currentVersion: "v001",
      proposedPseudo: `Do what is asked, ${count} times.\n`,
      rationale: "It is better",
      evidenceRuns: [ENDED_RUN],
    },
  }),
  "GET /logic/:agentId/diff": at("/logic/archivist/diff?from=v001&to=current"),
  "GET /logic/:agentId/performance": at("/logic/archivist/performance"),
  "GET /logic/:agentId/versions": at("/logic/archivist/versions"),
  "GET /logic/:agentId/changelog": at("/logic/archivist/changelog"),
  "GET /logic/:agentId/versions/:version/rationale": at("/logic/archivist/versions/v001/rationale"),
  "GET /logic/:agentId/heat": at("/logic/archivist/heat"),
  "POST /logic/:agentId/rollback": at("/logic/archivist/rollback", { toVersion: "v777", reason: "x" }),
  "GET /memory/:agentId/read": at("/memory/archivist/read?mode=wide"),
  "GET /memory/:agentId/search": at("/memory/archivist/search?q=tree"),
  "GET /memory/:agentId/facts": at("/memory/archivist/facts"),
  "GET /memory/:agentId/diff": at("/memory/archivist/diff?from=2026-02-01"),
  "GET /memory/:agentId/history": at("/memory/archivist/history"),
  "GET /memory/:agentId/runs/:run": at("/memory/archivist/runs/run_2026-02-13_080000_cccccc"),
  "POST /memory/:agentId/propose": async (_, count) => ({
    path: "/memory/archivist/propose",
    body: { operations: [{ op: "append", file: "facts.md", text: `Fact ${count}` }], expectedVersion: 1 },
  }),
  "POST /memory/:agentId/snapshots": at("/memory/archivist/snapshots"),
  "GET /memory/:agentId/snapshots": at("/memory/archivist/snapshots"),
  "GET /memory/:agentId/snapshots/:snapshot": async ({ garden }) => {
    const { id } = await takeSnapshot(garden, (await garden.repo.resolve(MAIN_REF))!, "archivist");
    return { path: `/memory/archivist/snapshots/${id}` };
  },
  "POST /memory/:agentId/restore": async ({ dir }, count) => {
    const former = git(dir, "rev-parse", "HEAD");
    files(dir, { "memory/archivist/facts.md": `# Facts: archivist\n\n- Fact ${count}\n` });
    git(dir, "commit", "-qam", "By hand");
    return { path: "/memory/archivist/restore", body: { from: former } };
  },
  "POST /agents/run": at("/agents/run", { slug: "archivist" }),
  "POST /agents/:slug/run": at("/agents/archivist/run", { input: { note: "notes/a.md" } }),
  "GET /runs/:run": at(`/runs/${ENDED_RUN}`),
  "GET /runs/:run/steps": at(`/runs/${ENDED_RUN}/steps?after=1`),
  "POST /runs/:run/cancel": async ({ garden }) => ({
    path: `/runs/${(await openRun(garden)).run}/cancel`,
    body: { why: "Not now" },
  }),
  "GET /runs/:run/move": at(`/runs/${ENDED_RUN}/move`),
  "POST /runs/:run/move": at(`/runs/${ENDED_RUN}/move`, {}),
  "POST /runs/:run/fork": at(`/runs/${ENDED_RUN}/fork`, { at: 1 }),
  "POST /requests/:id/answer": async ({ garden }) => {
    const ask = { question: "Which one?", form: "choice" as const, options: ["this", "that"] };
    const ground = { ...garden, pause: realPause };
    const { request } = await askPerson(ground, await openRun(garden), { tag: "01", reason: "asked", ask });
    return { path: `/requests/${request.id}/answer`, body: { value: { choice: "this" } } };
  },
  "GET /agents/:slug": at("/agents/archivist"),
  "GET /agents/:slug/contract": at("/agents/archivist/contract"),
  "GET /agents/:slug/diagrams": at("/agents/archivist/diagrams"),
  "GET /agents/:slug/parameters": at("/agents/archivist/parameters"),
  "GET /agents/:slug/skill": at("/agents/archivist/skill"),
  "GET /agents/:slug/export": at("/agents/archivist/export"),
  "POST /imports/check": at("/imports/check", { format: "gh-aw", files: [{ path: "a.md", text: "# A" }] }),
  "POST /imports/kv/check": at("/imports/kv/check", { dump: "[]" }),
  "POST /imports/kv": at("/imports/kv", { dump: "[]", digest: "other" }),
  "GET /legacy": at("/legacy"),
  "GET /legacy/:id": at("/legacy/none"),
  "POST /imports": at("/imports", { format: "gh-aw", files: [{ path: "a.md", text: "# A" }], digest: "other" }),
  "POST /agents/:slug/contract/check": at("/agents/archivist/contract/check", { text: "" }),
  "POST /agents/:slug/try": at("/agents/archivist/try", {}),
  "GET /agents/:slug/artifacts": at("/agents/archivist/artifacts"),
  "GET /agents/:slug/artifacts/:path": async ({ garden }) => {
    await garden.store.create("agents/archivist/artifacts/plans/spring.md", Buffer.from("# Spring\n"));
    return { path: "/agents/archivist/artifacts/plans/spring.md" };
  },
  "GET /agents/:slug/status": at("/agents/archivist/status"),
  "PATCH /agents/:slug/outputs": at("/agents/sleeper/outputs", { action: "logic-update", allowed: true }),
  "POST /agents": async (_, count) => ({ path: "/agents", body: { slug: `new-${count}`, from: { kind: "prose" } } }),
  "PUT /agents/:slug/contract": async ({ garden }) => {
    const { text, hash } = await readAgent(garden.store, "archivist");
    return { path: "/agents/archivist/contract", body: { text, base: hash } };
  },
  "DELETE /agents/:slug": at("/agents/archivist?confirm=archivist"), // active: the owner gets a conflict
  "PATCH /agents/:slug/status": async ({ garden }) => {
    const { contract } = await readAgent(garden.store, "sleeper");
    return { path: "/agents/sleeper/status", body: { status: contract.status === "draft" ? "archived" : "draft" } };
  },
  "GET /notes/:path": at("/notes/notes/cellar/c.md"),
  "GET /files/:path": at("/files/notes/cellar/c.svg"),
  "GET /public.git/info/refs": at("/public.git/info/refs?service=git-upload-pack"), // the garden serves no public space
  "GET /search": at("/search?q=secret"),
  "POST /ask": at("/ask", { question: "secret" }),
  "GET /links/:path": at("/links/notes/cellar/c.md"),
  "GET /tags/:tag": at("/tags/cellar"),
  "GET /mentions/:path": at("/mentions/notes/cellar/c.md"),
  "GET /lines/:path": at("/lines/notes/cellar/c.md"),
  "POST /federation/gardens": async (_, count) => ({
    path: "/federation/gardens",
    body: { name: `alice-${count}`, url: "https://example.org/a.git", key: `SHA256:${"a".repeat(43)}` },
  }),
  "POST /federation/gardens/:name/look": at("/federation/gardens/nobody/look"),
  "PUT /federation/gardens/:name/sessions": at("/federation/gardens/nobody/sessions", { sessions: [] }),
  "GET /federation/gardens/:name/sessions/:session": at("/federation/gardens/nobody/sessions/scout"),
  "GET /federation/gardens/:name/sessions/:session/changes": at("/federation/gardens/nobody/sessions/scout/changes"),
  "GET /federation/gardens/:name/sessions/:session/traces": at("/federation/gardens/nobody/sessions/scout/traces"),
  "GET /federation/gardens/:name/sessions/:session/commits/:commit": at(
    `/federation/gardens/nobody/sessions/scout/commits/${"a".repeat(40)}`,
  ),
  "DELETE /federation/gardens/:name": at("/federation/gardens/nobody"),
  "PUT /federation/gardens/:name/key": at("/federation/gardens/nobody/key", {
    url: "https://example.org/a.git",
    key: `SHA256:${"a".repeat(43)}`,
  }),
  "PUT /federation/gardens/:name/news": at("/federation/gardens/nobody/news", {}),
  // Nobody is followed, so nobody's signature counts.
  "POST /federation/news": at("/federation/news", {
    garden: `SHA256:${"a".repeat(43)}`,
    tip: "a".repeat(40),
    at: "2026-02-14T08:00:00Z",
    signature: "x",
  }),
  "POST /federation/grants": at("/federation/grants", { peer: "nobody", agenticType: "finding", trigger: "spawn" }),
  "DELETE /federation/grants/:id": at(`/federation/grants/${"a".repeat(40)}`),
  "POST /federation/publications": at("/federation/publications", {}),
  "POST /library/suggestions/:id/dismiss": at(`/library/suggestions/${"a".repeat(16)}/dismiss`, { reason: "x" }),
  "GET /library/:id": at(`/library/${"a".repeat(40)}`),
  "GET /library/:id/compare": at(`/library/${"a".repeat(40)}/compare?agent=archivist`),
  "POST /library/names": at("/library/names", { agent: "archivist", name: "Tidy" }),
  "POST /library/:id/replay": at(`/library/${"a".repeat(40)}/replay`, { agent: "archivist" }),
  "POST /library/:id/adopt": at(`/library/${"a".repeat(40)}/adopt`, { agent: "archivist" }),
  "GET /library/:id/file": at(`/library/${"a".repeat(40)}/file`),
  "POST /library/publish": at("/library/publish", { agent: "archivist" }),
  "POST /library/:id/withdraw": at(`/library/${"a".repeat(40)}/withdraw`, {}),
  "POST /library/files": at("/library/files", { text: "{}" }),
  "GET /session-reviews": at("/session-reviews?session=alice/nothing"),
  "POST /session-reviews": at("/session-reviews", { session: "alice/nothing", outcome: "good", text: "Good" }),
  "POST /session-kinds": async (_, count) => ({
    path: "/session-kinds",
    body: { name: `leak-${count}`, parent: "finding" },
  }),
  "POST /sessions": async (_, count) => ({ path: "/sessions", body: { name: `helper-${count}`, goal: "Look" } }),
  "POST /requests/:id/what-if": at("/requests/req_2026-02-14_080000_zzzzzz_01/what-if", { value: { text: "x" } }),
  "GET /runs/:run/compare": at("/runs/run_2026-02-14_080000_zzzzzz/compare?with=run_2026-02-14_080000_yyyyyy"),
  "GET /sandbox": at("/sandbox"),
  "GET /sandbox/:id": at("/sandbox/sand_2026-02-14_080000_zzzzzz_05"),
  "POST /sandbox/:id/promote": at("/sandbox/sand_2026-02-14_080000_zzzzzz_05/promote", {}),
  "POST /sandbox/:id/discard": at("/sandbox/sand_2026-02-14_080000_zzzzzz_05/discard", {}),
  "GET /session-requests": at("/session-requests"),
  "POST /sessions/:name/decide": at("/sessions/scout/decide", { value: { text: "x" } }),
  "POST /sessions/:name/merge": at("/sessions/scout/merge", { from: "nobody" }),
  "POST /sessions/:name/adopt": at("/sessions/scout/adopt", {}),
  "DELETE /session-archive/:name": at("/session-archive/scout"),
  "POST /sessions/:name/archive": at("/sessions/scout/archive"),
  "POST /sessions/:name/restore": at("/sessions/scout/restore", {}),
  "POST /sessions/:name/resolve": at("/sessions/scout/resolve", {
    from: "nobody",
    ours: "0".repeat(40),
    theirs: "1".repeat(40),
    files: [],
  }),
  "GET /traces/:commit": at(`/traces/${"0".repeat(40)}`),
  "GET /sessions/:name": at("/sessions/scout"),
  "GET /sessions/:name/traces": at("/sessions/scout/traces"),
  "GET /sessions/:name/changes": at("/sessions/scout/changes"),
  "GET /sessions/:name/pending": at("/sessions/scout/pending"),
  "GET /sessions/:name/conflicts": at("/sessions/scout/conflicts?from=helper"),
  "GET /sessions/:name/commits/:commit": at(`/sessions/scout/commits/${"a".repeat(40)}`),
  "GET /session-graph": at("/session-graph?names=scout"),
  "GET /audit/why": at("/audit/why?subject=notes/a.md"),
  "GET /audit/story": at("/audit/story?subject=notes/a.md"),
  "GET /audit/story/file": at("/audit/story/file?subject=notes/a.md"),
  "POST /audit/commits/:commit/approved": at(`/audit/commits/${"0".repeat(40)}/approved`, {}),
  "POST /audit/commits/:commit/keep": at(`/audit/commits/${"0".repeat(40)}/keep`, { reason: "x" }),
  "POST /events": at("/events", { name: "mail/received", subject: "letter 7" }),
  "PUT /settings/rules": setting("rules"),
  "PUT /settings/zones": setting("zones"),
  "PUT /settings/webhooks": setting("webhooks"),
  "PUT /settings/grants": setting("grants"),
  "PUT /settings/notify": setting("notify"),
  "POST /notify/devices": at("/notify/devices", {
    name: "Phone",
    endpoint: "https://push.example/1",
    p256dh: `B${"A".repeat(86)}`,
    auth: "A".repeat(22),
  }),
  "DELETE /notify/devices/:id": at("/notify/devices/0123456789abcdef"),
  "POST /notify/test": at("/notify/test", {}),
  "DELETE /gardens/:id": at("/gardens/0123456789abcdef"),
  "POST /verify": at("/verify", {}),
  "POST /maintain": at("/maintain", {}),
  "POST /backups": at("/backups", {}),
  "GET /backups/:name": at("/backups/none"),
  "POST /remotes/:name/fetch": at("/remotes/origin/fetch", {}),
  "POST /remotes/:name/pull": at("/remotes/origin/pull", {}),
  "POST /remotes/:name/push": at("/remotes/origin/push", {}),
  "PATCH /settings": at("/settings", { key: "name", value: "Rose" }),
  "POST /models/test": at("/models/test", { id: "bloom/follower" }),
  "GET /agents/:slug/tokens": at("/agents/archivist/tokens"),
  "POST /agents/:slug/tokens": async (_, n) => ({ path: "/agents/archivist/tokens", body: { name: `laptop-${n}` } }),
  "DELETE /agents/:slug/tokens/:name": async ({ garden }, count) => {
    const name = `gone-${count}`;
    await issueAgentToken(garden, { slug: "archivist", name, by: "owner" });
    return { path: `/agents/archivist/tokens/${name}` };
  },
  "POST /tokens/agent": async (_, n) => ({ path: "/tokens/agent", body: { agent: `outside-${n}` } }),
  "POST /mcp": async () => ({
    path: "/mcp",
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  }),
  "POST /oauth/register": at("/oauth/register", { redirect_uris: [REDIRECT] }),
  "POST /oauth/token": async ({ garden }) => {
    const grant = await makeOauthGrant(garden, { client: "program", agent: "archivist" });
    const code = await makeOauthCode(garden, {
      client: "program",
      redirect: REDIRECT,
      challenge: challengeOf(VERIFIER),
      grant,
    });
    return {
      path: "/oauth/token",
      raw: new URLSearchParams(proof(code, "program") as Record<string, string>).toString(),
    };
  },
  "GET /oauth/authorize": async (ground) => ({ path: `/oauth/authorize?${await authorizeQuery(ground)}` }),
  "POST /oauth/authorize": async (ground) => ({
    path: "/oauth/authorize",
    raw: `${await authorizeQuery(ground)}&decision=refuse`,
  }),
  "POST /tokens": at("/tokens", { kind: "owner", name: "script" }),
  "GET /agent-templates/:id": at("/agent-templates/nothing"),
  "DELETE /tokens/:id": async ({ garden }) => ({
    path: `/tokens/${(await makeToken(garden, { kind: "owner", name: "x" }, "owner")).id}`,
  }),
};

const nameOf = ({ method, path }: Route): string => `${method} ${path.replace(/\{.*\}$/, "")}`;

const expected = new Map(
  authorisationTable
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [method, path, ...cells] = line.trim().split(/\s+/);
      return [`${method} ${path}`, cells.map(Number)] as const;
    }),
);

test("A-3 the table names every endpoint, and no other", () => {
  expect([...expected.keys()].toSorted()).toEqual(routes.map(nameOf).toSorted());
});

test("A-3 every endpoint answers every caller as the table says, and every refusal has the error body", async () => {
  const ground = await testGateway();
  await ground.inRun("archivist", ENDED_RUN); // the evidence of a change of logic
  const found = new Map<string, number[]>();
  const odd: string[] = [];
  let count = 0;
  for (const route of routes) {
    const name = nameOf(route);
    const cells: number[] = [];
    for (const who of callerKinds) {
      const { path, ...asked } = await (samples[name] ?? at(route.path))(ground, ++count);
      const answer = await ground.ask(who, route.method, path, asked);
      cells.push(answer.status);
      odd.push(...(await oddities(answer, who)).map((what) => `${name} by ${who}: ${what}`));
    }
    found.set(name, cells);
  }
  process.stdout.write(`${printedCells(found)}\n`);
  expect(odd).toEqual([]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
