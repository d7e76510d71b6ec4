import type { Json } from "../../../base/canonical.ts";
import type { Language, Text } from "../../../base/text.ts";
import { type LastWord, sayLast } from "../../../domain/last-words.ts";
import { PASSED, writePassed } from "../../../domain/passed-lines.ts";
import { atLine, cameToEnd, lacking, notGranted, nothingToPropose } from "../../../domain/procedure-words.ts";
import { argumentNamesFor } from "../../../drakon/expression/argument-names.ts";
import { diagramName } from "../../../drakon/expression/read-icon.ts";
import { errorAnswer } from "../../../drakon/walk/error-branch.ts";
import { drawnFrom, followingValue, proposedFor } from "../../../drakon/walk/known-answer.ts";
import { answerTold } from "../../../drakon/walk/line-path.ts";
import { MAX_RUN_STEPS, Machine } from "../../../drakon/walk/machine.ts";
import type { End } from "../../../drakon/walk/outcome.ts";
import { answerFault, answerTo, type Request } from "../../../drakon/walk/request.ts";
import { isEffect, isToolRequest, refusalIn, toolAnswer, toolInput } from "../../../drakon/walk/tool-request.ts";
import type { Conversation } from "./conversation.ts";
import { type Procedure, procedureIn } from "./procedure.ts";

export type Move =
  | { readonly kind: "call"; readonly calls: readonly MadeCall[] }
  | { readonly kind: "say"; readonly text: string };

export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [name: string]: Json };
}

/**
 * What somebody who does exactly what the procedure says would do next: a pure function of the conversation. The walk begins anew
 * each time and takes the results that are there for its journal, so nothing is remembered between two turns.
 */
export function nextMove(conversation: Conversation): Move {
  const reading = procedureIn(conversation.instructions);
  if (reading.kind === "none") return withoutProcedure(conversation);
  if (reading.kind === "unreadable") {
    const { language, finding, line, text } = reading;
    return say("blocked", language, `${atLine(line, text)[language]}: ${finding.message[language]}`);
  }
  return new Following(conversation, reading.procedure).move();
}

class Following {
  readonly #conversation: Conversation;
  readonly #procedure: Procedure;
  readonly #machine: Machine;
  readonly #said: string[] = [];
  readonly #proposed: string[] = [];
  /** How many entries of the trace were told with earlier calls. */
  #told = 0;
  #turn: ReadonlySet<string> = new Set();
  #answers = 0;
  #effects = 0;
  #refusal: string | undefined;
  #toolResults = 0;

  constructor(conversation: Conversation, procedure: Procedure) {
    this.#conversation = conversation;
    this.#procedure = procedure;
    this.#machine = new Machine(procedure.program, conversation.block.input, {
      argumentNames: argumentNamesFor(conversation.tools),
      lineOf: (_, icon) => procedure.lineOf(icon),
      maxSteps: MAX_RUN_STEPS,
    });
  }

  /** Answers the oldest request as long as the answer is known; what is left over is asked for. */
  move(): Move {
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

  #known(request: Request): { kind: "value"; value: Json } | { kind: "unknown" } | { kind: "stop"; move: Move } {
    const { block, results } = this.#conversation;
    switch (request.kind) {
      case "now":
        if (block.time === undefined) return { kind: "stop", move: this.#stop("blocked", request, lacking.clock) };
        return { kind: "value", value: Date.parse(block.time) };
      case "random":
        return { kind: "value", value: drawnFrom(block.run ?? "", request.id) };
      case "notify":
        this.#said.push(saidBy(request));
        return { kind: "value", value: null };
      case "llm": {
        const value = followingValue(request, this.#proposed);
        return value === undefined ? { kind: "unknown" } : { kind: "value", value };
      }
      default: {
        const result = results.get(callId(request));
        if (!result) return { kind: "unknown" };
        this.#turnOf(request);
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
    if (!isEffect(value)) return;
    this.#effects++;
    this.#proposed.push(...proposedFor(request));
  }

  /** Calls at once what processes that run side by side wait for, up to the first thing that is no call. */
  #ask(oldest: Request): Move {
    const { tools, mayCall } = this.#conversation;
    if (!isToolRequest(oldest)) return this.#stop("blocked", oldest, lackOf(oldest));
    if (!mayCall) return this.#stop("blocked", oldest, lacking.calls);
    const calls: MadeCall[] = [];
    for (const { request } of this.#machine.pending.values()) {
      const tool = isToolRequest(request) ? tools.find(({ name }) => name === request.name) : undefined;
      if (!tool && request === oldest) return this.#stop("blocked", request, notGranted(request.name));
      if (!tool) break;
      const claim = tool.fields.includes(PASSED) ? { [PASSED]: calls.length === 0 ? this.#claim() : [] } : {};
      calls.push({
        id: callId(request),
        name: request.name,
        input: { ...toolInput(request, tool.fields), ...claim },
      });
    }
    return { kind: "call", calls };
  }

  /** The lines since the last call, told once: calls that are made together have one way behind them. */
  #claim(): string[] {
    const { program, lineOf } = this.#procedure;
    const told: string[] = [];
    let before: number | undefined;
    for (const { diagram, icon, answer } of this.#machine.trace.slice(this.#told)) {
      const line = lineOf(icon);
      const tree = program.trees.get(diagram) ?? program.trees.get(diagramName(diagram));
      const said = tree && answerTold(tree, icon, answer);
      // Questions that are joined stand in one line, which is passed once.
      if (line === undefined || (line === before && said === undefined)) continue;
      before = line;
      told.push(writePassed({ line, ...(said !== undefined && { answer: said }) }));
    }
    return told;
  }

  /** The first result of a turn: up to here the way was told when its calls were made. */
  #turnOf(request: Request): void {
    if (this.#turn.has(request.id)) return;
    this.#turn = new Set(this.#machine.pending.keys());
    this.#told = this.#machine.trace.length;
  }

  #stop(kind: "blocked" | "failed", { icon }: { readonly icon: string }, why: Text): Move {
    const { language } = this.#procedure;
    const place = atLine(this.#procedure.lineOf(icon), this.#procedure.textOf(icon))[language];
    return { kind: "say", text: [...this.#said, sayLast(kind, language, `${place}: ${why[language]}`)].join("\n") };
  }

  #atEnd(end: End): Move {
    const { language, name } = this.#procedure;
    if (end.kind === "failed") {
      const { icon, message } = end.problem;
      if (icon !== undefined) return this.#stop("failed", { icon }, message);
      return { kind: "say", text: [...this.#said, sayLast("failed", language, message[language])].join("\n") };
    }
    if (end.kind === "returned") this.#said.push(typeof end.value === "string" ? end.value : JSON.stringify(end.value));
    const last =
      this.#effects > 0
        ? cameToEnd(name, this.#toolResults)[language]
        : sayLast("noop", language, nothingToPropose(name, this.#refusal)[language]);
    return { kind: "say", text: [...this.#said, last].join("\n") };
  }
}

/** The same for this request in every turn, and for no other request of the run. */
const callId = (request: Request): string => `step_${request.id.slice(0, 24)}`;

function saidBy({ payload }: Request): string {
  const { text } = payload;
  return typeof text === "string" ? text : JSON.stringify(text ?? null);
}

const say = (kind: LastWord, language: Language, reason: string): Move => ({
  kind: "say",
  text: sayLast(kind, language, reason),
});

const lackOf = ({ kind }: Request): Text => (Object.hasOwn(lacking, kind) ? lacking[kind as "llm"] : lacking.llm);

/** One icon that was put to a model, or instructions in prose: neither can be computed. */
function withoutProcedure({ block, instructions }: Conversation): Move {
  const language = /[а-яіїєґ]/i.test(instructions) ? "uk" : "en";
  const { icon } = block;
  if (!icon) return say("blocked", language, lacking.procedure[language]);
  return say("blocked", language, `${atLine(icon.line, icon.text)[language]}: ${lacking.llm[language]}`);
}
