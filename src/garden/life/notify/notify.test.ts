import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../base/failure.ts";
import type { NotifyDestination } from "../../../domain/config/garden-config.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { OutgoingMessage } from "../../../domain/notification.ts";
import type { Messenger } from "../../../ports/messenger.ts";
import { everyKey } from "../../../ports/store.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { decide } from "../../changes/proposals/decide.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import { deliverNotifications, NOTIFY_PAUSES_MS } from "./deliver.ts";
import { notifyReports } from "./notify-status.ts";
import { messagesOf, putMessage } from "./outbox.ts";

const HOOK = "{ name: phone, webhook: https://hooks.example.com/x, secret_env: PHONE }";
const HOUR = 3_600_000;

async function ground(notify: string = HOOK) {
  let now = Date.parse("2026-02-14T08:00:00Z");
  let drawn = 0;
  const world = {
    now: () => now,
    random: (count: number) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
  };
  const { garden, dir } = await gardenWith(undefined, testPorts(world));
  appendFileSync(join(dir, "garden.yaml"), `\nnotify:\n  - ${notify}\n`);
  const got: { to: string; message: OutgoingMessage }[] = [];
  const answers: (Failure | undefined)[] = [];
  const messenger: Messenger = {
    send: (to: NotifyDestination, message) => {
      got.push({ to: to.name, message });
      const failure = answers.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    },
  };
  const look = async (): Promise<string[]> => {
    const from = got.length;
    await deliverNotifications(garden, messenger);
    return got.slice(from).map(({ to, message: { kind, title } }) => `${to} ${kind} ${title}`);
  };
  await look(); // from now on the destination is told
  return { garden, dir, look, answers, got, messenger, pass: (ms: number) => void (now += ms) };
}

async function proposed(garden: Garden, text: string): Promise<{ id: string; digest: string }> {
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "propose-comment",
    payload: { note: "notes/a.md", text },
    summary: text,
  });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

const failed = (outcome: "none" | "unknown"): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає", outcome });

describe("P-12a notifications", () => {
  test("a destination is told once of a proposal that waits, also after the views are deleted", async () => {
    const { garden, look, pass } = await ground();
    const { id } = await proposed(garden, "First");
    pass(5000);
    expect(await look()).toEqual(["phone proposal Rose: owner proposes: First"]);
    pass(HOUR);
    for await (const { key } of everyKey(garden.store, keys.notifyMessages("phone"))) await garden.store.delete(key);
    expect([await look(), await look()]).toEqual([[], []]);
    expect(id).toMatch(/^prop_/);
  });

  test("what happened before a destination was configured, and a proposal that was decided meanwhile, is not told", async () => {
    const { garden, dir, look, pass } = await ground("{ name: other, command: [cat] }");
    const { id, digest } = await proposed(garden, "Early");
    pass(HOUR);
    await look();
    const file = join(dir, "garden.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/notify:\n.*\n/, `notify:\n  - ${HOOK}\n`));
    expect(await look()).toEqual([]);
    const late = await proposed(garden, "Late");
    for (const one of [{ id, digest }, late])
      await decide(garden, {
        proposal: one.id,
        digest: one.digest,
        verdict: "reject",
        by: commandLineOwner,
        note: "no",
      });
    pass(5000);
    expect(await look()).toEqual([]);
  });

  test("a definite failure is retried with growing pauses, shown, and given up in the end", async () => {
    const { garden, look, answers, pass } = await ground();
    answers.push(...NOTIFY_PAUSES_MS.map(() => failed("none")), failed("none"));
    await proposed(garden, "First");
    pass(5000);
    const tries = [(await look()).length];
    expect(await notifyReports(garden)).toMatchObject([{ waiting: 1, error: { en: "away" } }]);
    for (const pause of NOTIFY_PAUSES_MS) {
      pass(pause - 1);
      tries.push((await look()).length);
      pass(2);
      tries.push((await look()).length);
    }
    expect(tries).toEqual([1, ...NOTIFY_PAUSES_MS.flatMap(() => [0, 1])]);
    expect(await notifyReports(garden)).toMatchObject([{ sent: 0, waiting: 0, failed: 1, error: { en: "away" } }]);
  });

  test.each(["the destination did not answer", "the process died while it was sent"])(
    "a message is not sent again if %s",
    async (how) => {
      const { garden, look, answers, pass } = await ground();
      const isKill = how.startsWith("the process");
      answers.push(isKill ? undefined : failed("unknown"));
      await proposed(garden, "First");
      pass(5000);
      await look();
      const [message] = await messagesOf(garden.store, "phone");
      if (isKill) await putMessage(garden, { ...message!, state: "sending" });
      pass(HOUR);
      expect([await look(), await look(), await notifyReports(garden)]).toMatchObject([[], [], [{ failed: 1 }]]);
    },
  );

  test("a message that was made and not sent before a kill is sent by the next process", async () => {
    const { garden, look, answers, pass } = await ground();
    answers.push(undefined);
    await proposed(garden, "First");
    pass(5000);
    await look();
    const [message] = await messagesOf(garden.store, "phone");
    await putMessage(garden, { ...message!, state: "waiting", attempts: 0 });
    expect(await look()).toEqual(["phone proposal Rose: owner proposes: First"]);
  });

  test("quiet hours hold messages back, and many at a time are one message", async () => {
    const { garden, look, pass } = await ground(
      '{ name: night, command: [mail], quiet: { from: "08:00", to: "09:30" } }',
    );
    for (const text of ["a", "b", "c", "d", "e"]) await proposed(garden, text);
    pass(HOUR);
    expect(await look()).toEqual([]);
    pass(HOUR);
    expect([await look(), await look()]).toEqual([["night digest Rose: 5 things need you"], []]);
  });

  test("a digest comes once a day at its time, with what still matters", async () => {
    const { garden, look, pass } = await ground('{ name: daily, command: [mail], digest: "18:00", kinds: [proposal] }');
    await proposed(garden, "a");
    await proposed(garden, "b");
    pass(9 * HOUR);
    expect(await look()).toEqual([]);
    pass(HOUR + 1);
    expect([await look(), await look()]).toEqual([["daily digest Rose: 2 things need you"], []]);
    pass(24 * HOUR);
    expect(await look()).toEqual([]);
  });

  test("a proposal about to expire, a question, an agent in error and a failed run are told by kind", async () => {
    const { garden, look, pass } = await ground(
      "{ name: phone, command: [mail], kinds: [expiring, question, agent-error, run-failed] }",
    );
    await proposed(garden, "Old");
    pass(50 * HOUR);
    const at = new Date(Date.parse("2026-02-16T10:00:00Z")).toISOString();
    const say = (kind: "run-held" | "agent-status" | "run-finished", details: Record<string, string>) =>
      recordAudit(garden, `test-${kind}`, { kind, at, by: "echo", subject: "echo", why: "why", details });
    await say("run-held", {});
    await say("agent-status", { status: "error" });
    await say("run-finished", { status: "failed" });
    const [told] = await look();
    expect(told).toBe("phone digest Rose: 4 things need you");
  });

  test("a full disk is told directly, once, because it can hold no message", async () => {
    const { garden, got, messenger } = await ground();
    const full = new Failure("UPSTREAM_UNAVAILABLE", {
      en: "the disk of the store is full",
      uk: "диск сховища заповнено",
      details: { reason: "ENOSPC" },
    });
    const broken = { ...garden, store: { ...garden.store, list: () => Promise.reject(full) } };
    for (let n = 0; n < 3; n++) await deliverNotifications(broken, messenger).catch(() => undefined);
    expect(got.map(({ message }) => message.title)).toEqual(["Rose: the disk of the store is full"]);
  });
});
