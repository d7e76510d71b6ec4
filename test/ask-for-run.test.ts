import { beforeAll, expect, test } from "vitest";
import type { Json } from "../src/base/canonical.ts";
import { realWorld } from "../src/base/world.ts";
import { runCommandLine } from "../src/cli/run-command-line.ts";
import { contractKey } from "../src/domain/layout.ts";
import { makeToken } from "../src/garden/agents/access/tokens.ts";
import { contractText } from "../src/garden/agents/testing/contract-text.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { gardenWith, testPorts } from "../src/garden/testing/scratch.ts";
import { gatewayApp } from "../src/gateway/app.ts";
import type { GatewayRuns } from "../src/gateway/route.ts";

type Input = Readonly<Record<string, Json>>;
/** The agent, its input, and the expected failure; undefined: the run is requested. */
type Case = readonly [what: string, slug: string, input: Input | undefined, code: string | undefined, message: RegExp];

const OK = /^$/;
const cases: readonly Case[] = [
  ["an active agent", "echo", undefined, undefined, OK],
  ["an active agent with an input", "echo", { say: "hello", times: 3, list: ["a"] }, undefined, OK],
  ["an agent that does not exist", "nobody", undefined, "NOT_FOUND", /^there is no agent nobody$/],
  ["a name that cannot be a slug", "No Slug!", undefined, "NOT_FOUND", /^there is no agent No Slug!$/],
  ["a paused agent", "resting", undefined, "INVALID_AGENT_TRANSITION", /^the agent resting is paused; only an active/],
  ["an agent without runs by hand", "timer", undefined, "FORBIDDEN", /does not allow runs by hand/],
  ["an agent with a broken contract", "broken", undefined, "VALIDATION_FAILED", /./],
  ["an input name that is too long", "echo", { ["n".repeat(201)]: 1 }, "VALIDATION_FAILED", /1 to 200 characters$/],
];

interface Answer {
  readonly code?: string;
  readonly message?: string;
  readonly run?: Readonly<Record<string, unknown>>;
}

const overHttp: Answer[] = [];
const onCommandLine: Answer[] = [];

beforeAll(async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" }, testPorts(realWorld));
  await plant(garden, "echo", { status: "active" });
  await plant(garden, "resting", { status: "paused" });
  await plant(garden, "timer", { status: "active", triggers: "{ manual: false }" });
  await plant(garden, "broken", { status: "active", model: undefined });
  await closeGarden(garden);
  // In sequence: each call opens the garden like a separate process.
  for (const [, slug, input] of cases) {
    overHttp.push(await askOverHttp(dir, slug, input));
    onCommandLine.push(await askOnCommandLine(dir, slug, input));
  }
});

test.each(cases.map((each, index) => [...each, index] as const))(
  "HTTP and the command line give the same answer for %s",
  (_what, slug, input, code, message, index) => {
    const [http, cli] = [overHttp[index]!, onCommandLine[index]!];
    expect(cli).toEqual(http);
    if (code === undefined)
      expect(http.run).toEqual({ agent_slug: slug, trigger: "manual", by: "owner", ...(input && { input }) });
    else expect(http).toEqual({ code, message: expect.stringMatching(message) as string });
  },
);

async function plant(
  { store }: Garden,
  slug: string,
  over: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await store.create(contractKey(slug), Buffer.from(contractText(slug, over)));
}

async function askOverHttp(dir: string, slug: string, input: Input | undefined): Promise<Answer> {
  const garden = await openGarden(testPorts(realWorld), dir);
  try {
    const runs = { offer: () => Promise.resolve() } as unknown as GatewayRuns;
    const app = gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [], runs, ended: new AbortController().signal });
    const { token } = await makeToken(garden, { kind: "owner", name: `script ${Math.random()}` }, "owner");
    const response = await app.fetch(
      new Request(`http://localhost:4440/agents/${encodeURIComponent(slug)}/run`, {
        method: "POST",
        headers: {
          host: "localhost:4440",
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "accept-language": "en",
        },
        body: JSON.stringify({ ...(input && { input }) }),
      }),
    );
    return answerIn((await response.json()) as Record<string, never>);
  } finally {
    await closeGarden(garden);
  }
}

async function askOnCommandLine(dir: string, slug: string, input: Input = {}): Promise<Answer> {
  let printed = "";
  const print = (text: string): void => void (printed += text);
  const given = Object.entries(input).flatMap(([name, value]) => ["--input", `${name}=${JSON.stringify(value)}`]);
  const ground = testPorts(realWorld);
  await runCommandLine(["run", slug, ...given, "--json"], {
    ground,
    garden: dir,
    language: "en",
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: print, err: print, interactive: false, colours: false, columns: 80 },
    machine: {
      cwd: dir,
      version: "1",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(dir),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => new Promise<void>(() => undefined),
    },
  });
  return answerIn(JSON.parse(printed) as Record<string, never>);
}

/** Without the id, the time and the mark of the request, which are new each time. */
function answerIn({ error, run }: Readonly<Record<string, Record<string, unknown> | undefined>>): Answer {
  if (error) return { code: String(error["code"]), message: String(error["message"]) };
  const { agent_slug, trigger, by, input } = run!;
  return { run: { agent_slug, trigger, by, ...(input !== undefined && { input }) } };
}
