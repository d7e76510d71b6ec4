import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { allowListEgress } from "../egress/allow-list.ts";
import { aiSdkRuntime } from "./ai-sdk/ai-sdk-runtime.ts";
import { briefing, end, testTools } from "./conformance-setup.ts";
import { mastraRuntime } from "./mastra/mastra-runtime.ts";
import { languageModel, type ModelSettings } from "./models.ts";
import { memoryJournal } from "./testing/memory-journal.ts";

/** A request to the server, which answers in the vendors' formats: first with a call of `look`, then with a text. */
interface Seen {
  readonly path: string;
  readonly key: string;
  readonly body: {
    readonly model?: string;
    readonly temperature?: number;
    readonly store?: boolean;
    readonly input?: unknown;
  };
}
const KEY = "sk-test-0123456789abcdef";
let seen: Seen[] = [];
let refusal:
  | { status: number; body: unknown }
  | ((body: Seen["body"]) => { status: number; body: unknown } | undefined)
  | undefined;
/** An invalid answer: `half` of one, no answer (`hang`), or this text. */
let bad: string | undefined;
let server: Server;
let url: string;

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const speaks: Record<string, (asked: boolean) => unknown> = {
  "/v1/messages": (asked) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: asked
      ? [{ type: "text", text: "It is dry." }]
      : [{ type: "tool_use", id: "toolu_1", name: "look", input: {} }],
    stop_reason: asked ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
  "/v1/responses": (asked) => ({
    id: "resp_1",
    created_at: 0,
    model: "m",
    output: asked
      ? [
          {
            type: "message",
            role: "assistant",
            id: "msg_1",
            content: [{ type: "output_text", text: "It is dry.", annotations: [] }],
          },
        ]
      : [{ type: "function_call", call_id: "call_1", id: "fc_1", name: "look", arguments: "{}" }],
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
  "/v1/chat/completions": (asked) => ({
    id: "chat_1",
    created: 0,
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: asked ? "stop" : "tool_calls",
        message: asked
          ? { role: "assistant", content: "It is dry." }
          : {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
            },
      },
    ],
    usage,
  }),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const body = JSON.parse(text) as Seen["body"];
      const key = request.headers["x-api-key"] ?? request.headers.authorization?.replace("Bearer ", "") ?? "";
      seen.push({ path: request.url ?? "", key: String(key), body });
      if (bad === "hang") return;
      if (bad === "half")
        return void response.writeHead(200, { "content-length": "1000" }).write("{", () => response.destroy());
      if (bad !== undefined) return void response.end(bad);
      const refused = typeof refusal === "function" ? refusal(body) : refusal;
      const asked = /"(?:tool_result|function_call_output|tool)"/.test(text.replace(/"tools":.*?\}\]/, ""));
      response.writeHead(refused?.status ?? 200, { "content-type": "application/json" });
      response.end(JSON.stringify(refused ? refused.body : speaks[request.url ?? ""]!(asked)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
beforeEach(() => {
  seen = [];
  refusal = undefined;
  bad = undefined;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const settings = (changes: Partial<ModelSettings> = {}): ModelSettings => ({
  endpoints: {
    anthropic: { url, key_env: "MY_KEY" },
    openai: { url, key_env: "MY_KEY" },
    local: { url },
    guarded: { url, key_env: "MY_KEY" },
  },
  keys: (name) => (name === "MY_KEY" ? KEY : undefined),
  egressTo: () => allowListEgress({ allow: [new URL(url).host] }),
  ...changes,
});

function failing(id: string, changes: Partial<ModelSettings> = {}): string {
  try {
    languageModel(id, settings(changes));
    return "made";
  } catch (error) {
    return isFailure(error) ? `${error.code} ${error.message}` : String(error);
  }
}

const act = async (id: string, make = aiSdkRuntime, changes: Partial<ModelSettings> = {}, limitMs = 20_000) => {
  const { tools } = testTools();
  const runtime = make({ models: (name) => languageModel(name, settings(changes)) });
  return runtime.act(briefing({ model: id }), tools, memoryJournal({ limitMs }), new AbortController().signal);
};

describe("R-2: models by their ids, over real HTTP", () => {
  test.each([
    ["claude-sonnet-4-5-20250929", "/v1/messages", "claude-sonnet-4-5-20250929", KEY],
    ["anthropic/claude-newer-than-any-list", "/v1/messages", "claude-newer-than-any-list", KEY],
    ["gpt-4.1", "/v1/responses", "gpt-4.1", KEY],
    ["openai/gpt-4.1", "/v1/responses", "gpt-4.1", KEY],
    ["local/qwen3:8b", "/v1/chat/completions", "qwen3:8b", ""],
    ["guarded/org/model", "/v1/chat/completions", "org/model", KEY],
  ])("%s asks %s for %s, calls a tool and answers", async (id, path, model, key) => {
    const acted = await act(id);
    expect({
      end: end(acted),
      toolCalls: acted.toolCalls,
      tokens: acted.tokens,
      requests: seen.map((each) => ({ path: each.path, key: each.key, model: each.body.model })),
    }).toEqual({
      end: 'answered "It is dry."',
      toolCalls: 1,
      tokens: { input: 22, output: 14 },
      requests: [
        { path, key, model },
        { path, key, model },
      ],
    });
  });

  test("R-7: OpenAI is asked to store nothing, and is sent texts instead of item references", async () => {
    await act("gpt-4.1");
    expect({
      store: seen.map(({ body }) => body.store),
      refersToStoredItem: JSON.stringify(seen[1]!.body.input).includes("item_reference"),
    }).toEqual({ store: [false, false], refersToStoredItem: false });
  });

  test("a model answers through Mastra too", async () => {
    expect(end(await act("claude-sonnet-4-5-20250929", mastraRuntime))).toBe('answered "It is dry."');
  });

  test("bloom/follower needs neither key nor network", () => {
    const model = languageModel("bloom/follower", settings({ keys: () => undefined, endpoints: {} }));
    expect({ provider: model.provider, model: model.modelId }).toEqual({ provider: "bloom", model: "follower" });
  });
});

describe("R-2: a model id that cannot be used", () => {
  test.each<[string, string, Partial<ModelSettings>]>([
    [
      "claude-sonnet-4-5-20250929",
      "AUTH_REQUIRED the model claude-sonnet-4-5-20250929 needs a key, and ANTHROPIC_API_KEY is not set",
      { endpoints: {} },
    ],
    ["gpt-4.1", "AUTH_REQUIRED the model gpt-4.1 needs a key, and OPENAI_API_KEY is not set", { endpoints: {} }],
    ["guarded/m", "AUTH_REQUIRED the model guarded/m needs a key, and MY_KEY is not set", { keys: () => "" }],
    [
      "mistral/mistral-large-latest",
      "VALIDATION_FAILED the address of mistral is not configured, so mistral/mistral-large-latest cannot be used",
      {},
    ],
    [
      "nobody/x",
      "VALIDATION_FAILED nobody/x: unknown provider nobody; `models` in garden.yaml has no endpoint of that name either",
      {},
    ],
    [
      "constructor/x",
      "VALIDATION_FAILED constructor/x: unknown provider constructor; `models` in garden.yaml has no endpoint of that name either",
      {},
    ],
  ])("%s: %s", (id, expected, changes) => {
    expect(failing(id, changes)).toBe(expected);
  });

  test("offline models exist in tests only", () => {
    expect(failing("offline/scripted")).toMatch(/^VALIDATION_FAILED the address of offline is not configured/);
  });
});

describe("R-2: the temperature of the briefing", () => {
  test.each(["claude-sonnet-4-5-20250929", "gpt-4.1", "local/x"])("%s gets it", async (id) => {
    await act(id);
    expect(seen[0]!.body.temperature).toBe(0.2);
  });

  test("is left out for a model that refuses it", async () => {
    refusal = ({ temperature }) =>
      temperature === undefined
        ? undefined
        : {
            status: 400,
            body: { error: { message: "Unsupported parameter: temperature", type: "invalid_request_error" } },
          };
    const acted = await act("local/x");
    expect({ end: end(acted), temperatures: seen.map(({ body }) => body.temperature) }).toEqual({
      end: 'answered "It is dry."',
      temperatures: [0.2, undefined, 0.2, undefined],
    });
  });
});

describe("R-2, R-6: failures of a model's server", () => {
  it.each([
    [401, { error: { message: `Incorrect API key provided: ${KEY}` } }, "stopped model AUTH_REQUIRED"],
    [403, { error: { message: "not for you" } }, "stopped model FORBIDDEN"],
    [404, { error: { message: "no such model" } }, "stopped model NOT_FOUND"],
    [429, { error: { message: "slow down" } }, "stopped model RATE_LIMITED"],
    [500, { error: { message: "oops" } }, "stopped model UPSTREAM_UNAVAILABLE"],
    [529, "overloaded", "stopped model UPSTREAM_UNAVAILABLE"],
    [200, { nothing: "that is known" }, "stopped model"],
  ])("HTTP %s is reported with its code, after one request, without the key", async (status, body, expected) => {
    refusal = { status, body };
    const ends: string[] = [];
    for (const id of ["claude-sonnet-4-5-20250929", "gpt-4.1", "guarded/x"]) {
      const acted = await act(id);
      ends.push(end(acted).startsWith(expected) ? "as expected" : end(acted));
      ends.push(JSON.stringify(acted).includes(KEY) ? "with the key" : "without the key");
    }
    expect({ ends, requests: seen.length }).toEqual({
      ends: Array.from({ length: 3 }, () => ["as expected", "without the key"]).flat(),
      requests: 3,
    });
  });

  it.each([
    ["closes the connection during its answer", "half", "stopped model UPSTREAM_UNAVAILABLE"],
    ["answers with an HTML page", "<html>Welcome</html>", "stopped model VALIDATION_FAILED"],
    ["never answers", "hang", "stopped model AGENT_TIMEOUT"],
  ])("O-3: a server that %s is reported with its code", async (_, how, expected) => {
    bad = how;
    const ends = [];
    for (const id of ["claude-sonnet-4-5-20250929", "gpt-4.1", "guarded/x"])
      ends.push(end(await act(id, aiSdkRuntime, {}, 200)));
    expect(ends).toEqual([expected, expected, expected]);
  });

  it("R-6: a host that is not on the list gets no request, and the run names it", async () => {
    const acted = await act("local/x", aiSdkRuntime, {
      egressTo: () => allowListEgress({ allow: ["example.com"] }),
    });
    expect({ end: end(acted), message: acted.kind === "stopped" && acted.failure.message, requests: seen }).toEqual({
      end: "stopped model FORBIDDEN",
      message: `${new URL(url).host} is not on the allow-list (example.com)`,
      requests: [],
    });
  });
});
