import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openDirStore } from "../../../../adapters/store/dir/dir-store.ts";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { realWorld } from "../../../../base/world.ts";
import { contractKey, keys } from "../../../../domain/layout.ts";
import type { CallJournal } from "../../../../ports/runtime.ts";
import { everyKey } from "../../../../ports/store.ts";
import { type DurableFlow, openFlow } from "../../../core/flow/step.ts";
import type { Garden } from "../../../core/garden.ts";
import { callJournal } from "../../call-journal.ts";
import { executeAgent } from "../execute-agent.ts";
import { contractFor, RUN, toolShed } from "./workbench.ts";

/**
 * A process that executes a procedure icon by icon on a real journal, and dies at the first crash point where no process died
 * before: `flowing.ts GARDEN`. GARDEN/deaths has those points; GARDEN/effects a line for each process with what it found on record,
 * and one for each call that it really made; GARDEN/report.json how it ended.
 */
const [dir = ""] = process.argv.slice(2);
mkdirSync(dir, { recursive: true });
const place = { slug: "sample", run: RUN };
const deaths = new Set(existsSync(`${dir}/deaths`) ? readFileSync(`${dir}/deaths`, "utf8").split("\n") : []);

const BODY = `BEGIN "Both"
  began ← now()
  PARALLEL
    PROCESS 1
      a ← read-context("a1")
      create-proposal(note: "a", content: a)
    PROCESS 2
      b ← read-notes("b1")
  write-memory([a, b, began])
END
`;

const onRecord: string[] = [];
let asked = 0;
armCrashPoints((point) => {
  // With what was on record: of two icons in flight together, either may pass the point first.
  const here = `${asked} ${onRecord.join(" ")} ${point}`;
  if (!point.startsWith("flow.") || deaths.has(here)) return;
  appendFileSync(`${dir}/deaths`, `${here}\n`);
  process.kill(process.pid, "SIGKILL");
});

const store = await openDirStore({ garden: dir, world: realWorld });
await store.create(contractKey(place.slug), Buffer.from("---\n---\n"));
for await (const { key } of everyKey(store, keys.runSteps(place.slug, place.run)))
  onRecord.push(/\/steps\/\d+-([a-z-]+)\.json$/.exec(key)?.[1] ?? "");
appendFileSync(`${dir}/effects`, `--- ${onRecord.join(" ")}\n`);

const pause = (): Promise<void> => new Promise(() => undefined); // no time limits here
const kept = openFlow({ store, world: realWorld, pause }, place);
const flow: DurableFlow = {
  step: (name, input, work, options) => {
    asked++;
    return kept.step(name, input, work, options);
  },
};
const journal: CallJournal = callJournal({
  garden: { store, world: realWorld } as Garden,
  place,
  flow,
  pause,
  recorded: new Map(),
});
const shed = toolShed();
const executed = await executeAgent({
  garden: { world: realWorld },
  contract: contractFor({ execution: "flow" }),
  body: BODY,
  diagrams: [],
  briefing: {
    run: RUN,
    agent: place.slug,
    instructions: BODY,
    prompt: "",
    model: "bloom/follower",
    temperature: 0,
    maxTurns: 20,
    budget: {},
    input: {},
  },
  tools: shed.tools.map((tool) => ({
    ...tool,
    call: (input, call) => {
      appendFileSync(`${dir}/effects`, `${tool.name}\n`);
      return tool.call(input, call);
    },
  })),
  runtime: { name: "none", act: () => Promise.reject(new Error("nothing is put to a model")) },
  journal,
  flow,
  signal: new AbortController().signal,
});
await store.close();
writeFileSync(`${dir}/report.json`, JSON.stringify(executed));
