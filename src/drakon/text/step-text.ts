import type { Language } from "../../base/text.ts";
import type { Step } from "../tree.ts";
import { bareOrQuoted, isBare, quoted, REMARK, readQuoted } from "./escape.ts";
import { skipSpaces, trimmed } from "./keyword-match.ts";
import { kindWords, type StatementWord, statementWords, twoStoreys } from "./keywords.ts";
import { durationRemark, readDuration } from "./remarks.ts";

/** A step as a line: an action is its text, other icons begin with their keyword. */
export function stepText(step: Step, language: Language): string {
  const beside = step.duration ? durationRemark(step.duration.text, language) : "";
  const word = (kindWords as Readonly<Record<string, StatementWord>>)[step.kind];
  const plain = step.secondary === undefined;
  if (step.kind === "action" && plain) {
    const bare = isBare(step.text, "action") && (beside === "" || isBare(step.text, "part"));
    return (bare ? step.text : quoted(step.text)) + beside;
  }
  if (word !== undefined && Object.hasOwn(kindWords, step.kind) && (plain || twoStoreys.has(step.kind))) {
    const { [language]: head } = statementWords[word];
    if (plain && step.text === "" && beside === "") return head;
    if (twoStoreys.has(step.kind)) return `${head} ${storeys(step)}${beside}`;
    return `${head} ${bareOrQuoted(step.text, beside === "" ? "tail" : "part")}${beside}`;
  }
  return `${statementWords.icon[language]} ${quoted(step.kind, '"')} ${storeys(step)}${beside}`;
}

const storeys = ({ secondary, text }: Step): string =>
  (secondary === undefined ? "" : `${bareOrQuoted(secondary, "storey")} / `) + bareOrQuoted(text, "storey");

export interface ReadText {
  readonly text: string;
  readonly secondary?: string;
  /** The text of the duration beside it. */
  readonly duration?: string;
}

/** Reads a text to the end of the line, with the duration after it. */
export function readTail(source: string, at: number): ReadText {
  const marked = readQuoted(source, at);
  if (marked) {
    if (marked.end === source.length) return { text: marked.text };
    const beside = readDuration(source, skipSpaces(source, marked.end));
    if (beside?.end === source.length) return { text: marked.text, duration: beside.text };
  }
  const rest = source.slice(at);
  const remark = rest.endsWith("]") ? rest.search(REMARK) : -1;
  const beside = remark < 0 ? undefined : readDuration(rest, remark);
  if (beside?.end === rest.length) return { text: trimmed(rest.slice(0, remark)), duration: beside.text };
  return { text: rest };
}

const SLASH = /[ \t\n]\/[ \t\n]/;

/** `upper / lower`, or only `lower`. */
export function readStoreys(source: string, at: number): ReadText {
  const marked = readQuoted(source, at);
  if (marked) {
    const slash = /[ \t\n]*\/[ \t\n]/y;
    slash.lastIndex = marked.end;
    const found = slash.exec(source);
    if (found) return { ...readTail(source, skipSpaces(source, slash.lastIndex)), secondary: marked.text };
    return readTail(source, at);
  }
  const rest = source.slice(at);
  const [slash, remark] = [rest.search(SLASH), rest.search(REMARK)];
  if (slash < 0 || (remark >= 0 && remark < slash)) return readTail(source, at);
  return { ...readTail(source, skipSpaces(source, at + slash + 2)), secondary: trimmed(rest.slice(0, slash)) };
}
