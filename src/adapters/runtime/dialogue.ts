import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Json } from "../../base/canonical.ts";
import { asFailure, Failure } from "../../base/failure.ts";
import { formedAnswer } from "../../domain/run/answer-form.ts";
import { countTokens } from "../../domain/text/tokens.ts";
import {
  type Acted,
  type Briefing,
  type CallJournal,
  callEnd,
  type Denial,
  type RunTool,
  type StopReason,
} from "../../ports/runtime.ts";
import { correction } from "./answer-form.ts";
import { abortedBy, cutShort, malformed, noAnswer, overBudget, tooManyTurns } from "./failures.ts";
import { modelFailure } from "./model-failure.ts";
import { deniedOutput, failureOutput, openPrompt, resultOutput } from "./prompt.ts";
import { type Reply, replyOf, textOf } from "./reply.ts";
import { type AskedCall, askedCall, uniqueId } from "./requested-call.ts";

/**
 * One act with a model: what all members of the family have in common, so that they differ only in who turns the crank. It
 * keeps what was said, counts, keeps the limits, asks the journal for every call, and knows how the act ended. A member asks
 * for turns and has their calls carried out, one after the other; once it has ended, nothing begins any more.
 */
export interface Dialogue {
  /** Asks the model. Throws `Ended`, and only that. */
  turn(): Promise<Turn>;
  /** Makes a call that the model asked for, or tells it why not. What the model is told comes back. Throws `Ended`, and only that. */
  carryOut(call: AskedCall): Promise<Json>;
  /** How the act ended with a turn that asked for no calls; undefined if the model is asked once more. */
  conclude(turn: Turn): Acted | undefined;
  /** How it ended, if something ended it; whatever else was thrown is a failure of our own. */
  stopped(thrown: unknown): Acted;
}

export interface Turn {
  readonly number: number;
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly reply: Reply;
}

/** Ends an act. Libraries may swallow it: the dialogue remembers. */
export class Ended extends Error {
  readonly why: StopReason;
  readonly failure: Failure;
  constructor(why: StopReason, failure: Failure) {
    super(failure.message);
    this.why = why;
    this.failure = failure;
  }
}

export interface DialogueGround {
  readonly briefing: Briefing;
  readonly tools: readonly RunTool[];
  /** A model by its id, asked for when a call is really made. A failure that it throws is the call's. */
  readonly models: (id: string) => LanguageModelV4;
  readonly journal: CallJournal;
  readonly signal: AbortSignal;
}

export function openDialogue({ briefing, tools, models, journal, signal }: DialogueGround): Dialogue {
  const { budget, maxTurns, answer } = briefing;
  const prompt = openPrompt(briefing, tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const ids = new Set<string>();
  const denied: Denial[] = [];
  let ended: Ended | undefined;
  let turns = 0;
  let calls = 0;
  let toolCalls = 0;
  let tokens = { input: 0, output: 0 };
  let corrected = false;

  const end = (why: StopReason, failure: Failure): never => {
    throw (ended ??= new Ended(why, failure));
  };
  const facts = () => ({ turns, tokens, toolCalls, denied: [...denied] });
  const stop = (why: StopReason, failure: Failure): Acted => ({ ...facts(), kind: "stopped", why, failure });

  /** Nothing begins after an end or an abort, or beyond the number of calls. */
  function begin(): void {
    if (ended) throw ended;
    if (signal.aborted) end("aborted", abortedBy(signal));
    if (budget.calls !== undefined && calls >= budget.calls) end("budget", overBudget("calls", budget.calls));
    calls++;
  }

  /** What is left for the answer; undefined without a budget. What is to be sent counts before it is sent. */
  async function tokensLeft(): Promise<number | undefined> {
    if (budget.tokens === undefined) return undefined;
    const left = budget.tokens - tokens.input - tokens.output;
    const sending = left > 0 ? lastSent + (await countTokens(prompt.untold())) : 0;
    if (left - sending <= 0) end("budget", overBudget("tokens", budget.tokens));
    return left - sending;
  }
  /** The whole prompt is sent at every turn. */
  let lastSent = 0;

  /** An abort does not wait for whoever is under way: what comes after it is nobody's. */
  async function unlessAborted<T>(work: Promise<T>): Promise<T> {
    let stopListening = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      const give = (): void => reject(new Ended("aborted", abortedBy(signal)));
      signal.addEventListener("abort", give, { once: true });
      stopListening = () => signal.removeEventListener("abort", give);
    });
    work.catch(() => undefined);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      stopListening();
    }
  }

  async function ask(maxOutputTokens: number | undefined): Promise<Reply> {
    const { told, messages } = prompt.news();
    const request: Json = {
      turn: turns,
      model: briefing.model,
      temperature: briefing.temperature,
      ...(turns === 1 && { tools: [...byName.keys()] }),
      ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
      told,
      messages,
    };
    const options = prompt.options();
    return (await journal.model(request, async (late) => {
      try {
        const abortSignal = AbortSignal.any([signal, late]);
        const result = await models(briefing.model).doGenerate({
          ...options,
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
          abortSignal,
        });
        const reply = await replyOf(result, () => JSON.stringify(options.prompt));
        return { output: reply as unknown as Json, tokens: reply.tokens };
      } catch (thrown) {
        throw signal.aborted || late.aborted ? thrown : modelFailure(thrown, briefing.model);
      }
    })) as unknown as Reply;
  }

  /** What was thrown in a call, as the end of the act, unless the model may be told. */
  function endOf(thrown: unknown, otherwise: StopReason | undefined): Failure {
    if (thrown instanceof Ended) end(thrown.why, thrown.failure);
    if (signal.aborted) end("aborted", abortedBy(signal));
    const failure = asFailure(thrown);
    const why = callEnd(failure) ?? otherwise;
    return why === undefined ? failure : end(why, failure);
  }

  return {
    async turn() {
      try {
        if (!ended && !signal.aborted && turns >= maxTurns) end("turns", tooManyTurns(maxTurns));
        begin();
        const left = await tokensLeft();
        turns++;
        const reply = await unlessAborted(ask(left));
        lastSent = reply.tokens.input;
        tokens = { input: tokens.input + reply.tokens.input, output: tokens.output + reply.tokens.output };
        const asked: AskedCall[] = [];
        for (const [place, part] of reply.content.filter((each) => each.type === "call").entries())
          asked.push(await askedCall(part, uniqueId(part.id, turns, place, ids), byName));
        prompt.said(reply, asked);
        if (signal.aborted) end("aborted", abortedBy(signal));
        return { number: turns, text: textOf(reply), calls: asked, reply };
      } catch (thrown) {
        throw endOf(thrown, "model");
      }
    },

    async carryOut(call) {
      const { verdict } = call;
      if (ended) throw ended;
      if (verdict.kind === "denied") {
        denied.push({ tool: verdict.tool, why: verdict.why });
        prompt.answered(call, deniedOutput(verdict.words));
        return { denied: verdict.words };
      }
      begin();
      toolCalls++;
      try {
        const result = resultOutput(await unlessAborted(journal.tool(verdict.tool, verdict.input)));
        prompt.answered(call, result);
        return (result as { value: Json }).value;
      } catch (thrown) {
        const told = failureOutput(endOf(thrown, undefined));
        prompt.answered(call, told);
        return { failed: (told as { value: Json }).value };
      }
    },

    conclude({ text, reply }) {
      if (reply.finish === "length") {
        const why = budget.tokens === undefined ? "model" : "budget";
        return stop(why, why === "budget" ? overBudget("tokens", budget.tokens!) : cutShort(briefing.model));
      }
      if (reply.finish === "content-filter" || reply.finish === "error")
        return stop("model", noAnswer(briefing.model, reply.finish));
      if (!answer || answer.kind === "text")
        return text.trim() === ""
          ? stop("no-answer", noAnswer(briefing.model, reply.finish))
          : { ...facts(), kind: "answered", text, ...(answer && { value: text }) };
      const formed = formedAnswer(answer, text);
      if (formed.kind === "value") return { ...facts(), kind: "answered", text, value: formed.value };
      if (corrected || turns >= maxTurns) return stop("no-answer", malformed(briefing.model, answer, text));
      corrected = true;
      prompt.tell(correction(answer));
      return undefined;
    },

    stopped(thrown) {
      if (ended) return stop(ended.why, ended.failure);
      return stop("model", asFailure(thrown));
    },
  };
}
