import { canonicalId, type Json } from "../../../base/canonical.ts";
import { PASSED } from "../../../domain/run/passed-lines.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";

/** One reply of a model, with its tool calls and their results. */
export interface RecordedTurn {
  readonly model: StepRecord;
  readonly calls: readonly TurnCall[];
  /** The results as the next turn shows them to the model. */
  readonly results: readonly ToldCall[];
}

export interface TurnCall {
  readonly id: string;
  readonly tool: string;
  readonly input: { readonly [name: string]: Json };
  /** The lines that it claims to have passed since its last call. */
  readonly claim: unknown;
  /** Undefined for a denied call, or one after the run ended. */
  readonly record: StepRecord | undefined;
}

interface ToldCall {
  readonly call: string;
  readonly result?: Json;
  readonly failure?: string;
}

interface Said {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool?: string;
  readonly input?: string;
}

const saidIn = ({ output }: StepRecord): readonly Said[] => {
  const content = (output as { readonly content?: unknown } | undefined)?.content;
  return Array.isArray(content) ? (content as Said[]) : [];
};

/** The text of a reply. */
export const recordedReplyText = (model: StepRecord): string =>
  saidIn(model)
    .flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : []))
    .join("")
    .toWellFormed();

/** Groups the journal of a `prompt` run into turns: a reply and the tool calls recorded after it. */
export function turnsOf(calls: readonly StepRecord[]): RecordedTurn[] {
  const groups: { model: StepRecord; tools: StepRecord[] }[] = [];
  for (const record of calls) {
    if (record.kind === "model") groups.push({ model: record, tools: [] });
    else if (record.kind === "tool") groups.at(-1)?.tools.push(record);
  }
  return groups.map(({ model, tools }, index) => ({
    model,
    calls: paired(model, tools),
    results: resultsIn(groups[index + 1]?.model),
  }));
}

/** Records are in the order of the calls; denied calls have none. */
function paired(model: StepRecord, tools: readonly StepRecord[]): TurnCall[] {
  const asked = saidIn(model).flatMap((part) => (part.type === "call" ? [callOf(part)] : []));
  const records = new Map<number, StepRecord>();
  let from = 0;
  for (const record of tools) {
    const same = asked.findIndex(({ input }, index) => index >= from && canonicalId(input) === record.input_hash);
    const spare = asked.length - from - (tools.length - records.size);
    const at = same >= 0 && same - from <= spare ? same : from;
    records.set(at, record);
    from = at + 1;
  }
  return asked.map((call, index) => ({ ...call, record: records.get(index) }));
}

function callOf({ id = "", tool = "", input = "" }: Said): Omit<TurnCall, "record"> {
  const { [PASSED]: claim, ...rest } = argumentsIn(input);
  return { id, tool, input: rest as TurnCall["input"], claim };
}

function argumentsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function resultsIn(next: StepRecord | undefined): ToldCall[] {
  const messages = (next?.input as { readonly messages?: unknown } | undefined)?.messages;
  if (!Array.isArray(messages)) return [];
  return (messages as { readonly role?: string; readonly results?: unknown }[]).flatMap(({ role, results }) =>
    role === "tool" && Array.isArray(results) ? (results as ToldCall[]) : [],
  );
}
