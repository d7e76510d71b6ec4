import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type McpRequestContext,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** The tools, resources and prompts that the conformance suite asks a server for. Served by our endpoint; the content is the suite's. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const codec = createRequestStateCodec<{ readonly kind: string; readonly name?: string }>({ key: "k".repeat(32) });
const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});
const said = (...content: object[]) => ({ content }) as { content: ReturnType<typeof text>[] };

export function conformanceServer({ era }: Pick<McpRequestContext, "era">): McpServer {
  const server = new McpServer(
    { name: "conformance", version: "1" },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
        logging: {},
      },
      requestState: { verify: (state, context) => codec.verify(state, context) },
    },
  );
  plainTools(server);
  askingTools(server);
  roundTripTools(server);
  resourcesAndPrompts(server);
  if (era === "legacy") acceptSubscriptions(server);
  return server;
}

function plainTools(server: McpServer): void {
  const add = (name: string, answer: (context: ServerContext) => object | Promise<object>): void =>
    void server.registerTool(name, { description: name, inputSchema: z.object({}) }, async (_, context) =>
      said(...[await answer(context)].flat()),
    );
  add("test_simple_text", () => text("This is a simple text response for testing."));
  add("test_image_content", () => image);
  add("test_audio_content", () => ({ type: "audio", data: SOUND, mimeType: "audio/wav" }));
  add("test_embedded_resource", () =>
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  );
  add("test_multiple_content_types", () => [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);
  add("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  add("test_tool_with_logging", async ({ mcpReq }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"])
      await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
    return text("done");
  });
  add("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "Diagnostic trace");
    return text("done");
  });
  const progress = async ({ mcpReq }: ServerContext): Promise<object> => {
    const { _meta: { progressToken } = {} } = mcpReq;
    if (progressToken !== undefined)
      for (const done of [0, 50, 100])
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: done, total: 100 },
        });
    return text("done");
  };
  add("test_tool_with_progress", progress);
  add("test_streaming_elicitation", progress);
}

const capabilities = ({ envelope }: ServerContext["mcpReq"]): Readonly<Record<string, unknown>> =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;

const objectOf = (properties: object, required: readonly string[] = Object.keys(properties)) =>
  ({ type: "object", properties, required }) as never;
const elicit = (message: string, properties: object, required?: readonly string[]): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: objectOf(properties, required) });
const sample = (prompt: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });

/** Requests to the client of the revision 2025-11-25; the library turns them into answers of the newer one. */
function askingTools(server: McpServer): void {
  const add = (name: string, input: z.ZodObject, request: (given: Record<string, string>) => InputRequest): void =>
    void server.registerTool(name, { description: name, inputSchema: input }, async (given, { mcpReq }) =>
      mcpReq.inputResponses?.["asked"]
        ? said(text(JSON.stringify(mcpReq.inputResponses["asked"])))
        : (inputRequired({ inputRequests: { asked: request(given as Record<string, string>) } }) as never),
    );
  add("test_missing_capability", z.object({}), () => sample("Anything"));
  add("test_sampling", z.object({ prompt: z.string() }), ({ prompt }) => sample(prompt!));
  add("test_elicitation", z.object({ message: z.string() }), ({ message }) =>
    elicit(message!, { response: { type: "string", description: "User's response" } }),
  );
  const defaults = {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  };
  add("test_elicitation_sep1034_defaults", z.object({}), () => elicit("Defaults", defaults, []));
  const titled = [1, 2, 3].map((number) => ({ const: `value${number}`, title: `Option ${number}` }));
  const plain = ["option1", "option2", "option3"];
  const enums = {
    untitledSingle: { type: "string", enum: plain },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: plain } },
    titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: titled } },
  };
  add("test_elicitation_sep1330_enums", z.object({}), () => elicit("Enums", enums, []));
}

/** Answers that ask for input, and the retries that bring it (2026-07-28). */
function roundTripTools(server: McpServer): void {
  const name = { name: { type: "string" } };
  const add = (tool: string, answer: (context: ServerContext["mcpReq"]) => Promise<string | object>): void =>
    void server.registerTool(
      `test_input_required_result_${tool}`,
      { description: tool, inputSchema: z.object({}) },
      async (_, { mcpReq }) => {
        const given = await answer(mcpReq);
        return typeof given === "string" ? said(text(given)) : (given as never);
      },
    );
  const ask = async (requests: Record<string, InputRequest>, state?: { kind: string; name?: string }) =>
    inputRequired({ inputRequests: requests, ...(state && { requestState: await codec.mint(state) }) });
  const answered = (given: Readonly<Record<string, unknown>> | undefined, ...keys: string[]): boolean =>
    keys.every((key) => given?.[key] !== undefined);
  const contentOf = (given: unknown): Readonly<Record<string, unknown>> =>
    (given as { content?: Record<string, unknown> } | undefined)?.content ?? {};

  add("elicitation", async ({ inputResponses: given }) =>
    typeof contentOf(given?.["user_name"])["name"] === "string"
      ? `Hello, ${String(contentOf(given!["user_name"])["name"])}!`
      : ask({ user_name: elicit("What is your name?", name) }),
  );
  add("sampling", async ({ inputResponses: given }) =>
    answered(given, "sample_request")
      ? `Sampling result: ${String(contentOf(given!["sample_request"])["text"])}`
      : ask({ sample_request: sample("What is the capital of France?") }),
  );
  add("list_roots", async ({ inputResponses: given }) =>
    answered(given, "roots_request") ? "Found roots" : ask({ roots_request: inputRequired.listRoots() }),
  );
  const confirm = { confirm: elicit("Please confirm", { ok: { type: "boolean" } }) };
  for (const [tool, done] of [
    ["request_state", "state-ok"],
    ["tampered_state", "integrity-ok: state verified"],
  ] as const)
    add(tool, async ({ inputResponses: given, requestState }) =>
      answered(given, "confirm") && requestState() !== undefined ? done : ask(confirm, { kind: tool }),
    );
  add("multiple_inputs", async ({ inputResponses: given }) =>
    answered(given, "user_name", "greeting", "client_roots")
      ? "All inputs"
      : ask(
          {
            user_name: elicit("What is your name?", name),
            greeting: sample("Generate a greeting"),
            client_roots: inputRequired.listRoots(),
          },
          { kind: "multiple" },
        ),
  );
  add("multi_round", async ({ inputResponses: given, requestState }) => {
    const state = requestState<{ kind: string; name?: string }>();
    if (state?.kind === "second" && answered(given, "step2")) return `Complete for ${state.name}`;
    if (state?.kind === "first" && answered(given, "step1"))
      return ask(
        { step2: elicit("Step 2: What is your favorite color?", { color: { type: "string" } }) },
        { kind: "second", name: String(contentOf(given!["step1"])["name"]) },
      );
    return ask({ step1: elicit("Step 1: What is your name?", name) }, { kind: "first" });
  });
  add("capabilities", async (request) => {
    const may = capabilities(request);
    const requests = {
      ...(may["elicitation"] ? { elicit_input: elicit("Input", { value: { type: "string" } }) } : {}),
      ...(may["sampling"] ? { sample_input: sample("Sample request") } : {}),
    };
    if (request.inputResponses || Object.keys(requests).length === 0) return "capabilities-ok";
    return ask(requests, { kind: "capabilities" });
  });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "asks for input" },
    async ({ mcpReq: { inputResponses: given } }) =>
      answered(given, "user_context")
        ? {
            messages: [
              { role: "user", content: text(`Context: ${String(contentOf(given!["user_context"])["context"])}`) },
            ],
          }
        : ((await ask({ user_context: elicit("Which context?", { context: { type: "string" } }) })) as never),
  );
}

function resourcesAndPrompts(server: McpServer): void {
  const resource = (uri: string, mimeType: string, content: { text: string } | { blob: string }): void =>
    void server.registerResource(uri, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  resource("test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  resource("test://static-binary", "image/png", { blob: PIXEL });
  resource("test://watched-resource", "text/plain", { text: "Watched" });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
  const user = (content: object) => ({ role: "user" as const, content: content as ReturnType<typeof text> });
  server.registerPrompt("test_simple_prompt", { description: "simple" }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "arguments", argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "image" }, () => ({
    messages: [user(image), user(text("Please analyze the image above."))],
  }));
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function acceptSubscriptions({ server }: McpServer): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}
