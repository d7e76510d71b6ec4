import { type Operator, operatorOf } from "./keywords.ts";
import type { Token } from "./lexer.ts";
import { raise } from "./problem.ts";

/** A position in a list of tokens. The last token is the end. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]!;
  }

  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  isMark(value: string): boolean {
    const token = this.peek();
    return token.kind === "mark" && token.value === value;
  }

  takeMark(value: string): boolean {
    const found = this.isMark(value);
    if (found) this.#next++;
    return found;
  }

  expect(mark: string): void {
    if (!this.takeMark(mark)) raise("expected", this.peek().at, mark);
  }

  expectEnd(): void {
    const { kind, value, at } = this.peek();
    if (kind !== "end") raise("unexpected", at, value);
  }

  operator(ahead = 0): Operator | undefined {
    const token = this.peek(ahead);
    return token.kind === "word" ? operatorOf(token.value) : undefined;
  }

  takeOperator(wanted: Operator): boolean {
    const found = this.operator() === wanted;
    if (found) this.#next++;
    return found;
  }
}
