import { expect, test } from "vitest";
import { FAULTS, faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { isFailure } from "../../../base/failure.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../../records/agents/read-agent.ts";
import { gardensLike, gardenWith } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { changeAgentStatus } from "./change-status.ts";
import { createAgent } from "./create-agent.ts";
import { deleteAgent } from "./delete-agent.ts";

/** One verb, the retry after its failure, and the condition that must hold in the end. */
interface Story {
  readonly name: string;
  readonly status?: string;
  readonly verb: (garden: Garden) => Promise<unknown>;
  readonly again?: (garden: Garden) => Promise<unknown>;
  readonly holds: (garden: Garden) => Promise<boolean>;
}

const owner = { slug: "echo", by: commandLineOwner } as const;
const statusOf = async (garden: Garden) => (await findAgent(garden.store, "echo"))?.contract.status;
const audited = async (garden: Garden, part: string): Promise<number> => {
  let found = 0;
  for await (const { key } of everyKey(garden.store, "audit/")) if (key.includes(part)) found++;
  return found;
};

const stories: readonly Story[] = [
  {
    name: "C-6 pausing",
    status: "active",
    verb: (garden) => changeAgentStatus(garden, { ...owner, to: "paused" }),
    holds: async (garden) => (await statusOf(garden)) === "paused" && (await audited(garden, "echo-paused")) === 1,
  },
  {
    name: "C-6 deleting",
    status: "archived",
    verb: (garden) => deleteAgent(garden, { ...owner, confirm: "echo" }),
    holds: async (garden) => {
      const left = await garden.store.list(keys.agentFolder("echo"));
      return left.entries.length === 0 && (await audited(garden, "echo-deleted")) === 1;
    },
  },
  {
    name: "C-1 creating",
    verb: (garden) => createAgent(garden, { ...owner, language: "en", from: { kind: "prose" } }),
    again: async (garden) => {
      if (!(await findAgent(garden.store, "echo"))) await stories[2]!.verb(garden);
      await changeAgentStatus(garden, { ...owner, to: "active" });
    },
    holds: async (garden) => {
      const contract = (await findAgent(garden.store, "echo"))?.contract;
      return contract?.logic_version === "v001" && (contract.status === "active" || contract.status === "draft");
    },
  },
];

const { open: newGarden } = gardensLike(() => gardenWith());

async function gardenFor(story: Story): Promise<Garden> {
  const { garden } = await newGarden();
  if (story.status === undefined) return garden;
  await garden.store.create(contractKey("echo"), Buffer.from(contractText("echo", { status: story.status })));
  await garden.store.create("agents/echo/memory/observations.jsonl", Buffer.from("{}\n"));
  return garden;
}

/** Later writes of creating belong to applying a proposal, which has its own suite. */
const MOST = 10;

test.each(stories)("$name completes on retry after a store failure at any write", async (story) => {
  const wrong: string[] = [];
  for (let at = 1; at <= MOST; at++) {
    const real = await gardenFor(story);
    const store = faultyStore(real.store, { seed: at });
    const fault = FAULTS[at % FAULTS.length]!;
    store.faults.failAt(at, fault);
    const failed: unknown = await story.verb({ ...real, store }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (store.faults.counts.writes < at) break; // the verb has fewer writes than that
    if (failed !== undefined && !isFailure(failed)) throw failed;
    if (failed !== undefined) await (story.again ?? story.verb)(real).catch(expectDone);
    if (!(await story.holds(real))) wrong.push(`${fault} at write ${at}`);
  }
  expect(wrong).toEqual([]);
});

/** Accepts a refusal which says that the change is already done: the failure came after the write. */
function expectDone(error: unknown): void {
  if (!isFailure(error, "INVALID_AGENT_TRANSITION") && !isFailure(error, "NOT_FOUND")) throw error;
}
