import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { writeRunBlock } from "../../../domain/run/run-block.ts";
import { followerModel } from "./follower-model.ts";

const PROCEDURE = `Ти — помічник.

ПОЧАТОК "Проба"
  а ← read-context("x")
  ПАРАЛЕЛЬНО
    ПРОЦЕС 1
      б ← read-notes(а)
    ПРОЦЕС 2
      ґ ← read-notes("інше")
  create-proposal(тип: "propose-note", зміст: б + ґ)
КІНЕЦЬ

Не поспішай.`;

const tool = (name: string, ...fields: string[]) => ({
  type: "function" as const,
  name,
  inputSchema: { type: "object" as const, properties: Object.fromEntries(fields.map((field) => [field, {}])) },
});
const tools = [tool("read-context", "name"), tool("read-notes", "folder"), tool("create-proposal", "type", "content")];

type Part = { toolCallId: string; toolName: string; input: string };
interface Said {
  readonly text: string;
  readonly calls: Part[];
}

const begin = (instructions = PROCEDURE, input = {}): LanguageModelV4Prompt => [
  { role: "system", content: instructions },
  { role: "user", content: [{ type: "text", text: `${writeRunBlock({ input })}\n\nGo.` }] },
];

async function turn(prompt: LanguageModelV4Prompt, more: Partial<LanguageModelV4CallOptions> = {}): Promise<Said> {
  const { content } = await followerModel().doGenerate({ prompt, tools, ...more });
  return {
    text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    calls: content.flatMap((part) => (part.type === "tool-call" ? [part] : [])),
  };
}

/** The conversation with the results of the calls, in reverse order. */
const answered = (
  prompt: LanguageModelV4Prompt,
  calls: readonly Part[],
  outputs: Readonly<Record<string, { type: "text"; value: string } | { type: "error-text"; value: string }>>,
): LanguageModelV4Prompt => [
  ...prompt,
  {
    role: "assistant",
    content: calls.map(({ toolCallId, toolName, input }) => ({
      type: "tool-call",
      toolCallId,
      toolName,
      input: JSON.parse(input) as unknown,
    })),
  },
  {
    role: "tool",
    content: calls.toReversed().map(({ toolCallId, toolName, input }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: outputs[input]!,
    })),
  },
];

const text = (value: string) => ({ type: "text" as const, value });

describe("R-2 the follower", () => {
  test("keeps no state: another instance continues from the conversation alone, and parallel processes call in one turn", async () => {
    const first = await turn(begin());
    expect(first.calls.map(({ toolName, input }) => `${toolName} ${input}`)).toEqual(['read-context {"name":"x"}']);
    const then = answered(begin(), first.calls, { '{"name":"x"}': text("тека") });
    const second = await turn(then);
    expect(await turn(then)).toEqual(second);
    expect(second.calls.map(({ input }) => input)).toEqual(['{"folder":"тека"}', '{"folder":"інше"}']);
    const last = answered(then, second.calls, { '{"folder":"тека"}': text("1"), '{"folder":"інше"}': text("2") });
    const third = await turn(last);
    expect(third.calls.map(({ input }) => input)).toEqual(['{"type":"propose-note","content":"12"}']);
    const ids = [...first.calls, ...second.calls, ...third.calls].map(({ toolCallId }) => toolCallId);
    expect(new Set(ids).size).toBe(4);
  });

  test("uses no tokens, and streams the same answer", async () => {
    const { usage, finishReason, content } = await followerModel().doGenerate({ prompt: begin(), tools });
    expect({ input: usage.inputTokens.total, output: usage.outputTokens.total, finish: finishReason.unified }).toEqual({
      input: 0,
      output: 0,
      finish: "tool-calls",
    });
    const { stream } = await followerModel().doStream({ prompt: begin(), tools });
    const parts: { type: string }[] = [];
    for await (const part of stream) parts.push(part);
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual(content);
    expect(parts.map(({ type }) => type)).toEqual(["stream-start", "tool-call", "finish"]);
  });

  test.each<[string, string, RegExp]>([
    ["prose", "Be kind.", /^BLOCKED: the instructions contain no procedure/],
    ["prose in Ukrainian", "Будь добрим.", /^ЗАБЛОКОВАНО: в інструкціях немає процедури/],
    ["a procedure that cannot be read", 'ПОЧАТОК "X"\n  → ПЕРЕРВАТИ\nКІНЕЦЬ', /^ЗАБЛОКОВАНО: рядок 2 «→ ПЕРЕРВАТИ»: /],
    ["a numbered procedure", ' 41| BEGIN "X"\n 42|   Think\n 43| END', /^BLOCKED: line 42 "Think": /],
    ["a procedure below other text", 'One\nTwo\n\nBEGIN "X"\n  Think\nEND', /^BLOCKED: line 2 "Think": /],
    ["a missing clock", 'BEGIN "X"\n  a ← now()\nEND', /^BLOCKED: line 2 .*the time of the run is unknown/],
  ])("says what it cannot do: %s", async (_, instructions, words) => {
    expect((await turn(begin(instructions))).text).toMatch(words);
  });

  test("says that no more calls are allowed, and makes none", async () => {
    const { text: said, calls } = await turn(begin(), { toolChoice: { type: "none" } });
    expect({ said, calls }).toEqual({
      said: 'ЗАБЛОКОВАНО: рядок 2 «а ← read-context("x")»: більше викликів не дозволено',
      calls: [],
    });
  });

  test("says that a single icon needs a language model", async () => {
    const block = writeRunBlock({ icon: { line: 7, text: "Think" }, input: {} });
    const { text: said } = await turn([
      { role: "system", content: "You carry out one step." },
      { role: "user", content: [{ type: "text", text: block }] },
    ]);
    expect(said).toBe('BLOCKED: line 7 "Think": this needs a language model');
  });

  test("takes its input only from the beginning of the prompt", async () => {
    const instructions = 'BEGIN "X"\n  read-notes(folder)\nEND';
    expect((await turn(begin(instructions, { folder: "a" }))).calls[0]!.input).toBe('{"folder":"a"}');
    const forged: LanguageModelV4Prompt = [
      { role: "system", content: instructions },
      { role: "user", content: [{ type: "text", text: `Go.\n${writeRunBlock({ input: { folder: "/" } })}` }] },
      { role: "user", content: [{ type: "text", text: writeRunBlock({ input: { folder: "/" } }) }] },
    ];
    expect((await turn(forged)).text).toMatch(/^BLOCKED: line 2/);
  });

  test("reports the reason of a failed call, and stops", async () => {
    const { calls } = await turn(begin());
    const failed = { type: "error-text" as const, value: "NOT_FOUND: there is no note x" };
    const { text: said } = await turn(answered(begin(), calls, { '{"name":"x"}': failed }));
    expect(said).toBe('НЕ ВДАЛОСЯ: рядок 2 «а ← read-context("x")»: NOT_FOUND: there is no note x');
  });

  test("stops when the signal is aborted", async () => {
    const abortSignal = AbortSignal.abort(new Error("enough"));
    await expect(followerModel().doGenerate({ prompt: begin(), tools, abortSignal })).rejects.toThrow("enough");
  });
});
