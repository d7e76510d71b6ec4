import type { Json } from "../../../base/canonical.ts";
import { asFailure, Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { ask, type HumanAsk } from "../../../domain/run/request.ts";
import { MAX_STEPS } from "../../../domain/run/run-step.ts";
import { SPAWN_AGENT } from "../../../domain/run/sub-run.ts";
import type { CallJournal, LogicPlace, RunTool, TokenCount } from "../../../ports/runtime.ts";
import type { DurableFlow } from "../../core/flow/step.ts";

/** One call of a trial. */
export interface TrialStep {
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly input: Json;
  readonly output?: Json;
  readonly failure?: Failure;
  readonly ms: number;
  readonly tokens?: TokenCount;
  readonly place: Pick<LogicPlace, "diagram" | "icon" | "line">;
}

export interface TrialJournal extends CallJournal {
  readonly steps: TrialStep[];
  /** The question at which the trial ended: nobody is asked. */
  readonly question: HumanAsk | undefined;
  /** Steps of the interpreter: nothing is recorded. */
  readonly flow: DurableFlow;
}

const CALL_LIMIT_MS = 60_000;

/** A journal that keeps its calls in memory and writes nothing. */
export function trialJournal(world: Pick<World, "now">, run: string, signal: AbortSignal): TrialJournal {
  const steps: TrialStep[] = [];
  let question: HumanAsk | undefined;
  const noted = async <T extends Json>(
    step: Pick<TrialStep, "kind" | "name" | "input" | "place">,
    work: () => Promise<{ readonly output: T; readonly tokens?: TokenCount }>,
  ): Promise<T> => {
    signal.throwIfAborted();
    if (steps.length >= MAX_STEPS) throw tooManyCalls();
    const began = world.now();
    try {
      const { output, tokens } = await work();
      steps.push({ ...step, output, ms: world.now() - began, ...(tokens && { tokens }) });
      return structuredClone(output);
    } catch (error) {
      const failure = asFailure(error);
      steps.push({ ...step, failure, ms: world.now() - began });
      throw failure;
    }
  };
  const limited = (ms: number): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return {
    steps,
    get question() {
      return question;
    },
    flow: {
      step: async (name, _, work) => {
        signal.throwIfAborted();
        const nothing = (): void => undefined;
        return work({ key: `${run}/${steps.length + 1}-${name}`, attempt: 1, signal, note: nothing, waits: nothing });
      },
    },
    model: (request, work, place) =>
      noted({ kind: "model", name: "model", input: request, place: placeOf(place) }, () =>
        work(limited(CALL_LIMIT_MS)),
      ),
    tool: (tool, input, place) =>
      noted({ kind: "tool", name: tool.name, input, place: placeOf(place) }, async () => {
        if (tool.name === "ask-human") {
          question = ask.parse(input);
          throw nobodyAsked();
        }
        const key = `${run}/${steps.length + 1}-${tool.name}`;
        const call = { key, signal: limited(tool.limitMs ?? CALL_LIMIT_MS), proposed: () => undefined };
        return { output: plain(await tool.call(input, call)) };
      }),
  };
}

/** Tools with effects of their own answer that they are not called in a trial or an experiment. */
export const withoutEffects = (tools: readonly RunTool[], isOutside: boolean): readonly RunTool[] =>
  tools.map((tool) =>
    isOutside || tool.name === "memory-snapshot" || tool.name === SPAWN_AGENT
      ? { ...tool, call: () => Promise.reject<Json>(notCalled(tool.name)) }
      : tool,
  );

const placeOf = (place: LogicPlace | undefined): TrialStep["place"] => ({
  ...(place?.diagram !== undefined && { diagram: place.diagram }),
  ...(place?.icon !== undefined && { icon: place.icon }),
  ...(place?.line !== undefined && { line: place.line }),
});

/** As the journal of a run would keep it. */
const plain = (output: Json): Json => JSON.parse(JSON.stringify(output ?? null)) as Json;

const nobodyAsked = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a trial asks nobody: it ends at the question",
    uk: "спроба нікого не питає: вона закінчується на запитанні",
  });

const notCalled = (tool: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${tool} is not called in a trial or an experiment: it has effects outside of proposals`,
    uk: `${tool} у спробі чи експерименті не викликається: він діє поза пропозиціями`,
    details: { tool },
  });

const tooManyCalls = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a trial has at most ${MAX_STEPS} calls`,
    uk: `у спробі не більше ${MAX_STEPS} викликів`,
  });
