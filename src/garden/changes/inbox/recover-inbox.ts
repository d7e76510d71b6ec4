import { asFailure, type Failure, failureFromRecord } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { keys } from "../../../domain/layout.ts";
import { type InboxEntry, inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { everyKey } from "../../../ports/store.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { dropStaleView } from "../../records/proposals/proposal-log.ts";
import { correlate } from "./correlate.ts";
import { entryAlone, entryIn, rejectionOf, takeFromPending } from "./entry-files.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { proposalIdOf } from "./proposal-from-entry.ts";
import { completeEntry, type Received, refuseEntry } from "./receive.ts";
import { correlationHash, identityOf } from "./wish.ts";

const PENDING = "inbox/pending/";

/**
 * Completes the entries that a crash left in `inbox/pending/`, as if their senders had waited, and returns the answers. Called
 * when a garden is served. An entry whose sender is no longer known is refused by the gate.
 */
export async function recoverInbox(garden: Garden): Promise<readonly Received[]> {
  const config = await currentSettings(garden);
  const done: Received[] = [];
  for await (const { key } of everyKey(garden.store, PENDING)) {
    const filed = await entryIn(garden.store, key);
    if (!filed || isFresh(garden, filed.source.timestamp)) continue;
    const entry = inboxEntry.parse(entryAlone(filed));
    const received = await oneAtATime(garden.store, correlationHash(entry), () =>
      recoverEntry(garden, config, entry).catch((error: unknown) => giveUpEntry(garden, entry, asFailure(error))),
    );
    // A crash between the view and the first event of the proposal: the gate refuses it now, so the view is of nothing.
    if (received?.kind === "refused") await dropViewOf(garden, entry);
    if (received) done.push(received);
  }
  return done;
}

async function dropViewOf({ store }: Garden, entry: InboxEntry): Promise<void> {
  const id = proposalIdOf(entry);
  await dropStaleView(store, id, keys.pendingProposal(id));
}

/** A fresh entry is skipped: another process may be working on it while the sender waits. */
const FRESH_MS = 10_000;
function isFresh({ world }: Garden, timestamp: string): boolean {
  const age = world.now() - Date.parse(timestamp);
  return age >= 0 && age < FRESH_MS;
}

async function recoverEntry(garden: Garden, config: GardenConfig, entry: InboxEntry): Promise<Received | undefined> {
  if (!(await entryIn(garden.store, keys.pendingEntry(entry.id)))) return undefined; // completed while we waited
  if (entry.metadata.correlation_id !== entry.id) {
    const first = await correlate(garden.store, entry);
    if (first.entry !== entry.id) {
      await takeFromPending(garden.store, entry);
      return undefined;
    }
  }
  const rejection = await rejectionOf(garden.store, entry);
  if (rejection) return refuseEntry(garden, entry, rejection.check, failureFromRecord(rejection));
  return completeEntry(garden, config, entry, identityOf(entry.source, config), true);
}

/**
 * An entry that makes recovery fail would fail every time and block all entries behind it: it is filed as refused. While a part
 * of the garden is unavailable, the failure is thrown and the entry stays pending.
 */
async function giveUpEntry(garden: Garden, entry: InboxEntry, failure: Failure): Promise<Received> {
  if (failure.code === "UPSTREAM_UNAVAILABLE") throw failure;
  return refuseEntry(garden, entry, "recovered", failure);
}
