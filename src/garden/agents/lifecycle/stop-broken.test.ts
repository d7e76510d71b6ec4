import { describe, expect, test } from "vitest";
import { auditRecord } from "../../../domain/audit-record.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import { movableWorld } from "../../core/flow/testing/flow-deps.ts";
import type { Garden } from "../../core/garden.ts";
import { readRegistry } from "../../records/agents/registry.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { changeAgentStatus } from "./change-status.ts";
import { stopBrokenAgents } from "./stop-broken.ts";

async function ground(over: Readonly<Record<string, string>> = {}) {
  const time = movableWorld("2026-02-14T08:00:00Z");
  let drawn = 0;
  const world = {
    now: () => time.now(),
    random: (count: number) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
  };
  const { garden } = await gardenWith(undefined, testPorts(world));
  const fields = { logic_version: "v001", status: "active", ...over };
  await garden.store.create(contractKey("echo"), Buffer.from(contractText("echo", fields)));
  /** Two looks, as far apart as those of a server. */
  const look = async (): Promise<readonly string[]> => {
    const first = await stopBrokenAgents(garden);
    time.move(3000);
    return [...first, ...(await stopBrokenAgents(garden))];
  };
  return { garden, look, pass: (ms: number) => time.move(ms) };
}

const textOf = async ({ store }: Garden): Promise<string> =>
  Buffer.from((await store.get(contractKey("echo")))!.bytes).toString();

async function edit({ store }: Garden, change: (text: string) => string): Promise<void> {
  const stored = (await store.get(contractKey("echo")))!;
  await store.swap(contractKey("echo"), stored.hash, Buffer.from(change(Buffer.from(stored.bytes).toString())));
}

async function errorsIn({ store }: Garden): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, "audit/")) {
    const { kind, by, why, details } = auditRecord.parse(
      JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()),
    );
    if (kind === "agent-status" && details["status"] === "error") found.push(`${by}: ${why}`);
  }
  return found;
}

const statusLine = (text: string): string | undefined => /^status.*$/m.exec(text)?.[0];

describe("C-7 a contract that no longer holds", () => {
  test.each<[string, (text: string) => string, RegExp, string?]>([
    ["a misspelt field", (text) => text.replace("tools:", "toolz:"), /toolz/],
    ["an unknown model", (text) => text.replace("bloom/follower", "bloom/folower"), /bloom\/follower/],
    ["a missing diagram", (text) => text.replace("status:", "generated_from: gone.drakon.json\nstatus:"), /gone/],
    ["another slug", (text) => text.replace("slug: echo", "slug: other"), /slug/],
    ["damaged YAML", (text) => text.replace("description: ", "description: [ "), /_agent\.md:\d/],
    ["a missing end of the front matter", (text) => text.replace("\n---\n", "\n"), /_agent\.md:\d/],
  ])("%s sets the active agent to error, once, and says why", async (_, change, why) => {
    const { garden, look } = await ground();
    expect(await look()).toEqual([]);
    await edit(garden, change);
    expect(await look()).toEqual(["echo"]);
    const after = await textOf(garden);
    expect(statusLine(after)).toBe("status: error");
    expect([...(await look()), ...(await look())]).toEqual([]);
    const told = await errorsIn(garden);
    expect({ count: told.length, why: why.test(told[0]!), unchanged: (await textOf(garden)) === after }).toEqual({
      count: 1,
      why: true,
      unchanged: true,
    });
  });

  test("an agent in error is started by its owner's activation, after the file is mended", async () => {
    const { garden, look } = await ground();
    await edit(garden, (text) => text.replace("tools:", "toolz:"));
    await look();
    await edit(garden, (text) => text.replace("toolz:", "tools:"));
    expect(await look()).toEqual([]);
    expect(statusLine(await textOf(garden))).toBe("status: error");
    await changeAgentStatus(garden, { slug: "echo", to: "active", by: commandLineOwner });
    expect([await look(), statusLine(await textOf(garden))]).toEqual([[], "status: active"]);
  });

  test("a file that is being written is left alone until it stays the same", async () => {
    const { garden, pass } = await ground();
    await edit(garden, (text) => text.slice(0, 100));
    await stopBrokenAgents(garden);
    pass(1000);
    expect([await stopBrokenAgents(garden), (await textOf(garden)).length]).toEqual([[], 100]);
    await edit(garden, () => contractText("echo", { logic_version: "v001", status: "active" }));
    pass(3000);
    expect([await stopBrokenAgents(garden), await errorsIn(garden)]).toEqual([[], []]);
  });

  test("a file without a readable status is told once, and listed as error until it can be read", async () => {
    const { garden, look } = await ground();
    const whole = await textOf(garden);
    await edit(garden, () => "nothing of a contract");
    await look();
    await look();
    const listed = async () => (await readRegistry(garden)).agents.map(({ status }) => status);
    expect([(await errorsIn(garden)).length, await listed()]).toEqual([1, ["error"]]);
    await edit(garden, () => whole);
    await look();
    expect([await listed(), await garden.store.get(keys.unreadableContract("echo"))]).toEqual([["active"], undefined]);
  });

  test.each(["draft", "paused", "archived"])("an agent that is %s is not touched", async (status) => {
    const { garden, look } = await ground({ status, toolz: "[]" });
    const before = await textOf(garden);
    expect([await look(), (await textOf(garden)) === before, await errorsIn(garden)]).toEqual([[], true, []]);
  });

  test("the audit record is completed after a crash behind the status line", async () => {
    const { garden, look } = await ground({ status: "error", updated_at: '"2026-02-14T07:59:00Z"' });
    await look();
    await edit(garden, (text) => `${text}\nmore`);
    await look();
    expect((await errorsIn(garden)).length).toBe(1);
  });
});
