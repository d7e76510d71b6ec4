import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { type AgentState, isAgentState } from "../../domain/contract/agent-state.ts";
import { contractFile, frontFields } from "../../domain/contract/contract-file.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import { ask, type HumanAsk } from "../../domain/run/request.ts";
import { type StepRecord, stepKeyParts } from "../../domain/run/run-step.ts";
import type { CallJournal, LogicPlace, ModelWork, RunTool } from "../../ports/runtime.ts";
import { callEnd } from "../../ports/runtime.ts";
import { everyKey, type Store, type Stored } from "../../ports/store.ts";
import { isFlowStopped } from "../core/flow/decision-needed.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { DurableFlow, StepOptions } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import { cachedContract } from "../records/agents/known-contracts.ts";
import { askPerson, heldFor } from "./hold.ts";
import type { AnswerToGive } from "./record-answer.ts";

/** The tool whose answer comes from a person. Its call holds the run; after the resume its result is the recorded answer. */
const ASK_HUMAN = "ask-human";

export interface RunJournal extends CallJournal {
  /** The failure after which no call is made: held, stopped from outside, or in need of a decision. Also if the loop caught it. */
  readonly halted: Failure | undefined;
}

interface JournalDeps {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly flow: DurableFlow;
  readonly pause: Pause;
  /** Called with every call of the run, made or found, in its order. */
  readonly passed?: ((record: StepRecord) => void) | undefined;
  /** Number of recorded calls by the name of their step, in a fork also those of its origin. What they asked for is not asked again. */
  readonly recorded: ReadonlyMap<string, number>;
  /** The answer that an experiment gives to one question (O-7). */
  readonly whatIf?: { readonly question: string; readonly answer: AnswerToGive } | undefined;
}

/**
 * Model calls and tool calls as steps of the run: a recorded call returns its recorded result, failures included. After the
 * first failure that ends the flow it makes no further call: an agent loop reports the failure of a tool to the model and would
 * continue otherwise.
 */
export function callJournal({ garden, place, flow, pause, recorded, passed, whatIf }: JournalDeps): RunJournal {
  let halted: Failure | undefined;
  let questions = 0;
  const awaited = new Map<string, number>();
  const expectActive = agentWatch(garden, place);
  const told = passed ? { passed } : {};

  const unlessHalted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (halted) throw halted;
    try {
      await expectActive();
      return await work();
    } catch (error) {
      const ends = callEnd(error);
      if (isFlowStopped(error) || ends === "held" || ends === "needs-decision") halted ??= error as Failure;
      throw error;
    }
  };

  return {
    get halted() {
      return halted;
    },
    model: <T extends Json>(request: Json, work: ModelWork<T>, at?: LogicPlace) =>
      unlessHalted(() =>
        flow.step<T>(
          "model",
          request,
          async (call) => {
            const { output, tokens } = await work(call.signal);
            call.note({ tokens: { ...tokens } });
            return output;
          },
          { kind: "model", ...placed(at), ...told },
        ),
      ),
    tool: (tool, input, at) =>
      unlessHalted(async () => {
        if (tool.name === ASK_HUMAN && ++questions > (recorded.get(ASK_HUMAN) ?? 0)) {
          const tag = String(questions).padStart(2, "0");
          const asked = {
            tag,
            given: whatIf?.question === tag ? whatIf.answer : undefined,
            reason: "asked" as const,
            ask: askIn(input),
            ...placed(at),
          };
          const { request, answer } = await askPerson({ ...garden, pause }, place, asked);
          if (!answer) throw heldFor(request);
          return flow.step<Json>(ASK_HUMAN, input, async () => answer.value, { kind: "tool", ...placed(at), ...told });
        }
        if (tool.awaits) {
          const number = (awaited.get(tool.name) ?? 0) + 1;
          awaited.set(tool.name, number);
          const holds = number > (recorded.get(tool.name) ?? 0) ? await tool.awaits(input, number) : undefined;
          if (holds) throw holds;
        }
        return flow.step(stepNameOf(tool), input, (call) => called(tool, input, call, at), {
          ...optionsOf(tool, at),
          ...told,
        });
      }),
  };
}

type StepCall = Parameters<Parameters<DurableFlow["step"]>[2]>[0];

function called(tool: RunTool, input: Json, call: StepCall, at: LogicPlace | undefined): Promise<Json> {
  const made: string[] = [];
  const proposed = (id: string): void => {
    made.push(id);
    call.note({ proposals: [...made] });
  };
  let waited_s = 0;
  const waits = (seconds: number): void => {
    waited_s += seconds;
    call.note({ waited_s });
    call.waits(seconds);
  };
  return tool.call(input, { key: call.key, signal: call.signal, place: placed(at), proposed, waits });
}

const optionsOf = (tool: RunTool, at: LogicPlace | undefined): StepOptions => ({
  kind: "tool",
  ...placed(at),
  ...(tool.limitMs !== undefined && { limitMs: tool.limitMs }),
  ...(tool.idempotent ? {} : { once: true as const }),
});

/** The line that the interpreter knows; otherwise the last one that the model claims to have passed. */
function placed(at: LogicPlace | undefined): Pick<StepOptions, "diagram" | "icon" | "line"> {
  const line = at?.line ?? at?.claimed?.at(-1);
  return {
    ...(at?.diagram !== undefined && { diagram: at.diagram }),
    ...(at?.icon !== undefined && { icon: at.icon }),
    ...(line !== undefined && line > 0 && { line }),
  };
}

/** A tool's name as a part of a store key. Names of MCP tools may hold any character. */
function stepNameOf({ name }: RunTool): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return (/^[a-z]/.test(plain) ? plain : `tool-${plain}`).slice(0, 60);
}

/** The input of `ask-human`. Throws VALIDATION_FAILED, which the model sees as the tool's failure. */
function askIn(input: Json): HumanAsk {
  const read = ask.safeParse(input);
  if (read.success && (read.data.form !== "choice" || read.data.options)) return read.data;
  throw new Failure("VALIDATION_FAILED", {
    en: "a question to a person has a text, a form (review, choice, number, text) and, for a choice, its options",
    uk: "запитання до людини має текст, форму (review, choice, number, text), а для choice — варіанти",
    details: { tool: ASK_HUMAN },
  });
}

/** Calls within this time of each other share one look at the contract: a model answers in seconds, a step of `flow` in microseconds. */
const LOOK_MS = 20;

/**
 * C-1, C-6: only an active agent runs. Throws if the owner has stopped or deleted the agent, `LOOK_MS` ago or longer. Other changes of the
 * contract do not matter: the run is pinned to its own (O-3a). The contract is parsed again only when its hash has changed.
 */
function agentWatch({ store, world }: Garden, { slug, run }: RunPlace): () => Promise<void> {
  let known: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = world.now();
    if (Math.abs(now - lookedAt) < LOOK_MS) return; // a clock that was set back looks again
    lookedAt = now;
    const stored = await store.get(contractKey(slug));
    if (stored && stored.hash === known) return;
    const status = stored && statusIn(stored);
    // A contract that cannot be read now does not stop the run: it is pinned to the earlier one.
    if (stored && (!isAgentState(status) || status === "active")) known = stored.hash;
    else throw agentStopped(slug, run, stored && isAgentState(status) ? status : undefined);
  };
}

/** The status that the file names, valid or not, also where the rest of the contract has problems. */
function statusIn({ bytes, hash }: Stored): unknown {
  const reading = cachedContract(bytes, hash);
  if (reading.kind === "contract") return reading.contract.status;
  const file = contractFile(Buffer.from(bytes).toString());
  return file && frontFields(file)?.["status"];
}

const AGENT_STOPPED = "agent-stopped";
export const isAgentStopped = (failure: Failure): boolean => failure.details["decision"] === AGENT_STOPPED;

const agentStopped = (slug: string, run: string, status: AgentState | undefined): Failure =>
  new Failure("INVALID_TRANSITION", {
    ...(status === undefined
      ? {
          en: `the agent ${slug} was deleted during the run ${run}`,
          uk: `агента ${slug} видалено під час запуску ${run}`,
        }
      : {
          en: `the agent ${slug} became ${status} during the run ${run}`,
          uk: `агент ${slug} перейшов у стан ${status} під час запуску ${run}`,
        }),
    details: { decision: AGENT_STOPPED, agent: slug, run, ...(status && { status }) },
  });

/** Counts the recorded steps of a run by name. */
export async function stepsOnRecord(store: Store, { slug, run }: RunPlace): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { key } of everyKey(store, keys.runSteps(slug, run))) {
    const parts = stepKeyParts(key);
    if (parts?.part === "record") counts.set(parts.name, (counts.get(parts.name) ?? 0) + 1);
  }
  return counts;
}
