import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { routes } from "../src/gateway/routes.ts";

/**
 * Every verb of the command line, and the endpoint by which the web app does the same. A page of the app in place of an endpoint:
 * the browser does it by itself.
 */
const table = `
status              GET /status
gardens list        GET /gardens
gardens forget      DELETE /gardens/:id
token new           POST /tokens
token agent         POST /tokens/agent
token list          GET /tokens
token revoke        DELETE /tokens/:id
agent new           POST /agents
agent templates     GET /agent-templates
agent export        GET /agents/:slug/export
agent import        POST /agents
import gh-aw        POST /imports
import skill        POST /imports
import subagent     POST /imports
import agents-md    POST /imports
import kv           POST /imports/kv
legacy list         GET /legacy
legacy show         GET /legacy/:id
export skill        GET /agents/:slug/skill
agent list          GET /agents
agent show          GET /agents/:slug
agent check         GET /agents/:slug/contract
agent edit          PUT /agents/:slug/contract
agent artifacts     GET /agents/:slug/artifacts
agent activate      PATCH /agents/:slug/status
agent pause         PATCH /agents/:slug/status
agent resume        PATCH /agents/:slug/status
agent archive       PATCH /agents/:slug/status
agent restore       PATCH /agents/:slug/status
agent token         POST /agents/:slug/tokens
agent tokens        GET /agents/:slug/tokens
agent allow         PATCH /agents/:slug/outputs
agent forbid        PATCH /agents/:slug/outputs
agent delete        DELETE /agents/:slug
run                 POST /agents/:slug/run
runs list           GET /runs
runs figures        GET /runs/figures
runs show           GET /runs/:run
runs logs           GET /runs/:run/steps
runs cancel         POST /runs/:run/cancel
runs fork           POST /runs/:run/fork
runs what-if        POST /requests/:id/what-if
runs compare        GET /runs/:run/compare
sandbox list        GET /sandbox
sandbox show        GET /sandbox/:id
sandbox promote     POST /sandbox/:id/promote
sandbox discard     POST /sandbox/:id/discard
session fork        POST /runs/:run/fork
runs move           POST /runs/:run/move
runs resume         POST /requests/:id/answer
requests list       GET /requests
requests answer     POST /requests/:id/answer
notify list         GET /notify
notify test         POST /notify/test
notify devices      GET /notify/devices
notify forget       DELETE /notify/devices/:id
model list          GET /models
model test          POST /models/test
settings show       GET /settings
settings get        GET /settings
settings set        PATCH /settings
settings unset      PATCH /settings
settings rules      GET /settings/rules/figures
audit list          GET /audit
audit bundle        GET /audit/bundle
event list          GET /events/recent
event publish       POST /events
logic show          GET /logic/:agentId/read
logic versions      GET /logic/:agentId/versions
logic diff          GET /logic/:agentId/diff
logic performance   GET /logic/:agentId/performance
logic heat          GET /logic/:agentId/heat
logic changelog     GET /logic/:agentId/versions
logic rationale     GET /logic/:agentId/versions/:version/rationale
logic rollback      POST /logic/:agentId/rollback
propose note        POST /inbox/submit
propose edit        POST /inbox/submit
propose tag         POST /inbox/submit
propose comment     POST /inbox/submit
propose summary     POST /inbox/submit
propose artifact    POST /inbox/submit
propose memory      POST /memory/:agentId/propose
propose logic       POST /inbox/submit
propose merge       POST /inbox/submit
propose rollback    POST /logic/:agentId/rollback
proposals list      GET /proposals/pending
proposals show      GET /proposals/:id
proposals report    POST /proposals/:id/report
proposals approve   PATCH /proposals/:id
proposals reject    PATCH /proposals/:id
proposals send-back PATCH /proposals/:id
proposals comment   POST /proposals/:id/remarks
proposals edit      PATCH /proposals/:id
proposals retry     PATCH /proposals/:id
proposals resolve   POST /proposals/:id/resolve
review              PATCH /proposals/:id
inbox list          GET /inbox/entries
inbox show          GET /inbox/entries
inbox stats         GET /inbox/stats
note list           GET /notes
note show           GET /notes/:path
note history        GET /lines/:path
note find           GET /search
note tags           GET /tags
note links          GET /links/:path
note graph          GET /graph
note ask            POST /ask
note new            POST /inbox/submit
note edit           POST /inbox/submit
memory show         GET /memory/:agentId/read
memory facts        GET /memory/:agentId/facts
memory search       GET /memory/:agentId/search
memory diff         GET /memory/:agentId/diff
memory history      GET /memory/:agentId/history
memory report       GET /memory/:agentId/runs/:run
memory snapshot     POST /memory/:agentId/snapshots
memory snapshots    GET /memory/:agentId/snapshots
memory restore      POST /memory/:agentId/restore
revert              POST /proposals/:id/revert
withdraw            POST /proposals/:id/withdraw
why                 GET /audit/why
verify              POST /verify
backup              POST /backups
fetch               POST /remotes/:name/fetch
pull                POST /remotes/:name/pull
push                POST /remotes/:name/push
maintain            POST /maintain
session list        GET /sessions
session show        GET /sessions/:name
session log         GET /sessions/:name
session trace       GET /traces/:commit
session history     GET /traces/:commit
session graph       GET /session-graph
session spawn       POST /sessions
session merge       POST /sessions/:name/merge
session resolve     POST /sessions/:name/resolve
session rebind      POST /traces/rebind
session adopt       POST /sessions/:name/adopt
session archive     POST /sessions/:name/archive
session restore     POST /sessions/:name/restore
session delete      DELETE /session-archive/:name
session requests    GET /session-requests
session kinds       GET /session-kinds
session new-kind    POST /session-kinds
session review      POST /session-reviews
session reviews     GET /sessions/:name
peer follow         PUT /federation/gardens/:name/sessions
peer identity       POST /federation/identity
peer list           GET /federation
peer add            POST /federation/gardens
peer remove         DELETE /federation/gardens/:name
peer accept         POST /federation/gardens/:name/look
peer rotate         POST /federation/identity/rotate
peer tell           PUT /federation/gardens/:name/news
peer grants         GET /federation
peer grant          POST /federation/grants
peer revoke         DELETE /federation/grants/:id
peer publish        POST /federation/publications
peer merge          POST /inbox/submit
library list        GET /library
library show        GET /library/:id
library compare     GET /library/:id/compare
library replay      POST /library/:id/replay
library adopt       POST /library/:id/adopt
library publish     POST /library/publish
library export      GET /library/:id/file
library import      POST /library/files
library statistics  GET /library/statistics
library withdraw    POST /library/:id/withdraw
library suggestions GET /library/suggestions
library dismiss     POST /library/suggestions/:id/dismiss
session decide      POST /sessions/:name/decide
trace history       GET /traces/:commit
trace rebind        POST /traces/rebind
diagram check       /agents/$slug/diagram
diagram tree        /agents/$slug/diagram
diagram render      /agents/$slug/diagram
diagram draw        /agents/$slug/diagram
diagram diff        /agents/$slug/logic
diagram export      /agents/$slug/diagram
diagram new         /agents/$slug/diagram
diagram gallery     /agents
`;

/** Verbs that a browser cannot have: they make or start the garden that serves it, or concern the terminal. */
const terminalOnly = [
  "init",
  "demo",
  "up",
  "token link",
  "mcp serve",
  "mcp install",
  "session exec",
  "audit check",
  "peer backup-key",
  "peer restore-key",
  "restore",
  "move",
  "upgrade",
  "help",
  "version",
  "completion",
  "complete-names",
];

/** Verbs whose page is not there yet. */
const noPageYet = ["library name"];

const rows = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => line.split(/ {2,}| (?=(?:GET|POST|PUT|PATCH|DELETE) \/)/) as [string, string]),
);

const verbs = commands.flatMap(({ name, subcommands = [] }) =>
  subcommands.length === 0 ? [name] : subcommands.map(({ word }) => `${name} ${word}`),
);

const web = join(import.meta.dirname, "../web/src");
const app = (readdirSync(web, { recursive: true }) as string[])
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".gen.ts"))
  .map((path) => readFileSync(join(web, path), "utf8"))
  .join("\n");

test("U-1 every verb of the command line has its place in the browser, or a reason why it cannot", () => {
  expect([...rows.keys(), ...terminalOnly, ...noPageYet].toSorted()).toEqual(verbs.toSorted());
});

test("U-1 every endpoint that stands for a verb exists, and the web app calls it", () => {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]*\}/g, "")}`));
  // A download is a link: its address stands in the page.
  const called = (place: string): boolean =>
    app.includes(`"${place}`) || app.includes(place.replace("GET ", "`").replaceAll(/:(\w+)/g, "${$1}"));
  const missing = [...new Set(rows.values())].filter((place) =>
    place.startsWith("/") ? !app.includes(`at("${place}")`) : !known.has(place) || !called(place),
  );
  expect(missing).toEqual([]);
});
