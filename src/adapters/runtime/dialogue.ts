import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Json } from "../../base/canonical.ts";
import { asFailure, type Failure } from "../../base/failure.ts";
import { formedAnswer } from "../../domain/run/answer-form.ts";
import { countTokens } from "../../domain/text/tokens.ts";
import {
  type Acted,
  type ActStopReason,
  type Briefing,
  type CallJournal,
  callEnd,
  type Denial,
  type RunTool,
} from "../../ports/runtime.ts";
import { ActEnded } from "./act-ended.ts";
import { correction } from "./answer-form.ts";
import { AFTER_REFUSAL, isArgumentRefusal } from "./argument-refusal.ts";
import { abortedBy, cutShort, malformed, noAnswer, overBudget, tooManyTurns } from "./failures.ts";
import { modelFailure } from "./model-failure.ts";
import { deniedOutput, failureOutput, openPrompt, type Prompt, resultOutput } from "./prompt.ts";
import { type Reply, replyOf, replyText } from "./reply.ts";
import { checkCall, type RequestedCall, uniqueId } from "./requested-call.ts";
import { unlessAborted } from "./unless-aborted.ts";

/**
 * One act with a model: everything that the runtimes share, so that they differ only in who drives the loop. It keeps the
 * conversation, counts, enforces the limits, asks the journal for every call, and knows how the act ended. A runtime asks for
 * turns and has their calls carried out one after the other. After the end, every call throws.
 */
export interface Dialogue {
  /** Asks the model. Throws `ActEnded` and nothing else. */
  turn(): Promise<ModelTurn>;
  /** Makes a requested call, or tells the model why not. Returns the result for the model. Throws `ActEnded` and nothing else. */
  carryOut(call: RequestedCall): Promise<Json>;
  /** The end of the act after a turn without calls; undefined if the model is asked once more. */
  conclude(turn: ModelTurn): Acted | undefined;
  /** The end of the act after something was thrown. Anything but `ActEnded` is a failure of our own. */
  stopped(thrown: unknown): Acted;
}

export interface ModelTurn {
  readonly number: number;
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly reply: Reply;
}

export interface DialogueDeps {
  readonly briefing: Briefing;
  readonly tools: readonly RunTool[];
  /** A model by its id, asked for when a call is really made. What it throws is a failure of that call. */
  readonly models: (id: string) => LanguageModelV4;
  readonly journal: CallJournal;
  readonly signal: AbortSignal;
}

export const openDialogue = (deps: DialogueDeps): Dialogue => new JournaledDialogue(deps);

class JournaledDialogue implements Dialogue {
  readonly #briefing: Briefing;
  readonly #models: DialogueDeps["models"];
  readonly #journal: CallJournal;
  readonly #signal: AbortSignal;
  readonly #prompt: Prompt;
  readonly #tools: ReadonlyMap<string, RunTool>;
  readonly #callIds = new Set<string>();
  readonly #denied: Denial[] = [];
  #ended: ActEnded | undefined;
  #turns = 0;
  #calls = 0;
  #toolCalls = 0;
  #tokens = { input: 0, output: 0 };
  /** Tokens that results of tools have used beside this act. */
  #spent = 0;
  /** Input tokens of the last turn: the whole prompt is sent at every turn. */
  #lastSent = 0;
  #corrected = false;
  /** A call of this turn was refused for its arguments: the calls after it may depend on it and are not made (R-5b). */
  #isTurnStopped = false;

  constructor({ briefing, tools, models, journal, signal }: DialogueDeps) {
    this.#briefing = briefing;
    this.#models = models;
    this.#journal = journal;
    this.#signal = signal;
    this.#prompt = openPrompt(briefing, tools);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  async turn(): Promise<ModelTurn> {
    const { maxTurns } = this.#briefing;
    try {
      if (!this.#ended && !this.#signal.aborted && this.#turns >= maxTurns) this.#end("turns", tooManyTurns(maxTurns));
      this.#begin();
      const left = await this.#tokensLeft();
      this.#turns++;
      const reply = await unlessAborted(this.#ask(left), this.#signal);
      const { input, output } = reply.tokens;
      this.#lastSent = input;
      this.#tokens = { input: this.#tokens.input + input, output: this.#tokens.output + output };
      const calls = await this.#callsIn(reply);
      this.#isTurnStopped = false;
      this.#prompt.said(reply, calls);
      if (this.#signal.aborted) this.#end("aborted", abortedBy(this.#signal));
      return { number: this.#turns, text: replyText(reply), calls, reply };
    } catch (thrown) {
      throw this.#endOrFailure(thrown, "model");
    }
  }

  async carryOut(call: RequestedCall): Promise<Json> {
    const { verdict } = call;
    if (this.#ended) throw this.#ended;
    if (this.#isTurnStopped) {
      this.#prompt.answered(call, deniedOutput(AFTER_REFUSAL));
      return { denied: AFTER_REFUSAL };
    }
    if (verdict.kind === "denied") {
      this.#isTurnStopped = verdict.why === "bad-arguments";
      this.#denied.push({ tool: verdict.tool, why: verdict.why });
      this.#prompt.answered(call, deniedOutput(verdict.words));
      return { denied: verdict.words };
    }
    this.#begin();
    this.#toolCalls++;
    try {
      const output = await unlessAborted(this.#journal.tool(verdict.tool, verdict.input), this.#signal);
      const { tokens = 0, calls = 0 } = verdict.tool.spent?.(output) ?? {};
      this.#spent += tokens;
      this.#calls += calls;
      const result = resultOutput(output);
      this.#prompt.answered(call, result);
      this.#isTurnStopped = isArgumentRefusal((result as { value: Json }).value);
      return (result as { value: Json }).value;
    } catch (thrown) {
      const failure = this.#endOrFailure(thrown, undefined);
      this.#isTurnStopped = failure.code === "VALIDATION_FAILED" && Array.isArray(failure.details["problems"]);
      const output = failureOutput(failure);
      this.#prompt.answered(call, output);
      return { failed: (output as { value: Json }).value };
    }
  }

  conclude({ text, reply }: ModelTurn): Acted | undefined {
    const { answer, budget, maxTurns, model } = this.#briefing;
    if (reply.finish === "length")
      return budget.tokens === undefined
        ? this.#stop("model", cutShort(model))
        : this.#stop("budget", overBudget("tokens", budget.tokens));
    if (reply.finish === "content-filter" || reply.finish === "error")
      return this.#stop("model", noAnswer(model, reply.finish));
    if (!answer || answer.kind === "text")
      return text.trim() === ""
        ? this.#stop("no-answer", noAnswer(model, reply.finish))
        : { ...this.#facts(), kind: "answered", text, ...(answer && { value: text }) };
    const formed = formedAnswer(answer, text);
    if (formed.kind === "value") return { ...this.#facts(), kind: "answered", text, value: formed.value };
    if (this.#corrected || this.#turns >= maxTurns) return this.#stop("no-answer", malformed(model, answer, text));
    this.#corrected = true;
    this.#prompt.tell(correction(answer));
    return undefined;
  }

  stopped(thrown: unknown): Acted {
    if (this.#ended) return this.#stop(this.#ended.why, this.#ended.failure);
    return this.#stop("model", asFailure(thrown));
  }

  #facts() {
    return { turns: this.#turns, tokens: this.#tokens, toolCalls: this.#toolCalls, denied: [...this.#denied] };
  }

  #stop(why: ActStopReason, failure: Failure): Acted {
    return { ...this.#facts(), kind: "stopped", why, failure };
  }

  /** Throws the first end of this act: a later one does not replace it. */
  #end(why: ActStopReason, failure: Failure): never {
    throw (this.#ended ??= new ActEnded(why, failure));
  }

  /** Counts a call. Throws after an end or an abort, and beyond the budget of calls. */
  #begin(): void {
    const { budget } = this.#briefing;
    if (this.#ended) throw this.#ended;
    if (this.#signal.aborted) this.#end("aborted", abortedBy(this.#signal));
    if (budget.calls !== undefined && this.#calls >= budget.calls)
      this.#end("budget", overBudget("calls", budget.calls));
    this.#calls++;
  }

  /** Tokens left for the answer; undefined without a budget. The prompt counts before it is sent. */
  async #tokensLeft(): Promise<number | undefined> {
    const { budget } = this.#briefing;
    if (budget.tokens === undefined) return undefined;
    const left = budget.tokens - this.#tokens.input - this.#tokens.output - this.#spent;
    const sending = left > 0 ? this.#lastSent + (await countTokens(this.#prompt.unsent())) : 0;
    if (left - sending <= 0) this.#end("budget", overBudget("tokens", budget.tokens));
    return left - sending;
  }

  async #ask(maxOutputTokens: number | undefined): Promise<Reply> {
    const { model, temperature } = this.#briefing;
    const limit = maxOutputTokens !== undefined && { maxOutputTokens };
    const { told, messages } = this.#prompt.news();
    const request: Json = {
      turn: this.#turns,
      model,
      temperature,
      ...(this.#turns === 1 && { tools: [...this.#tools.keys()] }),
      ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
      told,
      messages,
    };
    const options = this.#prompt.options();
    return (await this.#journal.model(request, async (late) => {
      try {
        const abortSignal = AbortSignal.any([this.#signal, late]);
        const result = await this.#models(model).doGenerate({ ...options, ...limit, abortSignal });
        const reply = await replyOf(result, () => JSON.stringify(options.prompt));
        return { output: reply as unknown as Json, tokens: reply.tokens };
      } catch (thrown) {
        throw this.#signal.aborted || late.aborted ? thrown : modelFailure(thrown, model);
      }
    })) as unknown as Reply;
  }

  async #callsIn(reply: Reply): Promise<RequestedCall[]> {
    const calls: RequestedCall[] = [];
    for (const [place, part] of reply.content.filter((each) => each.type === "call").entries())
      calls.push(await checkCall(part, uniqueId(part.id, this.#turns, place, this.#callIds), this.#tools));
    return calls;
  }

  /** Throws if this error ends the act; otherwise returns it as a failure for the model. */
  #endOrFailure(thrown: unknown, otherwise: ActStopReason | undefined): Failure {
    if (thrown instanceof ActEnded) this.#end(thrown.why, thrown.failure);
    if (this.#signal.aborted) this.#end("aborted", abortedBy(this.#signal));
    const failure = asFailure(thrown);
    const why = callEnd(failure) ?? otherwise;
    return why === undefined ? failure : this.#end(why, failure);
  }
}
