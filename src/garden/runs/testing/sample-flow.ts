import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../../base/canonical.ts";
import { isFailure } from "../../../base/failure.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import { contractKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import { type RunStatus, runStatus } from "../../../domain/run/run.ts";
import { LOAD_CONTEXT, type RunManifest } from "../../../domain/run/run-manifest.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { manifestAt } from "../open-runs.ts";
import { requestRun } from "../request-run.ts";
import type { RunContext, RunFlow, RunFlowEnd } from "../run-flow.ts";
import type { RunVerdict } from "../verdict.ts";

/** Puts the contract of an active agent directly into the store. */
export async function withAgent(
  { store }: { readonly store: Store },
  slug: string,
  over: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  const bytes = Buffer.from(contractText(slug, { status: "active", ...over }));
  const there = await store.get(contractKey(slug));
  if (there) await store.swap(contractKey(slug), there.hash, bytes);
  else await store.create(contractKey(slug), bytes);
}

/** A run that pins its context first and ends in a noop; the test provides the steps in between. */
export const flowOf =
  (program: (context: RunContext) => Promise<RunFlowEnd | void>): RunFlow =>
  async (context) => {
    const { garden, place, flow } = context;
    await flow.step(LOAD_CONTEXT, { agent: place.slug }, async () => {
      const contract = Buffer.from((await garden.store.get(contractKey(place.slug)))!.bytes).toString();
      return {
        agent_version: "1.0.0",
        contract_hash: contractHash(contract),
        logic_version: null,
        behaviour_id: null,
        garden_commit: (await garden.repo.resolve(MAIN_REF))!,
        contract,
      };
    });
    const end = await program(context);
    return end ?? { kind: "ended", verdict: NOOP };
  };

const NOOP: RunVerdict = {
  status: "completed",
  outcome: { kind: "noop", reason: "as the test wants it" },
  error: null,
  critical: false,
};

/** Steps that only record that they ran. */
export const steps =
  (count: number, said: (line: string) => void = () => undefined) =>
  async ({ flow, place }: RunContext): Promise<void> => {
    for (let n = 1; n <= count; n++) {
      await flow.step(`step-${n}`, { n }, async (): Promise<Json> => {
        said(`${place.run} ${n}`);
        return n;
      });
    }
  };

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 5000) throw new Error("it never came");
    await sleep(2);
  }
}

export const endOf = (garden: Garden, place: RunPlace): Promise<RunManifest | undefined> =>
  manifestAt(garden.store, place);

export async function statusOf({ store }: Garden, { slug, run }: RunPlace): Promise<RunStatus | undefined> {
  const stored = await store.get(keys.runStatus(slug, run));
  return stored && runStatus.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
}

export const requestedEcho = async (garden: Garden, slug = "echo"): Promise<RunPlace> => {
  const { run_id: run } = await requestRun(garden, { slug, trigger: "manual", by: "owner" });
  return { slug, run };
};
export const auditKinds = async ({ store }: Garden): Promise<string[]> => {
  const kinds: string[] = [];
  for await (const { key } of everyKey(store, "audit/")) {
    kinds.push((JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()) as { kind: string }).kind);
  }
  return kinds;
};
export const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    return `gave ${JSON.stringify(await promise)}`;
  } catch (error) {
    return isFailure(error) ? error.code : String(error);
  }
};
