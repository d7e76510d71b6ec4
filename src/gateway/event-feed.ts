import type { AuditRecord } from "../domain/audit-record.ts";
import { auditRecord } from "../domain/audit-record.ts";
import { keys } from "../domain/layout.ts";
import type { Garden } from "../garden/core/garden.ts";
import { tryReadJson } from "../garden/core/json-record.ts";
import type { Store } from "../ports/store.ts";

/**
 * What happens in a garden, as it happens: told by this process at once, and found in the tail of the audit for what
 * other processes did. One look at the tail serves all listeners.
 */
export interface EventFeed {
  /** Tells every record from now on, each once. Returns a function that ends it. */
  listen(listener: (event: FeedEvent) => void): () => void;
  /**
   * What a listener may have missed after a record, oldest first. Records of one second stand in no order of time, and one
   * may turn up late: those of shortly before are told again, and the listener knows them by their ids.
   */
  since(key: string): AsyncIterable<FeedEvent>;
  readonly listeners: number;
  /** Settles when whatever is recorded from now on is told to those who listen: what was there before has been passed over. */
  ready(): Promise<void>;
  /** Ends everything, for a gateway that stops. */
  readonly ended: AbortSignal;
}

export interface FeedEvent {
  /** The key of the record: a listener that comes back names the last one that it saw. */
  readonly id: string;
  readonly record: AuditRecord;
}

/** Records are named by the time of what they tell: one may turn up behind another that is a little newer. */
const LOOK_BACK_MS = 30_000;
const POLL_MS = 2000;

export function eventFeed(garden: Garden, ended: AbortSignal, pollMs = POLL_MS): EventFeed {
  const listeners = new Set<(event: FeedEvent) => void>();
  /** Keys that were told, as far back as we look. */
  const told = new Set<string>();
  let stop: (() => void) | undefined;
  let passedOver: Promise<void> = Promise.resolve();

  const tell = (event: FeedEvent): void => {
    if (told.has(event.id)) return;
    told.add(event.id);
    for (const listener of listeners) listener(event);
  };

  const look = async (quietly: boolean): Promise<void> => {
    const from = garden.world.now() - LOOK_BACK_MS;
    for await (const event of recordsAfter(garden.store, keyAt(from))) {
      if (quietly) told.add(event.id);
      else tell(event);
    }
    for (const key of told) if (key < keyAt(from - LOOK_BACK_MS)) told.delete(key);
  };

  const start = (): (() => void) => {
    const unsubscribe = garden.signals.subscribe(({ key, record }) => tell({ id: key, record }));
    let timer: NodeJS.Timeout | undefined;
    let going = true;
    // A store that is away for a moment is asked again: health tells about it, and nothing is lost.
    const turn = async (first: boolean): Promise<void> => {
      await look(first).catch(() => undefined);
      if (going) timer = setTimeout(() => void turn(false), pollMs).unref();
    };
    passedOver = turn(true);
    return () => {
      going = false;
      clearTimeout(timer);
      unsubscribe();
      told.clear();
    };
  };

  return {
    listen(listener) {
      listeners.add(listener);
      stop ??= start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    async *since(key) {
      for await (const event of recordsAfter(garden.store, keyAt(timeOf(key) - LOOK_BACK_MS)))
        if (event.id !== key) yield event;
    },
    get listeners() {
      return listeners.size;
    },
    ready: () => passedOver,
    ended,
  };
}

export async function* recordsAfter(store: Store, after: string): AsyncGenerator<FeedEvent> {
  let from = after;
  for (;;) {
    const page = await store.list(AUDIT, { after: from, limit: 200 });
    for (const { key } of page.entries) {
      const record = await readRecord(store, key);
      if (record) yield { id: key, record };
      from = key;
    }
    if (page.next === undefined) return;
  }
}

export async function readRecord(store: Store, key: string): Promise<AuditRecord | undefined> {
  const stored = await store.get(key);
  return tryReadJson(stored?.bytes, auditRecord);
}

export const AUDIT = "audit/";
export const isAuditKey = (text: string): boolean =>
  /^audit\/\d{4}-[01]\d\/[0-3]\d\/[0-2]\d[0-5]\d[0-5]\d-[\w.^%-]{1,250}\.json$/u.test(text);

/** `audit/2026-02/14/080000-…` */
const timeOf = (key: string): number => {
  const [, month, day, name] = key.split("/");
  return Date.parse(`${month}-${day}T${name!.slice(0, 2)}:${name!.slice(2, 4)}:${name!.slice(4, 6)}Z`);
};

/** A key that stands before every record of that second. */
const keyAt = (at: number): string => {
  const iso = new Date(at).toISOString();
  return keys.audit(iso, iso.slice(11, 19).replaceAll(":", "")).replace(/\.json$/, "");
};
