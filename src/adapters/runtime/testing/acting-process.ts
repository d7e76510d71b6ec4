import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import { z } from "zod";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { openFlow } from "../../../garden/core/flow/step.ts";
import type { Garden } from "../../../garden/core/garden.ts";
import { callJournal } from "../../../garden/runs/call-journal.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { everyKey } from "../../../ports/store.ts";
import { openDirStore } from "../../store/dir/dir-store.ts";
import { aiSdkRuntime } from "../ai-sdk/ai-sdk-runtime.ts";
import { briefing, end } from "../conformance-setup.ts";
import { mastraRuntime } from "../mastra/mastra-runtime.ts";
import { scriptedModel } from "./scripted-model.ts";

/**
 * A process that performs an act with a real journal and may die at a crash point of one of its calls:
 *
 *     acting-process.ts MEMBER GARDEN 3-post.worked|none
 *
 * GARDEN/effects has a line per process with the calls found on record, and a line per call really made; GARDEN/report.json has the
 * end of the act and the opened connections.
 */
const [member = "", dir = "", dieAt = "none"] = process.argv.slice(2);
const place = { slug: "echo", run: briefing().run };
mkdirSync(dir, { recursive: true });
const effect = (line: string): void => appendFileSync(`${dir}/effects`, `${line}\n`);

const network: string[] = [];
net.Socket.prototype.connect = function connect(...args: unknown[]) {
  network.push(JSON.stringify(args));
  return this;
};
globalThis.fetch = (input) => {
  network.push(JSON.stringify(input));
  return Promise.reject(new TypeError("fetch failed"));
};

let position = 0;
let called = "";
armCrashPoints((point) => {
  if (`${position}-${called}.${point.replace("flow.step.", "")}` === dieAt) process.kill(process.pid, "SIGKILL");
});

const store = await openDirStore({ garden: dir, world: realWorld });
await store.create(contractKey(place.slug), Buffer.from("---\n---\n"));
const onRecord: string[] = [];
for await (const { key } of everyKey(store, keys.runSteps(place.slug, place.run)))
  onRecord.push(/\/steps\/0*(\d+-[a-z-]+)\.json$/.exec(key)?.[1] ?? "");
effect(`--- ${onRecord.join(" ")}`);

const pause = () => new Promise<void>(() => undefined); // no time limits
const flow = openFlow({ store, world: realWorld, pause }, place);
const kept = callJournal({
  garden: { store, world: realWorld } as Garden,
  place,
  flow,
  pause,
  recorded: new Map(),
});
const journal: typeof kept = {
  halted: undefined,
  model: (request, work, at) => {
    [position, called] = [position + 1, "model"];
    return kept.model(request, (late) => (effect(`${position}-model`), work(late)), at);
  },
  tool: (tool, input, at) => {
    [position, called] = [position + 1, tool.name];
    return kept.tool(tool, input, at);
  },
};

const tool = (name: string, idempotent: boolean): RunTool => ({
  name,
  description: name,
  input: z.strictObject({}),
  idempotent,
  call: async (_, { key }) => {
    effect(key.slice(key.lastIndexOf("/") + 1));
    return `${name} done`;
  },
});
const model = scriptedModel([{ calls: [{ tool: "look" }, { tool: "post" }] }, { text: "Done." }]);
const make = member === "mastra" ? mastraRuntime : aiSdkRuntime;
const acted = await make({ models: () => model }).act(
  briefing(),
  [tool("look", true), tool("post", false)],
  journal,
  new AbortController().signal,
);
await store.close();
writeFileSync(`${dir}/report.json`, JSON.stringify({ end: end(acted), network }));
