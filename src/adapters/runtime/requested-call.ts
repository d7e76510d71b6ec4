import type { Json } from "../../base/canonical.ts";
import type { Denial, RunTool } from "../../ports/runtime.ts";
import { dataFault, type ReplyPart } from "./reply.ts";

/** A call requested by a model, checked before anything happens. */
export interface RequestedCall {
  /** Unique within the act. */
  readonly id: string;
  /** The name in a form that providers accept. */
  readonly tool: string;
  /** The arguments in the model's message when it is sent back. */
  readonly shown: { readonly [name: string]: Json };
  readonly verdict:
    | { readonly kind: "allowed"; readonly tool: RunTool; readonly input: Json }
    | ({ readonly kind: "denied"; readonly words: string } & Denial);
}

type SaidCall = Extract<ReplyPart, { type: "call" }>;

export async function checkCall(
  said: SaidCall,
  id: string,
  tools: ReadonlyMap<string, RunTool>,
): Promise<RequestedCall> {
  const parsed = argumentsIn(said.input);
  const name = acceptedName(said.tool);
  const call = { id, tool: name, shown: parsed.kind === "object" ? parsed.value : { unreadable: cut(said.input) } };
  const tool = tools.get(said.tool);
  if (!tool) return { ...call, verdict: denied("unknown-tool", name, noSuchTool(name, tools)) };
  if (parsed.kind === "unreadable") return { ...call, verdict: denied("bad-arguments", name, parsed.words) };
  const checked = await checkedInput(tool, parsed.value);
  return {
    ...call,
    verdict:
      checked.kind === "fits"
        ? { kind: "allowed", tool, input: checked.input }
        : denied("bad-arguments", name, checked.words),
  };
}

/** Makes the id unique within the act, because results are matched by id. */
export function uniqueId(id: string, turn: number, place: number, taken: Set<string>): string {
  const base = id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  let unique = base === "" || taken.has(base) ? `${base || "call"}_${turn}_${place}` : base;
  while (taken.has(unique)) unique += "_";
  taken.add(unique);
  return unique;
}

const acceptedName = (tool: string): string => tool.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "_";

type Arguments =
  | { readonly kind: "object"; readonly value: { readonly [name: string]: Json } }
  | { readonly kind: "unreadable"; readonly words: string };

/** Some models send an empty text for "no arguments". Anything else must be one JSON object. */
function argumentsIn(text: string): Arguments {
  if (text.trim() === "") return { kind: "object", value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "unreadable", words: `the arguments are not valid JSON: ${(error as Error).message.slice(0, 200)}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "unreadable", words: "the arguments are not a JSON object" };
  const fault = dataFault(value as Json);
  if (fault) return { kind: "unreadable", words: `the arguments hold ${fault}` };
  return { kind: "object", value: value as { [name: string]: Json } };
}

type Checked = { readonly kind: "fits"; readonly input: Json } | { readonly kind: "unfit"; readonly words: string };

async function checkedInput(tool: RunTool, value: Json): Promise<Checked> {
  try {
    const checked = await tool.input.safeParseAsync(value);
    if (checked.success) return { kind: "fits", input: checked.data as Json };
    const issues = checked.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join(".") || "arguments"}: ${tool.words?.(message) ?? message}`);
    return { kind: "unfit", words: `the arguments do not fit: ${issues.join("; ")}`.slice(0, 1000).toWellFormed() };
  } catch {
    return { kind: "unfit", words: "the arguments could not be checked" };
  }
}

const denied = (why: Denial["why"], tool: string, words: string) => ({ kind: "denied", why, tool, words }) as const;

const noSuchTool = (name: string, tools: ReadonlyMap<string, RunTool>): string =>
  tools.size === 0
    ? `there is no tool called ${name}; this agent has no tools`
    : `there is no tool called ${name}; the tools are ${[...tools.keys()].join(", ")}`;

const cut = (text: string): string => text.slice(0, 2000).toWellFormed();
