import type { Json } from "../../../../base/canonical.ts";
import { newId } from "../../../../base/ids.ts";
import { contractHash } from "../../../../domain/contract/contract-file.ts";
import { contractKey, keys, MAIN_REF } from "../../../../domain/layout.ts";
import type { RunRequest } from "../../../../domain/run/run.ts";
import { LOAD_CONTEXT, type LoadedContext, type RunManifest } from "../../../../domain/run/run-manifest.ts";
import { writeManifest } from "../../../runs/write-manifest.ts";
import type { Garden } from "../../garden.ts";
import { jsonBytes } from "../../json-record.ts";
import { realPause } from "../pause.ts";
import { refreshStatus } from "../run-status.ts";
import { openFlow } from "../step.ts";

/** The properties of a sample run; the rest has defaults. */
export interface SampleWishes {
  readonly slug: string;
  /** Default: a new id. */
  readonly run?: string;
  readonly version?: string;
  /** `v001`, if the agent has versions. */
  readonly logic?: string;
  readonly behaviour?: string;
  /** The contract that it ran under. Default: the stored one, or a made-up one. */
  readonly contract?: string;
  /** The icons of the last three steps. */
  readonly icons?: readonly [string, string, string];
  readonly diagram?: string;
  /** Proposals of its last step, or a function that makes them. */
  readonly proposals?: readonly string[] | ((run: string) => Promise<readonly string[]>);
  /** False: the run was interrupted before its last step. */
  readonly complete?: boolean;
}

export interface SampleRun {
  readonly slug: string;
  readonly run: string;
  readonly pins: LoadedContext;
  readonly manifest: RunManifest | undefined;
  readonly trace: Uint8Array;
}

/**
 * A whole run as the orchestrator leaves it: request, journal, outputs, console trace, manifest, status. Made with the
 * same `step` and `writeManifest`, so that it cannot differ from a real run.
 */
export async function sampleRun(
  garden: Pick<Garden, "store" | "repo" | "world">,
  wishes: SampleWishes,
): Promise<SampleRun> {
  const { store, world } = garden;
  const { slug, run = newId(world, "run"), complete = true } = wishes;
  const place = { slug, run };
  const ground = { store, world, pause: realPause };
  const pins = await pinned(garden, wishes);
  const request: RunRequest = {
    kind: "request",
    run_id: run,
    agent_slug: slug,
    trigger: "manual",
    by: "owner",
    requested_at: new Date(world.now()).toISOString(),
    op: "sample",
  };
  await store.create(keys.runRequest(slug, run), jsonBytes(request));
  const flow = openFlow(ground, place);
  const [list, summarize, propose] = wishes.icons ?? ["1", "2", "3"];
  const { diagram = "main-flow.drakon.json" } = wishes;
  await flow.step(LOAD_CONTEXT, { agent: slug }, async () => pins as unknown as Json);
  await flow.step("list-notes", { folder: "notes" }, async () => ["notes/a.md"], {
    kind: "tool",
    diagram,
    icon: list,
    line: 2,
  });
  await flow.step(
    "summarize",
    { prompt: "Summarise notes/a.md" },
    async (call) => {
      call.note({ tokens: { input: 420, output: 110 } });
      return "A short text about A.";
    },
    { kind: "model", diagram, icon: summarize, line: 3 },
  );
  const trace = traceOf(run);
  await store.create(keys.runTrace(slug, run), trace);
  if (!complete) {
    await refreshStatus(ground, place);
    return { slug, run, pins, manifest: undefined, trace };
  }
  const made: string[] = [];
  await flow.step(
    "create-proposal",
    { note: "notes/a.md" },
    async (call) => {
      const { proposals = [] } = wishes;
      made.push(...(typeof proposals === "function" ? await proposals(run) : proposals));
      call.note({ proposals: made });
      return { proposals: made };
    },
    { kind: "tool", diagram, icon: propose, line: 4 },
  );
  await store.create(keys.runOutput(slug, run, "summary.md"), Buffer.from("A short text about A.\n"));
  const { contract: _, ...held } = pins;
  const { manifest } = await writeManifest({ garden: ground, pause: ground.pause }, place, {
    ...held,
    trigger: "manual",
    status: "completed",
    model_used: "bloom/follower",
    error: null,
    outcome: made.length > 0 ? { kind: "effects", proposals: made } : { kind: "noop", reason: "nothing new" },
    engine: "embedded",
    forked_from: null,
    error_details: null,
  });
  return { slug, run, pins, manifest, trace };
}

async function pinned({ store, repo }: Pick<Garden, "store" | "repo">, wishes: SampleWishes): Promise<LoadedContext> {
  const there = await store.get(contractKey(wishes.slug));
  const contract =
    wishes.contract ?? (there ? Buffer.from(there.bytes).toString() : "---\nname: sample\n---\n\nDo it.\n");
  return {
    agent_version: wishes.version ?? "1.0.0",
    contract_hash: contractHash(contract),
    logic_version: wishes.logic ?? null,
    behaviour_id: wishes.behaviour ?? null,
    garden_commit: (await repo.resolve(MAIN_REF))!,
    contract,
  };
}

const traceOf = (run: string): Uint8Array =>
  Buffer.from(
    [
      { kind: "run", run },
      { kind: "tool", name: "list-notes", output: ["notes/a.md"] },
      { kind: "model", text: "A short text about A." },
    ]
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(""),
  );
