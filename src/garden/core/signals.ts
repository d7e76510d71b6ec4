import type { AuditRecord } from "../../domain/audit-record.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";

/**
 * Tells those who listen in this process that something happened: for server-sent events, so that a page need not ask.
 * Nothing depends on it: what was missed is in `audit/`, and in the steps of a run.
 */
export interface Signals {
  publish(signal: Signal): void;
  /** Returns a function that ends the subscription. A listener that throws is not called again. */
  subscribe(listener: (signal: Signal) => void): () => void;
  /** A step of a run is on record. Told again by whoever takes the run up. */
  stepped(step: StepSignal): void;
  onStep(listener: (step: StepSignal) => void): () => void;
}

export interface Signal {
  /** The key of the audit record. */
  readonly key: string;
  readonly record: AuditRecord;
}

export interface StepSignal {
  readonly slug: string;
  readonly run: string;
  readonly step: StepRecord;
}

export function newSignals(): Signals {
  const records = channel<Signal>();
  const steps = channel<StepSignal>();
  return { publish: records.tell, subscribe: records.listen, stepped: steps.tell, onStep: steps.listen };
}

function channel<T>(): {
  readonly tell: (signal: T) => void;
  readonly listen: (listener: (signal: T) => void) => () => void;
} {
  const listeners = new Set<(signal: T) => void>();
  return {
    tell(signal) {
      for (const listener of listeners) {
        try {
          listener(signal);
        } catch {
          listeners.delete(listener);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
