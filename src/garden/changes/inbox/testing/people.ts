import type { World } from "../../../../base/world.ts";
import { auditRecord } from "../../../../domain/audit-record.ts";
import { commandLineOwner, type Identity } from "../../../../domain/identity.ts";
import { contractKey, keys } from "../../../../domain/layout.ts";
import type { Proposal } from "../../../../domain/proposal/proposal.ts";
import { everyKey, type Store } from "../../../../ports/store.ts";
import { contractText } from "../../../agents/testing/contract-text.ts";
import type { Garden } from "../../../core/garden.ts";
import { type Received, receive, type Wish } from "../receive.ts";

/** The identities of tests of the gate. */
export const owner = commandLineOwner;
export const RUN = "run_2026-02-14_080000_abc123";
export const archivist: Extract<Identity, { type: "agent" }> = { type: "agent", slug: "archivist", run: RUN };
export const calendar: Identity = { type: "webhook", name: "calendar", actions: ["propose-note"] };
export const choir: Identity = {
  type: "guest",
  zone: "choir",
  folders: ["notes/choir"],
  actions: ["propose-note", "propose-edit", "propose-comment", "propose-summary"],
};
export const gateway: Identity = { type: "gateway" };

/** An agent that may propose, and its run. */
export async function withAgent(
  { store }: Pick<Garden, "store">,
  slug = "archivist",
  over: Readonly<Record<string, string>> = {},
): Promise<void> {
  const fields = {
    status: "active",
    safe_outputs: "[propose-note, propose-edit, propose-artifact, propose-tag]",
    ...over,
  };
  await store.create(contractKey(slug), Buffer.from(contractText(slug, fields)));
  await store.create(keys.runRequest(slug, RUN), Buffer.from("{}"));
}

export const note = (path = "notes/new.md", text = "# New\n"): Pick<Wish, "action" | "payload"> => ({
  action: "propose-note",
  payload: { path, text },
});

/** The proposal that a wish became; a refusal fails the test. */
export async function accepted(garden: Garden, wish: Partial<Wish> = {}): Promise<Proposal> {
  const received = await receive(garden, { identity: owner, ...note(), ...wish });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

/** `FORBIDDEN may-touch`, or `accepted`. */
export async function answered(garden: Garden, wish: Partial<Wish>): Promise<string> {
  const received = await receive(garden, { identity: owner, ...note(), ...wish });
  return received.kind === "accepted"
    ? "accepted"
    : `${received.failure.code} ${await checkOf(garden.store, received)}`;
}

async function checkOf(store: Store, { entry }: Received): Promise<string> {
  if (!entry) return "unfiled";
  const key = keys.rejectedEntry(entry.source.timestamp, entry.id);
  const filed = JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()) as { rejection: { check: string } };
  return filed.rejection.check;
}

export async function keysUnder(store: Store, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
}

/** `decided owner`, in order of time. */
export async function audited(store: Store): Promise<string[]> {
  const records: string[] = [];
  for (const key of await keysUnder(store, "audit/")) {
    const { kind, by } = auditRecord.parse(JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()));
    records.push(`${kind} ${by}`);
  }
  return records;
}

/** A clock that a test moves. */
export function clock(start = "2026-02-14T08:00:00Z"): World & { move(ms: number): void } {
  let [time, drawn] = [Date.parse(start), 0];
  return {
    now: () => time,
    random: (count) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
    move: (ms) => void (time += ms),
  };
}
