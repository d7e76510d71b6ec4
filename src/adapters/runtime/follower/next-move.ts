import type { Json } from "../../../base/canonical.ts";
import type { Language, Text } from "../../../base/text.ts";
import { PASSED, writePassed } from "../../../domain/run/passed-lines.ts";
import { atLine, cameToEnd, lacking, notGranted, nothingToPropose } from "../../../domain/run/procedure-words.ts";
import { type OutcomeWord, outcomeLine } from "../../../domain/run/stated-outcome.ts";
import { argumentNamesFor } from "../../../drakon/expression/argument-names.ts";
import { callId, derivedValue, proposalSubjects, seededRandom } from "../../../drakon/walk/derived-answer.ts";
import { errorAnswer } from "../../../drakon/walk/error-answer.ts";
import { onlyStoresResult, treeNamed } from "../../../drakon/walk/icon-statements.ts";
import { lineAnswer } from "../../../drakon/walk/line-path.ts";
import { MAX_RUN_STEPS, WalkMachine } from "../../../drakon/walk/machine.ts";
import { answerFault, answerTo, type Request } from "../../../drakon/walk/request.ts";
import { hasProposalId, isToolRequest, refusalIn, toolAnswer, toolInput } from "../../../drakon/walk/tool-request.ts";
import type { TraceEntry, WalkEnd } from "../../../drakon/walk/walk-end.ts";
import type { Conversation } from "./conversation.ts";
import { type FollowerProcedure, readFollowerProcedure } from "./read-procedure.ts";

export type FollowerMove =
  | { readonly kind: "call"; readonly calls: readonly FollowerCall[] }
  | { readonly kind: "say"; readonly text: string };

export interface FollowerCall {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [name: string]: Json };
}

/**
 * The next move of a literal execution of the procedure: a pure function of the conversation. The walk restarts every time and uses
 * the results in the conversation as its journal, so no state is kept between turns.
 */
export function nextMove(conversation: Conversation): FollowerMove {
  const reading = readFollowerProcedure(conversation.instructions);
  if (reading.kind === "none") return withoutProcedure(conversation);
  if (reading.kind === "unreadable") {
    const { language, finding, line, text } = reading;
    return say("blocked", language, `${atLine(line, text)[language]}: ${finding.message[language]}`);
  }
  return new ProcedureWalk(conversation, reading.procedure).move();
}

class ProcedureWalk {
  readonly #conversation: Conversation;
  readonly #procedure: FollowerProcedure;
  readonly #machine: WalkMachine;
  readonly #said: string[] = [];
  readonly #proposed: string[] = [];
  /** Number of trace entries that earlier calls reported. */
  #reported = 0;
  #turn: ReadonlySet<string> = new Set();
  #answers = 0;
  /** Placeholders for missing results, and whether a formula has read one. */
  readonly #promised = new Set<Json | undefined>();
  #needed = false;
  #effects = 0;
  #refusal: string | undefined;
  #toolResults = 0;

  constructor(conversation: Conversation, procedure: FollowerProcedure) {
    this.#conversation = conversation;
    this.#procedure = procedure;
    this.#machine = new WalkMachine(procedure.program, conversation.block.input, {
      argumentNames: argumentNamesFor(conversation.tools),
      lineOf: (_, icon) => procedure.lineOf(icon),
      maxSteps: MAX_RUN_STEPS,
      onRead: (value) => {
        if (this.#promised.has(value)) this.#needed = true;
      },
    });
  }

  /** Answers requests as long as the answers are known, then asks for the rest. */
  move(): FollowerMove {
    for (;;) {
      const [oldest] = this.#machine.pending.values();
      if (!oldest) return this.#atEnd(this.#machine.end!);
      const { request } = oldest;
      const known = this.#known(request);
      if (known.kind === "stop") return known.move;
      if (known.kind === "unknown") return this.#ask(request);
      const fault = answerFault(request, known.value);
      if (fault) return this.#stop("failed", request, fault);
      this.#machine.answer(answerTo(request, known.value), this.#answers++);
    }
  }

  #known(
    request: Request,
  ): { kind: "value"; value: Json } | { kind: "unknown" } | { kind: "stop"; move: FollowerMove } {
    const { block, results } = this.#conversation;
    switch (request.kind) {
      case "now":
        if (block.time === undefined) return { kind: "stop", move: this.#stop("blocked", request, lacking.clock) };
        return { kind: "value", value: Date.parse(block.time) };
      case "random":
        return { kind: "value", value: seededRandom(block.run ?? "", request.id) };
      case "notify":
        this.#said.push(saidBy(request));
        return { kind: "value", value: null };
      case "llm": {
        const value = derivedValue(request, this.#proposed);
        return value === undefined ? { kind: "unknown" } : { kind: "value", value };
      }
      default: {
        const result = results.get(callId(request));
        if (!result) return { kind: "unknown" };
        this.#startTurn(request);
        if ("value" in result) {
          this.#toolResults++;
          const value = toolAnswer(request, result.value);
          this.#note(request, value);
          return { kind: "value", value };
        }
        const value = errorAnswer(this.#procedure.program, request, result.error);
        if (value !== undefined) return { kind: "value", value };
        const { code, message } = result.error;
        return {
          kind: "stop",
          move: this.#stop("failed", request, { en: `${code}: ${message}`, uk: `${code}: ${message}` }),
        };
      }
    }
  }

  #note(request: Request, value: Json): void {
    this.#refusal = refusalIn(value) ?? this.#refusal;
    if (!hasProposalId(value)) return;
    this.#effects++;
    this.#proposed.push(...proposalSubjects(request));
  }

  /**
   * Calls the pending tools, and also the following ones as long as they need no missing result: twenty notes are tagged in one turn.
   * Parallel processes are called together too, up to the first request that is no tool call.
   */
  #ask(oldest: Request): FollowerMove {
    const { tools, mayCall } = this.#conversation;
    if (!isToolRequest(oldest)) return this.#stop("blocked", oldest, lackOf(oldest));
    if (!tools.some(({ name }) => name === oldest.name)) return this.#stop("blocked", oldest, notGranted(oldest.name));
    if (!mayCall) return this.#stop("blocked", oldest, lacking.calls);
    const calls: FollowerCall[] = [];
    do this.#callPending(calls);
    while (calls.length < MAX_CALLS && this.#walkOnWithoutResult());
    return { kind: "call", calls };
  }

  #callPending(calls: FollowerCall[]): void {
    const ready: [Request, readonly string[]][] = [];
    for (const { request } of this.#machine.pending.values()) {
      const tool = this.#conversation.tools.find(({ name }) => name === request.name);
      if (!isToolRequest(request) || !tool) break;
      ready.push([request, tool.fields]);
    }
    const claims = this.#claims(ready.map(([request]) => request));
    for (const [index, [request, fields]] of ready.entries()) {
      const claim = fields.includes(PASSED) ? { [PASSED]: claims[index]! } : {};
      calls.push({ id: callId(request), name: request.name, input: { ...toolInput(request, fields), ...claim } });
    }
  }

  /** Walks on with a placeholder for the one pending result. Returns false if the path could depend on that result. */
  #walkOnWithoutResult(): boolean {
    const [waiting, ...others] = this.#machine.requests;
    if (!waiting || others.length > 0 || waiting.kind === "human" || !isToolRequest(waiting)) return false;
    if (!onlyStoresResult(this.#procedure.program, waiting)) return false;
    const promised = waiting.kind === "propose" ? { proposal: "" } : {};
    this.#promised.add(promised);
    this.#machine.answer(answerTo(waiting, promised), this.#answers++);
    return !this.#needed && this.#machine.pending.size > 0;
  }

  /**
   * The lines passed since the last call, for each call: each line once, the call's own line last. With parallel processes the first
   * call reports the shared lines.
   */
  #claims(requests: readonly Request[]): string[][] {
    const passed = this.#machine.trace.slice(this.#reported);
    this.#reported = this.#machine.trace.length;
    const own = requests.map(({ diagram, icon, visit }) =>
      passed.findLast((one) => one.icon === icon && one.visit === visit && one.diagram === diagram),
    );
    const shared = passed.filter((one) => !own.includes(one));
    return own.map((one, index) => this.#lines([...(index === 0 ? shared : []), ...(one ? [one] : [])]));
  }

  #lines(passed: readonly TraceEntry[]): string[] {
    const { program, lineOf, turned } = this.#procedure;
    const lines: string[] = [];
    let before: number | undefined;
    for (const { diagram, icon, answer } of passed) {
      const line = lineOf(icon);
      const tree = treeNamed(program.trees, diagram);
      const said = tree && lineAnswer(tree, icon, answer, turned);
      // Joined questions share one line, which is passed once.
      if (line === undefined || (line === before && said === undefined)) continue;
      before = line;
      lines.push(writePassed({ line, ...(said !== undefined && { answer: said }) }));
    }
    return lines;
  }

  /** At the first result of a turn: the path up to here was reported when its calls were made. */
  #startTurn(request: Request): void {
    if (this.#turn.has(request.id)) return;
    this.#turn = new Set(this.#machine.pending.keys());
    this.#reported = this.#machine.trace.length;
  }

  #stop(kind: "blocked" | "failed", { icon }: { readonly icon: string }, why: Text): FollowerMove {
    const { language } = this.#procedure;
    const place = atLine(this.#procedure.lineOf(icon), this.#procedure.textOf(icon))[language];
    return { kind: "say", text: [...this.#said, outcomeLine(kind, language, `${place}: ${why[language]}`)].join("\n") };
  }

  #atEnd(end: WalkEnd): FollowerMove {
    const { language, name } = this.#procedure;
    if (end.kind === "failed") {
      const { icon, message } = end.problem;
      if (icon !== undefined) return this.#stop("failed", { icon }, message);
      return { kind: "say", text: [...this.#said, outcomeLine("failed", language, message[language])].join("\n") };
    }
    if (end.kind === "returned") this.#said.push(typeof end.value === "string" ? end.value : JSON.stringify(end.value));
    const last =
      this.#effects > 0
        ? cameToEnd(name, this.#toolResults)[language]
        : outcomeLine("noop", language, nothingToPropose(name, this.#refusal)[language]);
    return { kind: "say", text: [...this.#said, last].join("\n") };
  }
}

/** Maximum number of calls in one turn, to bound the size of a journal entry. */
const MAX_CALLS = 50;

function saidBy({ payload }: Request): string {
  const { text } = payload;
  return typeof text === "string" ? text : JSON.stringify(text ?? null);
}

const say = (kind: OutcomeWord, language: Language, reason: string): FollowerMove => ({
  kind: "say",
  text: outcomeLine(kind, language, reason),
});

const lackOf = ({ kind }: Request): Text => (Object.hasOwn(lacking, kind) ? lacking[kind as "llm"] : lacking.llm);

/** Instructions in prose, or one icon put to a model: neither can be computed. */
function withoutProcedure({ block, instructions }: Conversation): FollowerMove {
  const language = /[а-яіїєґ]/i.test(instructions) ? "uk" : "en";
  const { icon } = block;
  if (!icon) return say("blocked", language, lacking.procedure[language]);
  return say("blocked", language, `${atLine(icon.line, icon.text)[language]}: ${lacking.llm[language]}`);
}
