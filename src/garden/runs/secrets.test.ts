import { expect, test } from "vitest";
import { type Script, scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { Failure } from "../../base/failure.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import { receive } from "../changes/inbox/receive.ts";
import type { Garden } from "../core/garden.ts";
import { activeAgent, live, manifestOf, portsWith, requestedRun } from "./testing/agent-ground.ts";
import { oneGarden } from "./testing/one-garden.ts";

const KEY = "key-of-the-owner-7f3a";
const shared = oneGarden();
const withKey = (): Garden => ({ ...shared(), secrets: () => [KEY] });

const holding = async (store: Store): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, ""))
    if (Buffer.from((await store.get(key))!.bytes).includes(KEY)) found.push(key);
  return found;
};

const MODEL = { model: "claude-sonnet-4-5-20250929", max_steps: "6" } as const;

test("S-6 a key that a model repeats is in no record: steps, proposal, inbox, audit, manifest", async () => {
  const garden = withKey();
  await activeAgent(garden, "parrot", MODEL);
  const script: Script = [
    {
      text: `Your key is ${KEY}.`,
      calls: [
        { tool: "create-proposal", input: { type: "propose-note", path: "notes/key.md", text: `Key: ${KEY}\n` } },
      ],
    },
    { text: `FAILED: ${KEY}` },
  ];
  const place = await requestedRun(garden, "parrot");
  await live(garden, place, portsWith(scriptedModel(script)));
  expect(await manifestOf(garden, place)).toMatchObject({ status: "failed", error: "[redacted]" });
  expect(await holding(garden.store)).toEqual([]);
});

test("S-6 a key that the reader's refusal repeats is in no record", async () => {
  const garden = withKey();
  await activeAgent(garden, "asker", { ...MODEL, tools: "[notebooklm-query, create-proposal]" });
  const refusing = {
    ask: () => Promise.reject(new Failure("NLM_UNAVAILABLE", { en: `401: Bearer ${KEY}`, uk: `401: Bearer ${KEY}` })),
    health: () => Promise.resolve({ ok: false, place: "there" }),
  };
  const script: Script = [{ calls: [{ tool: "notebooklm-query", input: { question: "What?" } }] }, { text: "?" }];
  const place = await requestedRun(garden, "asker");
  const ports = portsWith(scriptedModel(script), { reader: refusing as never });
  await live(garden, place, { ...ports, pause: () => Promise.resolve() });
  expect((await manifestOf(garden, place)).status).toBe("failed");
  expect(await holding(garden.store)).toEqual([]);
});

test("S-6 a proposal that contains a key is refused, and nothing of it is stored", async () => {
  const garden = withKey();
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "propose-note",
    payload: { path: "notes/own.md", text: `Key: ${KEY}\n` },
  });
  expect(received).toMatchObject({ kind: "refused", entry: undefined, failure: { code: "VALIDATION_FAILED" } });
  expect(await holding(garden.store)).toEqual([]);
});
