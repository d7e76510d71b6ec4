import type { AuditRecord } from "../../domain/audit-record.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";

/**
 * Events inside this process, for server-sent events. Nothing depends on them: missed ones are in `audit/` and in the
 * steps of a run.
 */
export interface Signals {
  publish(signal: Signal): void;
  /** Returns a function that ends the subscription. A listener that throws is not called again. */
  subscribe(listener: (signal: Signal) => void): () => void;
  /** A step of a run was recorded. Published again when another process takes the run over. */
  publishStep(step: StepSignal): void;
  subscribeSteps(listener: (step: StepSignal) => void): () => void;
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
  return {
    publish: records.publish,
    subscribe: records.subscribe,
    publishStep: steps.publish,
    subscribeSteps: steps.subscribe,
  };
}

function channel<T>(): {
  readonly publish: (signal: T) => void;
  readonly subscribe: (listener: (signal: T) => void) => () => void;
} {
  const listeners = new Set<(signal: T) => void>();
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
