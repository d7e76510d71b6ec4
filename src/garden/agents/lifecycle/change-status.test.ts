import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { isFailure } from "../../../base/failure.ts";
import { auditRecord } from "../../../domain/audit-record.ts";
import { type AgentState, agentMoves, agentStates } from "../../../domain/contract/agent-state.ts";
import { commandLineOwner, type Identity } from "../../../domain/identity.ts";
import { contractKey } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { changeAgentStatus } from "./change-status.ts";

const run = { type: "agent", slug: "echo", run: "run_2026-02-14_080000_abc123" } as const;
const gateway: Identity = { type: "gateway" };

async function gardenWithEcho(over: Record<string, string | undefined> = {}, body?: string): Promise<Garden> {
  const { garden } = await gardenWith();
  await garden.store.create(
    contractKey("echo"),
    Buffer.from(contractText("echo", { logic_version: "v001", ...over }, body)),
  );
  return garden;
}

const textOf = async (store: Store): Promise<string> =>
  Buffer.from((await store.get(contractKey("echo")))!.bytes).toString();

/** `from → status by`, in order of time. */
async function audited(store: Store): Promise<string[]> {
  const records: string[] = [];
  for await (const { key } of everyKey(store, "audit/")) {
    const { kind, by, details } = auditRecord.parse(JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()));
    if (kind === "agent-status")
      records.push(`${(details["from"] as string | undefined) ?? "?"} → ${details["status"] as string} by ${by}`);
  }
  return records;
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );

describe("C-6 states", () => {
  test("only the transitions of source 001 §4.1 are allowed, and a refusal names both states", async () => {
    const garden = await gardenWithEcho();
    const wrong: string[] = [];
    for (const from of agentStates) {
      for (const to of agentStates) {
        const stored = (await garden.store.get(contractKey("echo")))!;
        const text = contractText("echo", { logic_version: "v001", status: from });
        await garden.store.swap(contractKey("echo"), stored.hash, Buffer.from(text));
        const by = to === "error" ? gateway : commandLineOwner;
        const answer = await changeAgentStatus(garden, { slug: "echo", to, by }).catch((error: unknown) => error);
        const allowed = agentMoves[from].includes(to);
        const late = to === "error" && from !== "active";
        const after: AgentState = (await readAgent(garden.store, "echo")).contract.status;
        const refused =
          isFailure(answer, "INVALID_AGENT_TRANSITION") &&
          answer.details["from"] === from &&
          answer.details["to"] === to;
        if (after !== (allowed ? to : from) || (!late && refused === allowed)) wrong.push(`${from} → ${to}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each<[string, Identity, AgentState, string]>([
    ["the owner can pause an agent", commandLineOwner, "paused", "done"],
    ["the owner cannot set error", commandLineOwner, "error", "FORBIDDEN"],
    ["a run can set error", run, "error", "done"],
    ["the gateway can set error", gateway, "error", "done"],
    ["a run cannot pause its agent", run, "paused", "FORBIDDEN"],
    ["a run cannot activate its agent", run, "active", "FORBIDDEN"],
    ["the gateway cannot activate an agent", gateway, "active", "FORBIDDEN"],
    ["a run of another agent cannot set error", { ...run, slug: "other" }, "error", "FORBIDDEN"],
    ["a webhook cannot pause an agent", { type: "webhook", name: "x", actions: [] }, "paused", "FORBIDDEN"],
    [
      "a guest cannot archive an agent",
      { type: "guest", zone: "x", folders: [], actions: [] },
      "archived",
      "FORBIDDEN",
    ],
  ])("%s", async (_, by, to, expected) => {
    const garden = await gardenWithEcho({ status: "active" });
    expect(await codeOf(changeAgentStatus(garden, { slug: "echo", to, by }))).toBe(expected);
  });

  test.each(["nobody", "../echo", "Echo", ""])("an agent named %j is not found", async (slug) => {
    const garden = await gardenWithEcho();
    expect(await codeOf(changeAgentStatus(garden, { slug, to: "archived", by: commandLineOwner }))).toBe("NOT_FOUND");
  });
});

describe("C-7 the status line", () => {
  test("changes together with updated_at only; the contract's hash stays the same", async () => {
    const garden = await gardenWithEcho({ status: "active # running" });
    const before = await readAgent(garden.store, "echo");
    await changeAgentStatus(garden, { slug: "echo", to: "paused", by: commandLineOwner, reason: "holiday" });
    const after = await readAgent(garden.store, "echo");
    const changed = before.text.split("\n").filter((line, index) => line !== after.text.split("\n")[index]);
    expect(changed).toEqual(['updated_at: "2026-02-01T10:00:00Z"', "status: active # running"]);
    expect({ contractHash: after.contractHash, status: after.contract.status }).toEqual({
      contractHash: before.contractHash,
      status: "paused",
    });
    expect(await audited(garden.store)).toEqual(["active → paused by owner"]);
  });

  test("an agent with an invalid contract can be stopped but not started", async () => {
    const garden = await gardenWithEcho({ status: "active", model: undefined, tols: "[]" });
    expect(await codeOf(changeAgentStatus(garden, { slug: "echo", to: "error", by: run }))).toBe("done");
    expect(await codeOf(changeAgentStatus(garden, { slug: "echo", to: "active", by: commandLineOwner }))).toBe(
      "VALIDATION_FAILED",
    );
    expect(await codeOf(changeAgentStatus(garden, { slug: "echo", to: "archived", by: commandLineOwner }))).toBe(
      "done",
    );
    expect(await textOf(garden.store)).toContain("status: archived");
  });

  test.each<[string, Record<string, string>]>([
    ["a status that does not exist", { status: "running" }],
    ["an anchor that another field refers to", { status: "&s active", "x-was": "*s" }],
  ])("%s is refused, and nothing is written", async (_, over) => {
    const garden = await gardenWithEcho(over);
    const before = await textOf(garden.store);
    expect(await codeOf(changeAgentStatus(garden, { slug: "echo", to: "paused", by: commandLineOwner }))).toBe(
      "VALIDATION_FAILED",
    );
    expect(await textOf(garden.store)).toBe(before);
  });

  test("a retry completes the record after a crash between the swap and the record", async () => {
    const garden = await gardenWithEcho({ status: "active" });
    const disarm = armCrashPoints((name) => {
      if (name === "agent.status.swapped") throw new Error("killed");
    });
    await changeAgentStatus(garden, { slug: "echo", to: "paused", by: commandLineOwner }).catch(() => undefined);
    disarm();
    expect(await audited(garden.store)).toEqual([]);
    const again = (): Promise<string> =>
      codeOf(changeAgentStatus(garden, { slug: "echo", to: "paused", by: commandLineOwner }));
    expect({ first: await again(), second: await again(), records: await audited(garden.store) }).toEqual({
      first: "INVALID_AGENT_TRANSITION",
      second: "INVALID_AGENT_TRANSITION",
      records: ["? → paused by owner"],
    });
  });
});

describe("an owner's pause and a run's error at the same time", () => {
  const pause = (garden: Garden) => changeAgentStatus(garden, { slug: "echo", to: "paused", by: commandLineOwner });
  const fail = (garden: Garden) =>
    changeAgentStatus(garden, { slug: "echo", to: "error", by: run, reason: "NotebookLM is away" });

  test.each<[string, ((garden: Garden) => Promise<unknown>)[], string[]]>([
    ["the pause comes first", [pause, fail], ["active → paused by owner", "paused → paused by echo"]],
    ["the error comes first", [fail, pause], ["active → error by echo", "error → paused by owner"]],
  ])("when %s, the agent ends paused and both changes are recorded", async (_, order, records) => {
    const garden = await gardenWithEcho({ status: "active" });
    for (const step of order) await step(garden);
    expect((await readAgent(garden.store, "echo")).contract.status).toBe("paused");
    expect((await audited(garden.store)).toSorted()).toEqual(records.toSorted());
  });

  test("lose no update in repeated races with an edit of the file", async () => {
    const garden = await gardenWithEcho({ status: "active" });
    const edit = async (): Promise<void> => {
      for (let done = false; !done; ) {
        const stored = (await garden.store.get(contractKey("echo")))!;
        const text = Buffer.from(stored.bytes).toString().replace("for tests", "for many tests");
        done = (await garden.store.swap(contractKey("echo"), stored.hash, Buffer.from(text))).kind === "swapped";
      }
    };
    for (let round = 0; round < 5; round++) {
      await Promise.all([pause(garden), fail(garden), edit()]);
      const { contract } = await readAgent(garden.store, "echo");
      expect({ status: contract.status, description: contract.description }).toEqual({
        status: "paused",
        description: "for many tests",
      });
      await changeAgentStatus(garden, { slug: "echo", to: "active", by: commandLineOwner });
    }
    const records = await audited(garden.store);
    expect(records.filter((record) => record.endsWith("by echo"))).toHaveLength(5);
    expect(records.filter((record) => record.includes("→ paused by owner"))).toHaveLength(5);
  });
});
