import type { Json } from "../../../../base/canonical.ts";
import { crashPoint } from "../../../../base/crash-point.ts";
import { keys } from "../../../../domain/layout.ts";
import type { Action } from "../../../../domain/proposal/action.ts";
import { type SandboxEntry, sandboxEntry, sandboxIdOf } from "../../../../domain/run/sandbox.ts";
import type { ToolCallScope } from "../../../../ports/runtime.ts";
import { previewWish } from "../../../changes/inbox/preview-wish.ts";
import { createRecord } from "../../../core/flow/create-record.ts";
import { realPause } from "../../../core/flow/pause.ts";
import { jsonBytes, readJson } from "../../../core/json-record.ts";
import { readAgent } from "../../../records/agents/read-agent.ts";
import { operationMark } from "../../../records/proposals/operation-mark.ts";
import { positionIn } from "../call-position.ts";
import type { ToolContext } from "../tool.ts";

/** A proposal by a tool, before it is an inbox entry. */
export interface AgentProposal {
  readonly action: Action;
  readonly payload: object;
  readonly summary: string;
  readonly reasoning?: string | undefined;
  readonly priority?: "normal" | "high" | undefined;
}

/**
 * S-7: a proposal of an experiment. It passes the same gate, and then lies in the sandbox instead of the inbox. Idempotent: its id is that of
 * the step. The view is written first: an entry without a record is left out of lists.
 */
export async function fileInSandbox(
  context: ToolContext,
  call: ToolCallScope,
  wish: AgentProposal,
  journal: SandboxEntry["journal"],
): Promise<{ readonly kind: "filed"; readonly entry: SandboxEntry } | Refused> {
  const { garden, slug, run, contract } = context;
  const { store, world } = garden;
  const step = positionIn(call.key);
  const id = sandboxIdOf(run, step);
  const key = keys.sandboxEntry(slug, run, id);
  const known = await store.get(key);
  if (known) return { kind: "filed", entry: readJson(key, known.bytes, sandboxEntry) };
  const tried = { ...(await readAgent(store, slug)), contract };
  const seen = await previewWish(garden, { identity: context.identity, ...wish }, tried);
  if (seen.kind === "refused") return { kind: "refused", failure: seen.failure };
  const draft = sandboxEntry.parse({
    id,
    run_id: run,
    agent_slug: slug,
    step,
    action: seen.action,
    target: seen.target,
    payload: JSON.parse(JSON.stringify(wish.payload)) as Json,
    summary: wish.summary,
    reasoning: wish.reasoning,
    priority: wish.priority,
    journal,
    made_at: new Date(world.now()).toISOString(),
    op: operationMark(world),
  });
  await store.put(keys.openSandboxEntry(id), jsonBytes({ id, run, slug }));
  crashPoint("run.sandbox.shown");
  const { bytes } = await createRecord({ store, pause: realPause }, key, jsonBytes(draft));
  crashPoint("run.sandbox.filed");
  return { kind: "filed", entry: readJson(key, bytes, sandboxEntry) };
}

type Refused = { readonly kind: "refused"; readonly failure: Extract<Preview, { kind: "refused" }>["failure"] };
type Preview = Awaited<ReturnType<typeof previewWish>>;
