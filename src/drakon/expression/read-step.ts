import type { Step } from "../tree.ts";
import { classify, classifyAction, wordsAssigned } from "./classify.ts";
import type { Argument, Expression, Statement } from "./expression.ts";
import { operatorOf } from "./keywords.ts";
import { isName, oneSpelling } from "./lexer.ts";
import { parseStatements } from "./parser.ts";

/** The meaning of a step icon, shared by static check, interpreter and drawing. */
type StepReading =
  /** Comments, pictures and empty icons. */
  | { readonly does: "nothing" }
  | { readonly does: "statements"; readonly statements: readonly Statement[]; readonly unbound: readonly string[] }
  /** Natural language, for a model. */
  | { readonly does: "words"; readonly text: string; readonly target?: string; readonly unbound: readonly string[] }
  /** A question to a person. */
  | { readonly does: "ask-human"; readonly text: string; readonly target?: string }
  /** Waits for a signal from outside. */
  | { readonly does: "receive"; readonly signal: string; readonly target?: string }
  | { readonly does: "notify"; readonly text: string; readonly to?: string; readonly value?: Expression }
  | { readonly does: "sleep"; readonly duration: string }
  | { readonly does: "spawn"; readonly goal: string; readonly target?: string }
  /** Calls another diagram. */
  | { readonly does: "insert"; readonly diagram: string; readonly args: readonly Argument[]; readonly target?: string };

const SILENT = new Set(["comment", "ctrlstart", "ctrlend", "drakon-image"]);

export function readStep(step: Step, bound: ReadonlySet<string>): StepReading {
  const text = step.text.trim();
  if (SILENT.has(step.kind) || (text === "" && (step.secondary ?? "").trim() === "")) return { does: "nothing" };
  switch (step.kind) {
    case "insertion":
      return { does: "insert", ...readInsertion(text) };
    case "simpleinput":
    case "sinput": {
      const { text: question, target } = targeted(text);
      return { does: "ask-human", text: question, ...(target !== undefined && { target }) };
    }
    case "input": {
      const { text: signal, target } = targeted(text, step.secondary);
      return { does: "receive", signal, ...(target !== undefined && { target }) };
    }
    case "simpleoutput":
    case "output": {
      const said = classify(text, bound);
      return {
        does: "notify",
        text,
        ...(step.secondary !== undefined && { to: step.secondary }),
        ...(said.kind === "formal" && said.unbound.length === 0 && { value: said.expression }),
      };
    }
    case "process": {
      const { text: goal, target } = targeted(text, step.secondary);
      return { does: "spawn", goal, ...(target !== undefined && { target }) };
    }
    case "pause":
    case "timer":
      return { does: "sleep", duration: text };
    case "shelf":
      return readAction(shelfText(step), bound);
    default:
      return readAction(step.secondary === undefined ? text : `${step.secondary}\n${text}`, bound);
  }
}

function readAction(text: string, bound: ReadonlySet<string>): StepReading {
  const read = classifyAction(text, bound);
  if (read.kind === "formal") return { does: "statements", statements: read.statements, unbound: read.unbound };
  const { kind: _, ...words } = read;
  return { does: "words", ...words };
}

/** The upper text of a shelf is the name, the lower one its value. */
const shelfText = ({ text, secondary = "" }: Step): string =>
  isVariable(secondary.trim()) ? `${secondary.trim()} ← ${text}` : `${secondary}\n${text}`.trim();

const isVariable = (text: string): boolean => isName(text) && operatorOf(text) === undefined;

/** The name that stores the answer of an icon: `вік ← Скільки вам років?`, a name in the upper text, or a text that is a name. */
function targeted(text: string, above?: string): { text: string; target?: string } {
  const assigned = wordsAssigned(text);
  if (assigned) return assigned;
  const upper = above?.trim() ?? "";
  if (isVariable(upper)) return { text, target: oneSpelling(upper) };
  return isVariable(text) ? { text, target: oneSpelling(text) } : { text };
}

const INSERTION = /^(?:(\S+)\s*(?:←|<-|:=)\s*)?([^(]*[^(\s])\s*(\([\s\S]*\))?$/u;

/** Reads `Name`, `Name(a, b: c)`, `x ← Name(…)`; a name may contain spaces and be quoted. */
export function readInsertion(text: string): {
  readonly diagram: string;
  readonly args: readonly Argument[];
  readonly target?: string;
} {
  const [, target, name = "", list] = INSERTION.exec(text.trim()) ?? [];
  const parsed = list === undefined ? undefined : parseStatements(`f${list}`);
  const call = parsed?.kind === "parsed" && parsed.value.length === 1 ? parsed.value[0]!.value : undefined;
  const understood = list === undefined || call?.is === "call";
  if (name === "" || !understood || (target !== undefined && !isVariable(target)))
    return { diagram: diagramName(text), args: [] };
  return {
    diagram: diagramName(name),
    args: call?.is === "call" ? call.args : [],
    ...(target !== undefined && { target: oneSpelling(target) }),
  };
}

/** Normalizes a diagram name for comparison: without quotes, with single spaces, composed. */
export const diagramName = (name: string): string =>
  name
    .trim()
    .replace(/^(?:"([\s\S]*)"|«([\s\S]*)»)$/, (_, plain?: string, guillemets?: string) => plain ?? guillemets ?? "")
    .replace(/\s+/g, " ")
    .normalize("NFC");
