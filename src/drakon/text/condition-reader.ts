import { not } from "../structure/conditions.ts";
import type { Condition } from "../tree.ts";
import { partners } from "./brackets.ts";
import { readQuoted } from "./escape.ts";
import { isSpace, skipSpaces, trimmed } from "./keyword-match.ts";
import { spellings } from "./keywords.ts";
import { readDuration } from "./remarks.ts";

type Question = Extract<Condition, { is: "question" }>;

/** Makes a question from its text; the caller knows the line. */
type AskAt = (at: number, text: string, duration: string | undefined) => Question;

/** An open bracket, or the whole condition. */
interface Group {
  /** Offset of the closing bracket. */
  readonly close: number;
  readonly or: Condition[];
  and: Condition[];
  negated: boolean;
}

const NOT = new RegExp(`(?:${spellings("not").join("|")})(?=[ \\t\\n(]|$)`, "y");
const AND = new RegExp(`(?:${spellings("and").join("|")})(?=[ \\t\\n]|$)`, "y");
const OR = new RegExp(`(?:${spellings("or").join("|")})(?=[ \\t\\n]|$)`, "y");
const THEN = new RegExp(`[ \\t](?:${spellings("thus").join("|")})$`);

/**
 * Parses `НЕ a І (b АБО c)`. "And" binds more tightly than "or". A question ends before one of these words, outside of its own
 * brackets and quotation marks. Returns the offset of the error if the condition is incomplete.
 */
export function readCondition(
  source: string,
  from: number,
  ask: AskAt,
): { readonly condition: Condition } | { readonly missingAt: number } {
  const text = source.replace(/:$/, "").replace(THEN, "");
  const pairs = partners(text);
  const groups: Group[] = [{ close: text.length, or: [], and: [], negated: false }];
  let at = from;
  for (let wantsQuestion = true; ; ) {
    const group = groups.at(-1)!;
    at = skipSpaces(text, at);
    if (wantsQuestion) {
      const negation = wordAt(NOT, at);
      if (negation > 0) {
        group.negated = !group.negated;
        at += negation;
      } else if (opensGroup(at)) {
        groups.push({ close: pairs.get(at)!, or: [], and: [], negated: false });
        at++;
      } else {
        const question = readQuestion(at, group.close);
        if (!question) return { missingAt: at };
        add(group, question);
        wantsQuestion = false;
      }
      continue;
    }
    const [and, or] = [wordAt(AND, at), wordAt(OR, at)];
    if (at >= group.close && groups.length > 1) {
      groups.pop();
      add(groups.at(-1)!, whole(group));
      at++;
    } else if (at >= text.length) return { condition: whole(groups[0]!) };
    else if (and + or === 0) return { missingAt: at };
    else {
      if (or > 0) {
        group.or.push(joined("and", group.and));
        group.and = [];
      }
      at += and + or;
      wantsQuestion = true;
    }
  }

  /** The length of the operator at this offset; 0 if there is none. */
  function wordAt(word: RegExp, position: number): number {
    word.lastIndex = position;
    return word.exec(text)?.[0].length ?? 0;
  }

  /** A question or a group may end here. */
  function isEnd(position: number): boolean {
    const next = skipSpaces(text, position);
    if (next >= text.length || next === groups.at(-1)!.close) return true;
    return next > position && wordAt(AND, next) + wordAt(OR, next) > 0;
  }

  /** The bracket opens a group; in `(a + b) > 5` it belongs to the question. */
  function opensGroup(position: number): boolean {
    const close = text[position] === "(" ? pairs.get(position) : undefined;
    return close !== undefined && isEnd(close + 1);
  }

  function readQuestion(start: number, close: number): Question | undefined {
    const marked = readQuoted(text, start);
    if (marked) {
      const beside = readDuration(text, skipSpaces(text, marked.end));
      const end = beside?.end ?? marked.end;
      if (isEnd(end)) {
        at = end;
        return ask(start, marked.text, beside?.text);
      }
    }
    let end = start;
    for (; end < close; end++) {
      const beside = text[end] === "[" ? readDuration(text, end) : undefined;
      if (beside && isEnd(beside.end)) {
        at = beside.end;
        return ask(start, trimmed(text.slice(start, end)), beside.text);
      }
      if (isSpace(text[end - 1]) && end > start && wordAt(AND, end) + wordAt(OR, end) > 0) break;
      const partner = pairs.get(end);
      if (partner !== undefined && partner > end && partner < close) end = partner;
    }
    at = end;
    const words = trimmed(text.slice(start, end));
    return words === "" ? undefined : ask(start, words, undefined);
  }
}

function add(group: Group, condition: Condition): void {
  group.and.push(group.negated ? not(condition) : condition);
  group.negated = false;
}

const whole = (group: Group): Condition => joined("or", [...group.or, joined("and", group.and)]);

/** Joins conditions; those joined by the same operator are flattened. */
function joined(is: "and" | "or", parts: readonly Condition[]): Condition {
  if (parts.length === 1) return parts[0]!;
  return { is, of: parts.flatMap((part) => (part.is === is ? part.of : [part])) };
}
