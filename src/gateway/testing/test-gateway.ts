import { localReader } from "../../adapters/reader/local/local-reader.ts";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import type { World } from "../../base/world.ts";
import { commandLineOwner, type Identity } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { webhookSignature } from "../../domain/webhook-signature.ts";
import { makeToken, revokeToken, type TokenWish } from "../../garden/agents/access/tokens.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import { sampleRun } from "../../garden/core/flow/testing/sample-run.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { cancelRun } from "../../garden/runs/cancel-run.ts";
import { portsWith } from "../../garden/runs/testing/agent-ground.ts";
import { files, gardenWith, git, testPorts } from "../../garden/testing/scratch.ts";
import { gatewayApp } from "../app.ts";
import { cookieName } from "../authenticate.ts";
import type { GatewayRuns } from "../route.ts";

/** The real app over a real garden in which every kind of identity has something to do. */
export const START = Date.parse("2026-02-14T08:00:00Z");
const RUN = "run_2026-02-14_075900_aaaaaa";
export const ENDED_RUN = "run_2026-02-14_075800_bbbbbb";
export const SECRET = "a webhook's secret";

const CONFIG = `# Kept by hand.
version: 2
name: Rose
language: en
notify: [{ name: phone, command: [cat] }]
limits: { owner_per_minute: 100000, agent_per_minute: 100000, webhook_per_minute: 100000, guest_per_minute: 100000 }
zones:
  # the neighbours
  - { name: porch, folders: [notes/porch], actions: [propose-comment] }
webhooks:
  - { name: mail, secret_env: MAIL_SECRET, actions: [propose-comment] } # by the post office
`;

const contract = (slug: string, status: string, folder = ""): string => `---
name: ${slug}
slug: ${slug}
version: 1.0.0
description: Looks after things
model: bloom/follower
tools: [create-proposal, read-notes, propose-logic-update, propose-memory-update]
safe_outputs: [propose-comment, propose-edit, logic-update, memory-update]
${folder && `context: { folder: ${folder} }\n`}created_at: 2026-02-01T10:00:00Z
updated_at: 2026-02-01T10:00:00Z
created_by: owner
status: ${status}
---
Do what is asked.
`;

const META = {
  agentId: "archivist",
  logicVersion: "v001",
  activeSince: "2026-02-01T10:00:00Z",
  sourceProposal: "prop_2026-02-01_100000_aaaaaa",
  runsOnThisVersion: 0,
  successRate: null,
  avgTokensPerRun: null,
  optimizerLastAnalysis: null,
  optimizerRecommendation: "none",
  schemaVersion: "1.0",
};

const FILES = {
  "notes/a.md": "# A\n",
  "notes/porch/b.md": "# B\n\nOn the porch.\n",
  "notes/cellar/c.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
  "notes/cellar/c.md": "# C\n\nA secret of the house.\n",
  "logic/archivist/current.meta.json": `${JSON.stringify(META, null, 2)}\n`,
  "logic/archivist/current.pseudo.md": "# archivist v001\n\nDo what is asked.\n",
  "memory/archivist/facts.md": "# Facts: archivist\n\n- The lime tree is old.\n",
  "memory/archivist/runs/run_2026-02-13_080000_cccccc.md": "# run_2026-02-13_080000_cccccc: archivist\n\n- 08:00\n",
};

export const callerKinds = [
  "none",
  "cookie",
  "token",
  "agent",
  "other",
  "webhook",
  "guest",
  "expired",
  "forged",
  "revoked",
  "ended",
] as const;
/** `ended`: the token of an ended run; `other`: another agent. */
export type CallerKind = (typeof callerKinds)[number];

export interface TestCall {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  /** Undefined removes the header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TestGateway {
  readonly garden: Garden;
  readonly dir: string;
  /** Moves the clock. */
  readonly at: (time: number) => void;
  readonly ask: (who: CallerKind, method: string, path: string, asked?: TestCall) => Promise<Response>;
  /** A new pending proposal of the archivist. */
  readonly proposal: () => Promise<Proposal>;
  readonly token: (wish: TokenWish, seconds?: number) => Promise<string>;
  readonly inRun: (slug: string, run: string) => Promise<void>;
}

let now = START;

export async function testGateway(
  change: (garden: Garden) => Garden = (garden) => garden,
  options: { readonly pollMs?: number; readonly ended?: AbortSignal; readonly runs?: GatewayRuns | undefined } = {},
): Promise<TestGateway> {
  now = START;
  const { garden: made, dir } = await gardenWith(FILES, testPorts(uniqueWorld()));
  files(dir, {
    "garden.yaml": CONFIG,
    "agents/archivist/_agent.md": contract("archivist", "active", ""),
    "agents/gardener/_agent.md": contract("gardener", "active", "porch"),
    "agents/sleeper/_agent.md": contract("sleeper", "draft", ""),
  });
  git(dir, "add", "agents", "garden.yaml");
  git(dir, "commit", "-qm", "Settings");
  const garden = change(made);
  const app = gatewayApp(garden, {
    host: "127.0.0.1",
    allowedHosts: [],
    secretOf: (name) => (name === "MAIL_SECRET" ? SECRET : undefined),
    runs: idleRuns(made),
    ...options,
  });
  const token = async (wish: TokenWish, seconds?: number): Promise<string> =>
    (await makeToken(made, wish, "owner", seconds)).token;

  /** Runs are made at their first use. */
  const runs = new Map<string, Promise<unknown>>();
  const inRun = async (slug: string, run: string): Promise<void> => {
    const name = `${slug} ${run}`;
    if (!runs.has(name)) runs.set(name, sampleRun(made, { slug, run, complete: run === ENDED_RUN }));
    await runs.get(name);
  };
  const proofs = new Map<CallerKind, Record<string, string>>();
  const headersOf = async (who: CallerKind, bytes: Uint8Array): Promise<Record<string, string>> => {
    // A session ends at sign-out, and a signature is valid once; other credentials are reused.
    const proof = proofs.get(who) ?? (await proofOf(who, bytes));
    if (who !== "cookie" && who !== "webhook") proofs.set(who, proof);
    return proof;
  };
  const proofOf = async (who: CallerKind, bytes: Uint8Array): Promise<Record<string, string>> => {
    const bearer = async (wish: TokenWish, seconds?: number): Promise<Record<string, string>> => {
      if (wish.kind === "agent") await inRun(wish.slug, wish.run);
      return { authorization: `Bearer ${await token(wish, seconds)}` };
    };
    switch (who) {
      case "none":
        return {};
      case "cookie":
        return {
          cookie: `other=1; ${await cookieName(made, { headers: new Headers({ host: "localhost:4440" }) }, "owner")}=${await token({ kind: "session" })}`,
          origin: "http://localhost:4440",
        };
      case "token":
        return bearer({ kind: "owner", name: "script" });
      case "agent":
        return bearer({ kind: "agent", slug: "archivist", run: RUN });
      case "other":
        return bearer({ kind: "agent", slug: "gardener", run: RUN });
      case "guest":
        return bearer({ kind: "guest", zone: "porch" });
      case "expired":
        return bearer({ kind: "owner", name: "old" }, 0);
      case "ended":
        return bearer({ kind: "agent", slug: "archivist", run: ENDED_RUN });
      case "forged": {
        const good = await token({ kind: "owner", name: "script" });
        return { authorization: `Bearer ${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}` };
      }
      case "revoked": {
        const { id, token: once } = await makeToken(made, { kind: "owner", name: "script" }, "owner");
        await revokeToken(made, id, "owner");
        return { authorization: `Bearer ${once}` };
      }
      case "webhook":
        return signedHeaders(bytes);
    }
  };

  let count = 0;
  return {
    garden: made,
    dir,
    at: (time) => (now = time),
    token,
    inRun,
    async ask(who, method, path, asked = {}) {
      const text = asked.raw ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
      const bytes = text === undefined ? undefined : Buffer.from(text);
      const request = new Request(`http://localhost:4440${path}`, {
        method,
        headers: Object.entries({
          host: "localhost:4440",
          ...(bytes && { "content-type": "application/json" }),
          ...(await headersOf(who, bytes ?? new Uint8Array())),
          ...asked.headers,
        }).filter((header): header is [string, string] => header[1] !== undefined),
        ...(bytes && { body: new Uint8Array(bytes) }),
      });
      return await app.fetch(request);
    },
    async proposal() {
      const by: Identity = { type: "agent", slug: "archivist", run: RUN };
      await inRun(by.slug, RUN);
      return proposeThought(made, by, `Thought ${++count}`);
    },
  };
}

/** A comment on a note as a pending proposal. */
export async function proposeThought(
  garden: Garden,
  by: Identity = commandLineOwner,
  text = "A thought",
): Promise<Proposal> {
  const received = await receive(garden, {
    identity: by,
    action: "propose-comment",
    payload: { note: "notes/porch/b.md", text },
    summary: text,
  });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

export function signedHeaders(
  body: Uint8Array,
  timestamp = String(Math.floor(now / 1000)),
  secret = SECRET,
): Record<string, string> {
  return {
    "x-bloom-webhook": "mail",
    "x-bloom-timestamp": timestamp,
    "x-bloom-signature": webhookSignature(secret, timestamp, body),
  };
}

/** A healthy engine that starts nothing: requested runs stay requested. */
export const idleRuns = (garden: Garden): GatewayRuns => ({
  offer: () => Promise.resolve(),
  cancel: async (place, by, why) => void (await cancelRun(garden, place, { by, why })),
  health: () => Promise.resolve({ ok: true, running: 0, waiting: 0 }),
  engine: "embedded",
  parts: {
    models: () => Promise.resolve({ ok: true, about: "bloom/follower", remarks: [] }),
    reader: () => Promise.resolve({ ok: true, about: "local", remarks: [] }),
  },
  reader: localReader(),
  ports: portsWith(scriptedModel([])),
  messenger: { send: () => Promise.resolve() },
  models: { trouble: () => undefined, test: () => Promise.resolve({ ms: 1, text: "OK" }) },
});

/** A manual clock, and random bytes that never repeat. */
function uniqueWorld(): World {
  let drawn = 0;
  return {
    now: () => now,
    random(count) {
      drawn++;
      return Uint8Array.from(
        { length: count },
        (_, index) => (index < 4 ? drawn >>> (8 * index) : index * 73 + 41) & 0xff,
      );
    },
  };
}
