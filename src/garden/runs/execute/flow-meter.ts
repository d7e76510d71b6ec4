import type { Acted, Briefing, Denial } from "../../../ports/runtime.ts";
import { type ExecutedFacts, NOTHING_EXECUTED } from "./execution.ts";

/** Counts what a walk uses and compares it with the contract's limits: turns, and calls and tokens of the budget. */
export class FlowMeter {
  readonly #budget: Briefing["budget"];
  readonly #maxTurns: number;
  readonly #denied: Denial[] = [];
  #turns = 0;
  #tokens = NOTHING_EXECUTED.tokens;
  /** Model calls and tool calls: the budget limits both together. */
  #calls = 0;
  #toolCalls = 0;
  /** Tokens that results of tools have used beside the walk. */
  #spent = 0;

  constructor(budget: Briefing["budget"], maxTurns: number) {
    this.#budget = budget;
    this.#maxTurns = maxTurns;
  }

  get toolCalls(): number {
    return this.#toolCalls;
  }

  facts(): ExecutedFacts {
    return { turns: this.#turns, tokens: this.#tokens, toolCalls: this.#toolCalls, denied: this.#denied };
  }

  hasTurn(): boolean {
    return this.#turns < this.#maxTurns;
  }

  /** The number of calls that the budget allows if all are used; undefined if one is left. */
  usedUpCalls(): number | undefined {
    const { calls } = this.#budget;
    return calls !== undefined && this.#calls >= calls ? calls : undefined;
  }

  countToolCall(): void {
    this.#calls++;
    this.#toolCalls++;
  }

  countTurn(): void {
    this.#calls++;
    this.#turns++;
  }

  /** The budget of one icon, after its turn was counted: the rest of the run's. */
  iconBudget(): Briefing["budget"] {
    const { tokens, calls } = this.#budget;
    const spent = this.#tokens.input + this.#tokens.output + this.#spent;
    return {
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - spent) }),
      ...(calls !== undefined && { calls: Math.max(1, calls - this.#calls + 1) }),
    };
  }

  /** Its first turn was counted before the call. */
  addModelCall({ tokens, turns, denied }: Acted): void {
    this.#tokens = { input: this.#tokens.input + tokens.input, output: this.#tokens.output + tokens.output };
    this.#calls += Math.max(0, turns - 1);
    this.#denied.push(...denied);
  }

  /** A result that has used a part of the budget: that of a sub-agent. */
  addSpent({ tokens, calls }: { readonly tokens: number; readonly calls: number }): void {
    this.#spent += tokens;
    this.#calls += calls;
  }

  deny(denial: Denial): void {
    this.#denied.push(denial);
  }
}
