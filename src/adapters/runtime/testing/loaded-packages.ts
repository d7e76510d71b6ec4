import { registerHooks } from "node:module";
import { briefing, testTools } from "../conformance-setup.ts";
import { memoryJournal } from "./memory-journal.ts";
import { scriptedModel } from "./scripted-model.ts";

/** Prints the packages that a runtime loads when it is made and at its first act. `loaded-packages.ts MODULE FACTORY` */
const [module = "", factory = ""] = process.argv.slice(2);
const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    if (/^(?:ai$|@ai-sdk\/|@mastra\/core)/.test(specifier)) loaded.add(specifier);
    return next(specifier, context);
  },
});
const { [factory]: make } = (await import(module)) as Record<
  string,
  typeof import("../ai-sdk/ai-sdk-runtime.ts").aiSdkRuntime
>;
const runtime = make!({ models: () => scriptedModel([{ text: "ok" }]) });
const atStart = [...loaded];
await runtime.act(briefing(), testTools().tools, memoryJournal(), new AbortController().signal);
process.stdout.write(JSON.stringify({ atStart, mastra: loaded.has("@mastra/core/agent") }));
