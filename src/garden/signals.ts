import type { AuditRecord } from "../domain/audit-record.ts";

/**
 * Tells those who listen in this process that something happened: for server-sent events, so that a page need not ask.
 * Nothing depends on it: what was missed is in `audit/`.
 */
export interface Signals {
  publish(signal: Signal): void;
  /** Returns a function that ends the subscription. A listener that throws is not called again. */
  subscribe(listener: (signal: Signal) => void): () => void;
}

export interface Signal {
  /** The key of the audit record. */
  readonly key: string;
  readonly record: AuditRecord;
}

export function newSignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  return {
    publish(signal) {
      for (const listener of listeners) {
        try {
          listener(signal);
        } catch {
          listeners.delete(listener);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
