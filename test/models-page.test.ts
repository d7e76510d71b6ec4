import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFailure } from "../src/base/failure.ts";
import { composeModels } from "../src/compose-runs.ts";
import { readGardenConfig } from "../src/domain/config/garden-config.ts";
import { checkModel, modelAddress } from "../src/domain/config/model-registry.ts";
import type { Garden } from "../src/garden/core/garden.ts";
import { gardenWith } from "../src/garden/testing/scratch.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/models.md"), "utf8");
const blocks = [...page.matchAll(/```yaml\n# garden\.yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);

describe("R-2 docs/models.md", () => {
  test("each block for garden.yaml is valid", () => {
    const problems = blocks.filter(
      (text) => readGardenConfig(Buffer.from(`version: 2\nname: x\n${text}`)).kind !== "value",
    );
    expect({ count: blocks.length, problems }).toEqual({ count: 6, problems: [] });
  });

  test.each([
    ["local/qwen3:8b", "127.0.0.1:11434", []],
    ["openai/gpt-4.1", "api.openai.com", ["MY_OPENAI_KEY"]],
    ["anthropic/claude-sonnet-4-5", "api.anthropic.com", ["MY_ANTHROPIC_KEY"]],
    ["openrouter/anthropic/claude-sonnet-4.5", "openrouter.ai", ["OPENROUTER_API_KEY"]],
  ])("%s is known, and its host and key are those of the page", (id, host, variables) => {
    const models = Object.assign(
      {},
      ...blocks.map((text) => {
        const reading = readGardenConfig(Buffer.from(`version: 2\nname: x\n${text}`));
        return reading.kind === "value" ? reading.value.models : {};
      }),
    ) as Parameters<typeof checkModel>[1];
    const checked = checkModel(id, models);
    const address = checked.kind === "unknown" ? undefined : modelAddress(checked.provider, models!);
    expect({ kind: checked.kind, host: address && new URL(address.url).host, keys: address?.variables }).toEqual({
      kind: "known",
      host,
      keys: variables,
    });
  });
});

/** A server that speaks the three protocols as far as a test call needs, and knows one model. */
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string };
      const say = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (model.endsWith("gone"))
        return say(404, { error: { message: `model "${model}" not found`, type: "not_found_error" } });
      const usage = { input_tokens: 3, output_tokens: 1, prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
      if (request.url === "/v1/messages")
        return say(200, {
          id: "1",
          type: "message",
          role: "assistant",
          model,
          content: [{ type: "text", text: "OK" }],
          stop_reason: "end_turn",
          usage,
        });
      if (request.url === "/v1/responses")
        return say(200, {
          id: "1",
          object: "response",
          created_at: 1,
          model,
          output: [
            {
              type: "message",
              id: "m",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: "OK", annotations: [] }],
            },
          ],
          usage,
        });
      return say(200, {
        id: "1",
        object: "chat.completion",
        created: 1,
        model,
        choices: [{ index: 0, message: { role: "assistant", content: "OK" }, finish_reason: "stop" }],
        usage,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function withModels(environment: Readonly<Record<string, string>>) {
  const { garden } = await gardenWith();
  const models = { local: { url }, openai: { url }, anthropic: { url } };
  const configured: Garden = { ...garden, config: { ...garden.config, models } };
  return composeModels(configured, environment);
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (isFailure(error) ? `${error.code} ${String(error.details["missing"])}` : String(error)),
  );

test("R-2, R-6 a test call reaches a configured model without a line in egress, by each protocol", async () => {
  const models = await withModels({ OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" });
  const answers: string[] = [];
  for (const id of ["local/qwen3:8b", "openai/gpt-4.1", "anthropic/claude-sonnet-4-5", "bloom/follower"])
    answers.push((await models.test(id)).text);
  expect(answers).toEqual(["OK", "OK", "OK", ""]);
});

test("C-7 a model that its provider does not know is missing, and a missing key is named before any call", async () => {
  const models = await withModels({});
  expect([await codeOf(models.test("local/gone")), models.trouble("local/gone")]).toEqual([
    "NOT_FOUND model",
    undefined,
  ]);
  expect(models.trouble("openai/gpt-4.1")?.message).toContain("OPENAI_API_KEY is not set");
});
