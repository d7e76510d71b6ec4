import type { Json } from "../../../base/canonical.ts";
import { asFailure, type Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { cameToEnd, lacking, notGranted, nothingToPropose } from "../../../domain/run/procedure-words.ts";
import { outcomeLine, statedOutcome } from "../../../domain/run/stated-outcome.ts";
import { argumentNamesFor } from "../../../drakon/expression/argument-names.ts";
import { derivedValue, proposalSubjects } from "../../../drakon/walk/derived-answer.ts";
import { errorAnswer } from "../../../drakon/walk/error-answer.ts";
import { MAX_RUN_STEPS, WalkMachine } from "../../../drakon/walk/machine.ts";
import { answerFault, answerTo, type Request } from "../../../drakon/walk/request.ts";
import {
  hasCommitId,
  hasProposalId,
  isToolRequest,
  refusalIn,
  toolAnswer,
  toolInput,
} from "../../../drakon/walk/tool-request.ts";
import type { WalkEnd } from "../../../drakon/walk/walk-end.ts";
import { type ActStopReason, callEnd, type RunTool } from "../../../ports/runtime.ts";
import { isFlowStopped } from "../../core/flow/decision-needed.ts";
import { argumentFields } from "./argument-fields.ts";
import { durationMs, writtenDuration } from "./duration.ts";
import { type Executed, type ExecutedEnd, type Execution, NOTHING_EXECUTED } from "./execution.ts";
import {
  callBudgetUsedUp,
  noProcedureInContract,
  notADuration,
  tooManyIcons,
  unreadableProcedure,
} from "./failures.ts";
import { FlowMeter } from "./flow-meter.ts";
import { briefingForIcon } from "./icon-briefing.ts";
import { contextNames, proseOf } from "./instructions.ts";
import { nextRequests } from "./next-requests.ts";
import { inParallel, type ParallelBranch } from "./parallel-calls.ts";
import type { AgentProcedure, ProcedureReading } from "./procedure.ts";
import { ProcedurePlaces } from "./procedure-places.ts";

/**
 * `execution: flow`: the interpreter walks the diagram, calls tools, keeps time, and puts only natural-language icons to the model,
 * one at a time. Every answer from outside is a step of the journal before it takes effect, so the walk itself needs no record: a
 * process that resumes it repeats the walk over the recorded answers.
 */
export async function executeFlow(execution: Execution, reading: ProcedureReading): Promise<Executed> {
  if (reading.kind !== "procedure") {
    const failure = reading.kind === "none" ? noProcedureInContract() : unreadableProcedure(reading.finding);
    return { ...NOTHING_EXECUTED, kind: "stopped", why: "procedure", failure };
  }
  const walk = new FlowWalk(execution, reading.procedure);
  try {
    return await walk.toEnd();
  } catch (thrown) {
    if (thrown instanceof WalkOver) return { ...walk.meter.facts(), ...thrown.end };
    const failure = asFailure(thrown);
    const why = callEnd(failure) ?? (execution.signal.aborted ? "aborted" : "procedure");
    return { ...walk.meter.facts(), kind: "stopped", why, failure };
  }
}

/** Ends the walk from inside an icon. */
class WalkOver extends Error {
  readonly end: ExecutedEnd;
  constructor(end: ExecutedEnd) {
    super(end.kind);
    this.end = end;
  }
}

/** The answer to a request. `take` has its other effects: it is called in the order of the requests, not of the answers. */
interface IconAnswer {
  readonly value: Json;
  readonly take?: () => void;
}

class FlowWalk {
  readonly meter: FlowMeter;
  readonly #execution: Execution;
  readonly #procedure: AgentProcedure;
  readonly #places: ProcedurePlaces;
  readonly #machine: WalkMachine;
  readonly #tools: ReadonlyMap<string, RunTool>;
  readonly #prose: string;
  readonly #notices: string[] = [];
  /** Values that proposals of this run have set: later icons see them. */
  readonly #proposed: string[] = [];
  #effects = 0;
  #refusal: string | undefined;
  #answers = 0;

  constructor(execution: Execution, procedure: AgentProcedure) {
    const { contract, briefing, tools, body } = execution;
    this.meter = new FlowMeter(briefing.budget, contract.max_steps);
    this.#execution = execution;
    this.#procedure = procedure;
    this.#places = new ProcedurePlaces(procedure);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#prose = proseOf(body);
    const input = { ...contextNames(contract), ...briefing.input };
    this.#machine = new WalkMachine(procedure.program, input, {
      argumentNames: argumentNamesFor(tools.map((tool) => ({ name: tool.name, fields: argumentFields(tool) }))),
      lineOf: (diagram, icon) => procedure.partOf(diagram).lineOf(icon),
      maxSteps: MAX_RUN_STEPS,
    });
  }

  async toEnd(): Promise<Executed> {
    const { briefing, signal } = this.#execution;
    const next = (): readonly Request[] => nextRequests(this.#machine, briefing.budget);
    for (let requests = next(); requests.length > 0; requests = next()) {
      signal.throwIfAborted();
      const results = await inParallel(requests, (request, branch) => this.#answer(request, branch));
      for (const result of results) if (result.status === "fulfilled") result.value.take?.();
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected") throw result.reason;
        const request = requests[index]!;
        // An earlier answer may have ended the walk, or the process that made this request.
        if (this.#machine.end || !this.#machine.pending.has(request.id)) continue;
        const fault = answerFault(request, result.value.value);
        if (fault) throw this.#places.failureAt(request, fault);
        this.#machine.answer(answerTo(request, result.value.value), this.#answers++);
      }
    }
    return { ...this.meter.facts(), ...this.#endOf(this.#machine.end!) };
  }

  async #answer(request: Request, branch: ParallelBranch): Promise<IconAnswer> {
    if (isToolRequest(request)) return this.#callTool(request, branch);
    const { world } = this.#execution.garden;
    switch (request.kind) {
      case "llm":
      case "judge": {
        const value = derivedValue(request, this.#proposed);
        return value === undefined ? this.#putToModel(request, branch) : { value };
      }
      case "now":
        return { value: await this.#step("clock", request, branch, () => world.now()) };
      case "random": {
        const chance = (): number => Buffer.from(world.random(4)).readUInt32BE(0) / 2 ** 32;
        return { value: await this.#step("chance", request, branch, chance) };
      }
      case "sleep":
        return { value: await this.#sleep(request, branch) };
      case "notify": {
        const { text } = request.payload;
        const notice = typeof text === "string" ? text : JSON.stringify(text ?? null);
        return { value: null, take: () => this.#notices.push(notice) };
      }
      default:
        return this.#block(request, lacking[request.kind === "receive" ? "receive" : "call"]);
    }
  }

  async #callTool(request: Request, branch: ParallelBranch): Promise<IconAnswer> {
    const tool = this.#tools.get(request.name);
    if (!tool) {
      this.meter.deny({ tool: request.name, why: "unknown-tool" });
      return this.#block(request, notGranted(request.name));
    }
    this.#expectCall();
    this.meter.countToolCall();
    try {
      const journal = branch.journal(this.#execution.journal, this.#places.of(request));
      const output = await journal.tool(tool, toolInput(request, argumentFields(tool)));
      const value = toolAnswer(request, output);
      const spent = tool.spent?.(output);
      return {
        value,
        take: () => {
          if (spent) this.meter.addSpent(spent);
          this.#noteEffects(request, value);
        },
      };
    } catch (thrown) {
      // Failures that stop or hold the flow are no failures of the tool: the error branch must not see them.
      if (isFlowStopped(thrown) || callEnd(thrown) !== undefined || this.#execution.signal.aborted) throw thrown;
      const failure = asFailure(thrown);
      const { code, text } = failure;
      const value = errorAnswer(this.#procedure.program, request, { code, message: text[this.#procedure.language] });
      if (value === undefined) throw this.#places.failureAt(request, text, failure);
      return { value };
    }
  }

  #noteEffects(request: Request, value: Json): void {
    this.#refusal = refusalIn(value) ?? this.#refusal;
    if (hasCommitId(value)) this.#effects++;
    if (!hasProposalId(value)) return;
    this.#effects++;
    this.#proposed.push(...proposalSubjects(request));
  }

  async #putToModel(request: Request, branch: ParallelBranch): Promise<IconAnswer> {
    const { briefing, runtime, journal, contract, signal } = this.#execution;
    // The follower only computes, and `followingValue` found nothing to compute.
    if (briefing.model === FOLLOWER) return this.#block(request, lacking[request.kind === "judge" ? "judge" : "llm"]);
    if (!this.meter.hasTurn()) return this.#stop("turns", tooManyIcons(contract.max_steps));
    this.#expectCall();
    this.meter.countTurn();
    const { language } = this.#procedure;
    const icon = briefingForIcon(briefing, request, { prose: this.#prose, language, line: request.line });
    const ownJournal = branch.journal(journal, this.#places.of(request));
    const acted = await runtime.act({ ...icon, budget: this.meter.iconBudget() }, [], ownJournal, signal);
    const take = (): void => this.meter.addModelCall(acted);
    const last = statedOutcome(acted.kind === "answered" ? acted.text : answerIn(acted.failure));
    if (last?.kind === "blocked") {
      take();
      return this.#block(request, { en: last.reason, uk: last.reason });
    }
    if (acted.kind === "answered") return { value: acted.value ?? acted.text, take };
    take();
    return this.#stop(acted.why, acted.failure);
  }

  /** The time to wake up is recorded when the sleep begins. Before that time the run is postponed. */
  async #sleep(request: Request, branch: ParallelBranch): Promise<Json> {
    const { world } = this.#execution.garden;
    const written = writtenDuration(request.payload["duration"]);
    const until = await this.#step("sleep", request, branch, () => {
      const ms = durationMs(written, world.now());
      if (ms === undefined) throw this.#places.failureAt(request, notADuration(written));
      return world.now() + ms;
    });
    if (world.now() < until) throw new WalkOver({ kind: "later", at: until });
    return { wokeAt: until };
  }

  /** Records the time or a random number: a replay gets the same value. */
  #step(name: string, request: Request, branch: ParallelBranch, work: () => number): Promise<number> {
    const input = { request: request.id, ...request.payload };
    const place = this.#places.of(request);
    return branch.step(() => this.#execution.flow.step(name, input, async () => work(), place));
  }

  /** Stops the walk if the contract's budget has no call left, of a model or a tool. */
  #expectCall(): void {
    const most = this.meter.usedUpCalls();
    if (most !== undefined) this.#stop("budget", callBudgetUsedUp(most));
  }

  #block(request: Request, why: Text): never {
    const { language } = this.#procedure;
    const text = outcomeLine("blocked", language, `${this.#places.textOf(request)[language]}: ${why[language]}`);
    throw new WalkOver({ kind: "answered", text: [...this.#notices, text].join("\n") });
  }

  #stop(why: ActStopReason, failure: Failure): never {
    throw new WalkOver({ kind: "stopped", why, failure });
  }

  #endOf(end: WalkEnd): ExecutedEnd {
    const { language, main } = this.#procedure;
    if (end.kind === "failed")
      return { kind: "stopped", why: "procedure", failure: this.#places.failureOf(end.problem) };
    const value = end.kind === "returned" ? { value: end.value } : {};
    if (end.kind === "returned")
      this.#notices.push(typeof end.value === "string" ? end.value : JSON.stringify(end.value));
    const last =
      this.#effects > 0
        ? cameToEnd(main.name, this.meter.toolCalls)[language]
        : outcomeLine("noop", language, nothingToPropose(main.name, this.#refusal)[language]);
    return { kind: "answered", text: [...this.#notices, last].join("\n"), ...value };
  }
}

/** The text of a model's answer that did not have the required form. */
const answerIn = ({ details }: Failure): string => (typeof details["answer"] === "string" ? details["answer"] : "");
