import type { AuditRecord } from "../domain/audit-record.ts";
import type { Garden } from "../garden/core/garden.ts";
import { auditAfter, auditKeyAt, auditTimeOf } from "../garden/insight/audit-log.ts";

/**
 * Audit records as they are written. Records of this process come at once by a signal; those of other processes are found by
 * polling the end of the audit log. One poll serves all listeners, and none runs without listeners.
 */
export interface EventFeed {
  /** Delivers every record from now on, each once. Returns the unsubscribe function. */
  listen(listener: (event: FeedEvent) => void): () => void;
  /**
   * Records after a key, oldest first. Records of one second are not in order of time, and one may be written late: those of the last
   * `LOOK_BACK_MS` before the key are repeated, and the listener drops the ids that it has seen.
   */
  since(key: string): AsyncIterable<FeedEvent>;
  readonly listeners: number;
  /** Resolves once the existing records are skipped: everything written later is delivered. */
  ready(): Promise<void>;
  /** Aborted on shutdown: ends the streams. */
  readonly ended: AbortSignal;
}

export interface FeedEvent {
  /** The key of the record. A listener that reconnects names the last one that it saw. */
  readonly id: string;
  readonly record: AuditRecord;
}

/** A key holds the time of its event, and the record is written a little later: so a new key may sort before one already seen. */
const LOOK_BACK_MS = 30_000;
const POLL_MS = 1000;

export function eventFeed(garden: Garden, ended: AbortSignal, pollMs = POLL_MS): EventFeed {
  const listeners = new Set<(event: FeedEvent) => void>();
  /** Keys delivered or skipped within the look-back window. */
  const seen = new Set<string>();
  let stop: (() => void) | undefined;
  let skipped: Promise<void> = Promise.resolve();

  const deliver = (event: FeedEvent): void => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    for (const listener of listeners) listener(event);
  };

  const poll = async (skip: boolean): Promise<void> => {
    const from = garden.world.now() - LOOK_BACK_MS;
    for await (const { key, record } of auditAfter(garden.store, auditKeyAt(from), (each) => seen.has(each))) {
      if (skip) seen.add(key);
      else deliver({ id: key, record });
    }
    for (const key of seen) if (key < auditKeyAt(from - LOOK_BACK_MS)) seen.delete(key);
  };

  const start = (): (() => void) => {
    const unsubscribe = garden.signals.subscribe(({ key, record }) => deliver({ id: key, record }));
    let timer: NodeJS.Timeout | undefined;
    let isActive = true;
    // An unavailable store is polled again; /health reports it, and no record is lost.
    const turn = async (isFirst: boolean): Promise<void> => {
      await poll(isFirst).catch(() => undefined);
      if (isActive) timer = setTimeout(() => void turn(false), pollMs).unref();
    };
    skipped = turn(true);
    return () => {
      isActive = false;
      clearTimeout(timer);
      unsubscribe();
      seen.clear();
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
      const from = auditKeyAt(auditTimeOf(key) - LOOK_BACK_MS);
      for await (const entry of auditAfter(garden.store, from))
        if (entry.key !== key) yield { id: entry.key, record: entry.record };
    },
    get listeners() {
      return listeners.size;
    },
    ready: () => skipped,
    ended,
  };
}
