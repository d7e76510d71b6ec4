import { Failure, type FailureCode, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";

/**
 * Reasons why a run needs a decision: `changed` — the program asks for another step than the journal has; `in-flight` —
 * an act that is not idempotent had begun when a process died, and it is unknown whether it happened.
 */
export type DecisionReason = "changed" | "in-flight";

interface StepNamed {
  readonly name: string;
  readonly input_hash: string;
}

export const decisionNeeded = (
  reason: DecisionReason,
  asked: {
    readonly run: string;
    readonly position: number;
    readonly name: string;
    readonly hash: string;
    /** The number of times an in-flight act has begun. */
    readonly times?: number;
  },
  there: StepNamed,
): Failure =>
  new Failure("INVALID_TRANSITION", {
    ...(reason === "changed"
      ? {
          en: `step ${asked.position} of the run ${asked.run} is on record as ${there.name}, and the program now asks for ${asked.name}${asked.name === there.name ? " with another input" : ""}`,
          uk: `крок ${asked.position} запуску ${asked.run} записано як ${there.name}, а програма тепер просить ${asked.name}${asked.name === there.name ? " з іншими даними" : ""}`,
        }
      : {
          en: `step ${asked.position} (${asked.name}) of the run ${asked.run} was under way when a process ended, and must not happen twice`,
          uk: `крок ${asked.position} (${asked.name}) запуску ${asked.run} виконувався, коли процес завершився, і не має статися двічі`,
        }),
    hint: {
      en: "Nothing was done. The run needs a decision: cancel it, or fork it before this step.",
      uk: "Нічого не зроблено. Запуск потребує рішення: скасуйте його або відгалузьте перед цим кроком.",
    },
    details: {
      decision: reason,
      run: asked.run,
      position: asked.position,
      ...(asked.times !== undefined && { times: asked.times }),
      asked: { name: asked.name, input_hash: asked.hash },
      recorded: { name: there.name, input_hash: there.input_hash },
    },
  });

export const isDecisionNeeded = (thrown: unknown): thrown is Failure =>
  isFailure(thrown, "INVALID_TRANSITION") && typeof thrown.details["decision"] === "string";

/**
 * Reasons why a flow was stopped from outside: the program ends (`closing`), another process holds the run (`lost`), its
 * owner cancelled it (`cancelled`), its time limit is reached (`timeout`), or its journal cannot be read or written
 * (`store`): then the run continues later.
 */
export type FlowStopReason = "closing" | "lost" | "cancelled" | "timeout" | "store";

export const flowStopped = (reason: FlowStopReason, run: string, text: Text, code: FailureCode): Failure =>
  new Failure(code, { ...text, details: { run, stopped: reason } });

export const takenOver = (run: string): Failure =>
  flowStopped(
    "lost",
    run,
    { en: `another process has taken over the run ${run}`, uk: `запуск ${run} перебрав інший процес` },
    "CONCURRENT_MODIFICATION",
  );

/**
 * True for failures that end the whole flow, after which nothing can be recorded. A flow that catches failures must
 * rethrow these.
 */
export const isFlowStopped = (thrown: unknown): thrown is Failure =>
  isDecisionNeeded(thrown) || (isFailure(thrown) && typeof thrown.details["stopped"] === "string");

export const stopReason = (failure: Failure): FlowStopReason | undefined =>
  failure.details["stopped"] as FlowStopReason | undefined;
