import type { Json } from "../../../base/canonical.ts";
import { asFailure, Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { lastWordsIn, sayLast } from "../../../domain/run/last-words.ts";
import { atLine, cameToEnd, lacking, notGranted, nothingToPropose } from "../../../domain/run/procedure-words.ts";
import { argumentNamesFor } from "../../../drakon/expression/argument-names.ts";
import { errorAnswer } from "../../../drakon/walk/error-branch.ts";
import { followingValue, proposedFor } from "../../../drakon/walk/known-answer.ts";
import { MAX_RUN_STEPS, Machine } from "../../../drakon/walk/machine.ts";
import type { End } from "../../../drakon/walk/outcome.ts";
import { answerFault, answerTo, type Request } from "../../../drakon/walk/request.ts";
import { isEffect, isToolRequest, refusalIn, toolAnswer, toolInput } from "../../../drakon/walk/tool-request.ts";
import { type Acted, callEnd, type Denial, type Place, type RunTool, type StopReason } from "../../../ports/runtime.ts";
import { isFlowStopped } from "../../core/flow/decision-needed.ts";
import { durationMs } from "./duration.ts";
import type { Executed, ExecutedFacts, Execution } from "./executed.ts";
import { fieldsOf } from "./fields.ts";
import { contextNames, proseOf } from "./instructions.ts";
import { oneIcon } from "./one-icon.ts";
import type { Procedure, ProcedureReading } from "./procedure.ts";
import { type Branch, inOneWave } from "./wave.ts";

/**
 * `execution: flow`: the interpreter walks the diagram, calls tools, keeps time, and puts only what is natural language to the model,
 * one icon at a time. Whatever comes from outside is a step of the journal before it takes effect, so the walk itself needs no
 * record: a process that takes it up walks the same way again over what is there.
 */
export async function executeFlow(execution: Execution, reading: ProcedureReading): Promise<Executed> {
  if (reading.kind === "none") return { ...NO_FACTS, kind: "stopped", why: "procedure", failure: noProcedure() };
  if (reading.kind === "unreadable")
    return { ...NO_FACTS, kind: "stopped", why: "procedure", failure: unreadable(reading.finding) };
  const walk = new FlowWalk(execution, reading.procedure);
  try {
    return await walk.toEnd();
  } catch (thrown) {
    if (thrown instanceof WalkOver) return { ...walk.facts(), ...thrown.end };
    const failure = asFailure(thrown);
    const why = callEnd(failure) ?? (execution.signal.aborted ? "aborted" : "procedure");
    return { ...walk.facts(), kind: "stopped", why, failure };
  }
}

const NO_FACTS: ExecutedFacts = { turns: 0, tokens: { input: 0, output: 0 }, toolCalls: 0, denied: [] };

type WalkEnd = Executed extends infer One
  ? One extends ExecutedFacts
    ? Omit<One, keyof ExecutedFacts>
    : never
  : never;

/** Ends the walk from inside an icon. */
class WalkOver extends Error {
  readonly end: WalkEnd;
  constructor(end: WalkEnd) {
    super(end.kind);
    this.end = end;
  }
}

/** The answer to a request. What else follows from it is done when its turn comes, so that no process sees another's too early. */
interface Answered {
  readonly value: Json;
  readonly take?: () => void;
}

type Stopped = Extract<Acted, { kind: "stopped" }>;

class FlowWalk {
  readonly #execution: Execution;
  readonly #procedure: Procedure;
  readonly #machine: Machine;
  readonly #tools: ReadonlyMap<string, RunTool>;
  readonly #prose: string;
  readonly #said: string[] = [];
  readonly #proposed: string[] = [];
  readonly #denied: Denial[] = [];
  #turns = 0;
  #tokens = { input: 0, output: 0 };
  #calls = 0;
  #toolCalls = 0;
  #effects = 0;
  #refusal: string | undefined;
  #answers = 0;

  constructor(execution: Execution, procedure: Procedure) {
    const { contract, briefing, tools, body } = execution;
    this.#execution = execution;
    this.#procedure = procedure;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#prose = proseOf(body);
    const input = { ...contextNames(contract), ...briefing.input };
    this.#machine = new Machine(procedure.program, input, {
      argumentNames: argumentNamesFor(tools.map((tool) => ({ name: tool.name, fields: fieldsOf(tool) }))),
      lineOf: (diagram, icon) => procedure.partOf(diagram).lineOf(icon),
      maxSteps: MAX_RUN_STEPS,
    });
  }

  facts(): ExecutedFacts {
    return { turns: this.#turns, tokens: this.#tokens, toolCalls: this.#toolCalls, denied: this.#denied };
  }

  async toEnd(): Promise<Executed> {
    for (let asked = this.#next(); asked.length > 0; asked = this.#next()) {
      this.#execution.signal.throwIfAborted();
      const results = await inOneWave(asked, (request, branch) => this.#answer(request, branch));
      for (const result of results) if (result.status === "fulfilled") result.value.take?.();
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected") throw result.reason;
        const request = asked[index]!;
        // Another process may have ended the walk, or what this one was for.
        if (this.#machine.end || !this.#machine.pending.has(request.id)) continue;
        const fault = answerFault(request, result.value.value);
        if (fault) throw this.#failure(request, fault);
        this.#machine.answer(answerTo(request, result.value.value), this.#answers++);
      }
    }
    return { ...this.facts(), ...this.#ended(this.#machine.end!) };
  }

  /**
   * All that is asked for now, the oldest first; people and timers last and alone, so that nothing waits for them that could go on.
   * What is put to a model under a budget goes alone too: how much is left for it is known when the one before is done.
   */
  #next(): readonly Request[] {
    const { budget } = this.#execution.briefing;
    const isBounded = budget.tokens !== undefined || budget.calls !== undefined;
    const together: Request[] = [];
    let waits: Request | undefined;
    for (const { request } of this.#machine.pending.values()) {
      if (request.kind === "human" || request.kind === "sleep") waits ??= request;
      else if (isBounded && isPutToModel(request)) return together.length > 0 ? together : [request];
      else together.push(request);
    }
    return together.length > 0 ? together : waits ? [waits] : [];
  }

  async #answer(request: Request, branch: Branch): Promise<Answered> {
    if (isToolRequest(request)) return this.#call(request, branch);
    switch (request.kind) {
      case "llm":
      case "judge": {
        const value = followingValue(request, this.#proposed);
        return value === undefined ? this.#putToModel(request, branch) : { value };
      }
      case "now":
        return { value: await this.#step("clock", request, branch, () => this.#execution.garden.world.now()) };
      case "random": {
        const chance = (): number => Buffer.from(this.#execution.garden.world.random(4)).readUInt32BE(0) / 2 ** 32;
        return { value: await this.#step("chance", request, branch, chance) };
      }
      case "sleep":
        return { value: await this.#sleep(request, branch) };
      case "notify": {
        const { text } = request.payload;
        const words = typeof text === "string" ? text : JSON.stringify(text ?? null);
        return { value: null, take: () => this.#said.push(words) };
      }
      default:
        return this.#blocked(request, lacking[request.kind === "receive" ? "receive" : "call"]);
    }
  }

  async #call(request: Request, branch: Branch): Promise<Answered> {
    const tool = this.#tools.get(request.name);
    if (!tool) {
      this.#denied.push({ tool: request.name, why: "unknown-tool" });
      return this.#blocked(request, notGranted(request.name));
    }
    this.#spend(request);
    this.#toolCalls++;
    try {
      const journal = branch.journal(this.#execution.journal, this.#place(request));
      const given = await journal.tool(tool, toolInput(request, fieldsOf(tool)));
      const value = toolAnswer(request, given);
      return { value, take: () => this.#note(request, value) };
    } catch (thrown) {
      // What stops the flow, or holds it, says nothing about the tool.
      if (isFlowStopped(thrown) || callEnd(thrown) !== undefined || this.#execution.signal.aborted) throw thrown;
      const failure = asFailure(thrown);
      const { code, text } = failure;
      const value = errorAnswer(this.#procedure.program, request, { code, message: text[this.#procedure.language] });
      if (value === undefined) throw this.#failure(request, text, failure);
      return { value };
    }
  }

  #note(request: Request, value: Json): void {
    this.#refusal = refusalIn(value) ?? this.#refusal;
    if (!isEffect(value)) return;
    this.#effects++;
    this.#proposed.push(...proposedFor(request));
  }

  async #putToModel(request: Request, branch: Branch): Promise<Answered> {
    const { briefing, runtime, journal, contract, signal } = this.#execution;
    // It only computes, and what can be computed has been.
    if (briefing.model === FOLLOWER) return this.#blocked(request, lacking[request.kind === "judge" ? "judge" : "llm"]);
    if (this.#turns >= contract.max_steps) return this.#stop("turns", tooManyIcons(contract.max_steps));
    this.#spend(request);
    this.#turns++;
    const place = this.#place(request);
    const { tokens: most } = briefing.budget;
    const spent = this.#tokens.input + this.#tokens.output;
    const icon = oneIcon(briefing, request, {
      prose: this.#prose,
      language: this.#procedure.language,
      line: request.line,
    });
    const budget = {
      ...(most !== undefined && { tokens: Math.max(0, most - spent) }),
      ...(briefing.budget.calls !== undefined && { calls: Math.max(1, briefing.budget.calls - this.#calls + 1) }),
    };
    const acted = await runtime.act({ ...icon, budget }, [], branch.journal(journal, place), signal);
    const take = (): void => this.#count(acted);
    const said = acted.kind === "answered" ? acted.text : answerIn(acted.failure);
    const last = lastWordsIn(said);
    if (acted.kind === "answered" && last?.kind !== "blocked") return { value: acted.value ?? acted.text, take };
    take();
    if (last?.kind === "blocked") return this.#blocked(request, { en: last.reason, uk: last.reason });
    return this.#stop((acted as Stopped).why, (acted as Stopped).failure);
  }

  #count({ tokens, turns, denied }: Acted): void {
    this.#tokens = { input: this.#tokens.input + tokens.input, output: this.#tokens.output + tokens.output };
    this.#calls += Math.max(0, turns - 1);
    this.#denied.push(...denied);
  }

  /** When it is over was fixed when it began; whoever comes earlier is sent away until then. */
  async #sleep(request: Request, branch: Branch): Promise<Json> {
    const { world } = this.#execution.garden;
    const asked = spoken(request.payload["duration"]);
    const until = await this.#step("sleep", request, branch, () => {
      const ms = durationMs(asked, world.now());
      if (ms === undefined) throw this.#failure(request, noDuration(asked));
      return world.now() + ms;
    });
    if (world.now() < until) throw new WalkOver({ kind: "later", at: until });
    return { wokeAt: until };
  }

  /** Time and chance, recorded: a replay is told the same. */
  #step(name: string, request: Request, branch: Branch, work: () => number): Promise<number> {
    const { diagram, icon, line } = this.#place(request);
    const input = { request: request.id, ...request.payload };
    const place = {
      ...(diagram !== undefined && { diagram }),
      ...(icon !== undefined && { icon }),
      ...(line !== undefined && { line }),
    };
    return branch.step(() => this.#execution.flow.step(name, input, async () => work(), place));
  }

  #place({ diagram, icon, line }: Request): Place {
    const { file } = this.#procedure.partOf(diagram);
    return { icon, ...(file !== undefined && { diagram: file }), ...(line !== undefined && { line }) };
  }

  /** One call more, of a model or a tool: the budget of the contract bounds both together. */
  #spend(_request: Request): void {
    const { calls } = this.#execution.briefing.budget;
    if (calls !== undefined && this.#calls >= calls) this.#stop("budget", overBudget(calls));
    this.#calls++;
  }

  #blocked(request: Request, why: Text): never {
    const { language } = this.#procedure;
    const text = sayLast("blocked", language, `${this.#where(request)[language]}: ${why[language]}`);
    throw new WalkOver({ kind: "answered", text: [...this.#said, text].join("\n") });
  }

  #stop(why: StopReason, failure: Failure): never {
    throw new WalkOver({ kind: "stopped", why, failure });
  }

  #failure(request: Request, why: Text, cause?: Failure): Failure {
    const where = this.#where(request);
    return new Failure(
      cause?.code ?? "VALIDATION_FAILED",
      { en: `${where.en}: ${why.en}`, uk: `${where.uk}: ${why.uk}` },
      { details: { ...cause?.details, ...this.#place(request) }, ...(cause && { cause }) },
    );
  }

  #where({ diagram, icon, line }: Pick<Request, "diagram" | "icon" | "line">): Text {
    return atLine(line, this.#procedure.partOf(diagram).textOf(icon));
  }

  #ended(end: End): WalkEnd {
    const { language, main } = this.#procedure;
    if (end.kind === "failed") {
      const { message, diagram = main.name, icon } = end.problem;
      const line = icon === undefined ? undefined : this.#procedure.partOf(diagram).lineOf(icon);
      const where =
        icon === undefined ? undefined : this.#where({ diagram, icon, ...(line !== undefined && { line }) });
      const text = where ? { en: `${where.en}: ${message.en}`, uk: `${where.uk}: ${message.uk}` } : message;
      const details = {
        code: end.problem.code,
        ...(icon !== undefined && { icon }),
        ...(line !== undefined && { line }),
      };
      return { kind: "stopped", why: "procedure", failure: new Failure("VALIDATION_FAILED", text, { details }) };
    }
    const value = end.kind === "returned" ? { value: end.value } : {};
    if (end.kind === "returned") this.#said.push(typeof end.value === "string" ? end.value : JSON.stringify(end.value));
    const last =
      this.#effects > 0
        ? cameToEnd(main.name, this.#toolCalls)[language]
        : sayLast("noop", language, nothingToPropose(main.name, this.#refusal)[language]);
    return { kind: "answered", text: [...this.#said, last].join("\n"), ...value };
  }
}

const isPutToModel = ({ kind }: Request): boolean => kind === "llm" || kind === "judge";

/** A bare number is a number of seconds. */
const spoken = (duration: Json | undefined): string =>
  typeof duration === "string"
    ? duration
    : typeof duration === "number"
      ? `${duration} s`
      : JSON.stringify(duration ?? null);

/** What a model said instead of an answer in the right form. */
const answerIn = ({ details }: Failure): string => (typeof details["answer"] === "string" ? details["answer"] : "");

const overBudget = (most: number): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: `the run has used up its budget of ${most} calls`, uk: `запуск вичерпав свій бюджет: ${most} викликів` },
    { details: { limit: "budget.calls", most } },
  );

const tooManyIcons = (most: number): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `more than ${most} icons were to be put to the model`,
      uk: `моделі мало бути передано понад ${most} ікон`,
    },
    {
      hint: {
        en: "`max_steps` in the contract sets how many may be.",
        uk: "Скільки дозволено, задає `max_steps` у контракті.",
      },
      details: { limit: "max_steps", most },
    },
  );

const noDuration = (asked: string): Text => ({
  en: `"${asked}" is no duration; write 20 min, 2 h or a time`,
  uk: `«${asked}» — не тривалість; пишіть 20 хв, 2 год або час`,
});

const noProcedure = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "`execution: flow` carries out a procedure, and the contract holds none",
    uk: "`execution: flow` виконує процедуру, а контракт її не містить",
  });

const unreadable = (finding: { readonly message: Text; readonly line: number }): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the procedure cannot be carried out: line ${finding.line}: ${finding.message.en}`,
      uk: `процедуру неможливо виконати: рядок ${finding.line}: ${finding.message.uk}`,
    },
    { details: { line: finding.line } },
  );
