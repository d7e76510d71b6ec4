import {
  type Argument,
  type CompareOperator,
  type Expression,
  MAX_EXPRESSION_DEPTH,
  MAX_EXPRESSION_HEIGHT,
} from "./expression.ts";
import { builtinArguments, builtinOf, constantOf, methodOf, operatorOf, unitOf } from "./keywords.ts";
import { raise } from "./problem.ts";
import { TokenCursor } from "./token-cursor.ts";

const COMPARISONS = ["=", "≠", "<", "≤", ">", "≥"] as const;
const SUMS = ["+", "-"] as const;
const PRODUCTS = ["*", "/", "%"] as const;

const highest = (of: WeakMap<Expression, number>, parts: readonly Expression[]): number =>
  parts.reduce((most, part) => Math.max(most, of.get(part) ?? 1), 0);

/**
 * Recursive descent, weakest operator first: or; and; not; one comparison; sum; product; minus; call and member. The depth limit
 * is on the finished expression, not on open brackets: a chain of ten thousand sums would overflow the stack of its readers.
 */
export class ExpressionParser extends TokenCursor {
  readonly #heights = new WeakMap<Expression, number>();
  /** Nesting as a person sees it: the terms of a flat sum do not nest. */
  readonly #levels = new WeakMap<Expression, number>();
  #open = 0;

  expression(limit = MAX_EXPRESSION_DEPTH): Expression {
    // Open brackets bound the depth of the JavaScript stack.
    if (++this.#open > limit) raise("too-deep", this.peek().at, String(MAX_EXPRESSION_DEPTH));
    const found = this.#chain("or", () => this.#chain("and", () => this.#negated()));
    this.#open--;
    return found;
  }

  #made<T extends Expression>(node: T, ...parts: readonly Expression[]): T {
    const level = 1 + highest(this.#levels, parts);
    return this.#measured(node, level, parts);
  }

  /** A further term of a flat sum or product is on the level of the terms before it. */
  #joined<T extends Expression>(node: T, left: Expression, right: Expression): T {
    const level = Math.max(this.#levels.get(left) ?? 1, 1 + (this.#levels.get(right) ?? 1));
    return this.#measured(node, level, [left, right]);
  }

  #measured<T extends Expression>(node: T, level: number, parts: readonly Expression[]): T {
    const height = 1 + highest(this.#heights, parts);
    if (level > MAX_EXPRESSION_DEPTH) raise("too-deep", node.at, String(MAX_EXPRESSION_DEPTH));
    if (height > MAX_EXPRESSION_HEIGHT) raise("too-deep", node.at, String(MAX_EXPRESSION_HEIGHT));
    this.#heights.set(node, height);
    this.#levels.set(node, level);
    return node;
  }

  #chain(is: "and" | "or", part: () => Expression): Expression {
    const of = [part()];
    while (this.takeOperator(is)) of.push(part());
    return of.length === 1 ? of[0]! : this.#made({ is, of, at: of[0]!.at }, ...of);
  }

  #negated(): Expression {
    const { at } = this.peek();
    let count = 0;
    while (this.takeOperator("not")) count++;
    let found = this.#comparison();
    for (; count > 0; count--) found = this.#made({ is: "not", of: found, at }, found);
    return found;
  }

  #comparison(): Expression {
    const left = this.#sum();
    const { kind, value, at } = this.peek();
    const op = kind === "mark" ? COMPARISONS.find((one) => one === value) : undefined;
    if (op) {
      this.take();
      return this.#compared(op, left, this.#sum(), at);
    }
    return this.#wordComparison(left, at);
  }

  #compared(op: CompareOperator, left: Expression, right: Expression, at: number, spoken = false): Expression {
    return this.#made({ is: "compare", op, left, right, ...(spoken && { spoken }), at }, left, right);
  }

  /** `x є порожнім`, `x не порожня`, `x is not in xs`, `x does not contain y`, `x є 5`. */
  #wordComparison(left: Expression, at: number): Expression {
    let denied = this.operator() === "not" && this.operator(1) !== undefined;
    if (denied) this.take();
    const does = !denied && this.takeOperator("does");
    if (does && !this.takeOperator("not")) raise("expected", this.peek().at, "not");
    if (does) denied = true;
    const is = !does && this.takeOperator("is");
    if (is && !denied && this.takeOperator("not")) denied = true;
    let found: Expression | undefined;
    if (!does && this.takeOperator("empty")) found = this.#made({ is: "empty", of: left, at }, left);
    else if (!does && this.takeOperator("in")) found = this.#compared("in", left, this.#sum(), at);
    else if (!is && (this.takeOperator("contains") || this.takeOperator("contain")))
      found = this.#compared("contains", left, this.#sum(), at);
    else if (is || (!does && this.takeOperator("equals"))) found = this.#compared("=", left, this.#sum(), at, true);
    else if (denied) raise("unexpected", this.peek().at, this.peek().value);
    if (!found) return left;
    return denied ? this.#made({ is: "not", of: found, at }, found) : found;
  }

  #sum(): Expression {
    return this.#arithmetic(SUMS, () => this.#arithmetic(PRODUCTS, () => this.#signed()));
  }

  #arithmetic(ops: typeof SUMS | typeof PRODUCTS, part: () => Expression): Expression {
    let left = part();
    for (;;) {
      const { kind, value, at } = this.peek();
      const op = kind === "mark" ? ops.find((one) => one === value) : undefined;
      if (!op) return left;
      this.take();
      const right = part();
      left = this.#joined({ is: "arithmetic", op, left, right, at }, left, right);
    }
  }

  #signed(): Expression {
    const { at } = this.peek();
    let count = 0;
    while (this.takeMark("-")) count++;
    let found = this.#postfix();
    for (; count > 0; count--) found = this.#made({ is: "negative", of: found, at }, found);
    return found;
  }

  #postfix(): Expression {
    let found = this.#primary();
    for (;;) {
      const { tight, at } = this.peek();
      if (tight && this.isMark(".") && this.peek(1).kind === "word" && this.peek(1).tight) {
        this.take();
        const name = this.take().value;
        if (this.#isCall()) {
          const args = this.#arguments().map(({ name: given, value }) =>
            given === undefined ? value : raise("unexpected", value.at, given),
          );
          found = this.#made({ is: "method", of: found, name: methodOf(name), args, at }, found, ...args);
        } else found = this.#made({ is: "member", of: found, name, at }, found);
      } else if (tight && this.isMark("[")) {
        this.take();
        const index = this.expression();
        this.expect("]");
        found = this.#made({ is: "item", of: found, index, at }, found, index);
      } else return found;
    }
  }

  #isCall(): boolean {
    return this.isMark("(") && this.peek().tight;
  }

  #primary(): Expression {
    const token = this.take();
    const { kind, value, at } = token;
    if (kind === "number") return this.#number(token);
    if (kind === "text") {
      let joined = value;
      while (this.peek().kind === "text") joined += this.take().value;
      return { is: "text", value: joined, at };
    }
    if (kind === "word") return this.#word(value, at);
    if (kind === "mark" && value === "(") {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (kind === "mark" && value === "[") {
      const items = this.#separated("]", () => this.expression());
      return this.#made({ is: "list", items, at }, ...items);
    }
    return kind === "end" ? raise("expected", at, { en: "a value", uk: "значення" }) : raise("unexpected", at, value);
  }

  #number({ value, at }: { value: string; at: number }): Expression {
    const number = Number(value);
    if (!Number.isFinite(number)) raise("number", at, `${value.slice(0, 20)}…`);
    const next = this.peek();
    const unit = next.kind === "word" ? unitOf(next.value) : undefined;
    if (unit === undefined) return { is: "number", value: number, at };
    this.take();
    return { is: "measure", value: number, unit, at };
  }

  #word(word: string, at: number): Expression {
    const called = this.#isCall();
    const builtin = called ? builtinOf(word) : undefined;
    if (builtin) {
      const args = this.#arguments().map(({ name, value }) =>
        name === undefined ? value : raise("unexpected", value.at, name),
      );
      if (args.length !== builtinArguments[builtin]) raise("arguments", at, word);
      return this.#made({ is: "builtin", name: builtin, args, at }, ...args);
    }
    if (called && operatorOf(word) === undefined) {
      const args = this.#arguments();
      return this.#made({ is: "call", name: word, args, at }, ...args.map(({ value }) => value));
    }
    const constant = constantOf(word);
    if (constant === "nothing") return { is: "nothing", at };
    if (constant !== undefined) return { is: "truth", value: constant === "true", at };
    if (operatorOf(word) !== undefined) raise("unexpected", at, word);
    return { is: "name", name: word, at };
  }

  #arguments(): Argument[] {
    this.expect("(");
    return this.#separated(")", () => {
      const named = this.peek().kind === "word" && this.peek(1).kind === "mark" && this.peek(1).value === ":";
      const name = named ? this.take().value : undefined;
      if (named) this.take();
      const value = this.expression();
      return name === undefined ? { value } : { name, value };
    });
  }

  /** A comma-separated list; a trailing comma is allowed. */
  #separated<T>(closing: string, one: () => T): T[] {
    const found: T[] = [];
    while (!this.takeMark(closing)) {
      found.push(one());
      if (this.takeMark(",")) continue;
      this.expect(closing);
      break;
    }
    return found;
  }
}
