import { z } from "zod";
import type { Json } from "../../../base/canonical.ts";
import type { Language, Text } from "../../../base/text.ts";
import { MOST_PASSED, PASSED, type PassedLine, readPassed } from "../../../domain/run/passed-lines.ts";
import { linePath } from "../../../drakon/walk/line-path.ts";
import type { CallJournal, LogicPlace, RunTool } from "../../../ports/runtime.ts";
import type { Conformance } from "./execution.ts";
import type { ProcedurePart } from "./procedure.ts";

/**
 * In `execution: prompt` the model reports with each call which lines it has passed (R-1a). The argument is ours: it is removed
 * before the tool sees its input, checked against the paths of the diagram, and recorded as a claim of the model.
 */
export interface LineClaims {
  readonly tools: readonly RunTool[];
  readonly journal: CallJournal;
  readonly conformance: () => Conformance;
}

export function withLineClaims(
  main: ProcedurePart,
  tools: readonly RunTool[],
  journal: CallJournal,
  language: Language,
): LineClaims {
  const originals = new Map(tools.map((tool) => [tool.name, tool]));
  const path = linePath(main.tree, (icon) => main.lineOf(icon), main.turned);
  let [calls, claimed] = [0, 0];
  let misfit: Conformance["misfit"];

  let before: LogicPlace = {};

  function placeOf(claim: unknown): LogicPlace {
    calls++;
    const lines: readonly PassedLine[] = readPassed(claim);
    // No line passed since the last call: the same line calls again.
    const again = Array.isArray(claim) && claim.length === 0 && calls > 1;
    if (lines.length > 0 || again) claimed++;
    if (lines.length === 0) return again ? before : {};
    const wrong = misfit ? undefined : path.pass(lines);
    if (wrong) misfit = { ...wrong, call: calls };
    const last = lines.at(-1)!.line;
    const icon = misfit ? undefined : main.iconAt(last);
    before = {
      claimed: lines.map(({ line }) => line),
      ...(icon !== undefined && { icon, ...(main.file !== undefined && { diagram: main.file }) }),
    };
    return before;
  }

  return {
    tools: tools.map((tool) => withClaim(tool, language)),
    conformance: () => ({ calls, claimed, ...(misfit && { misfit }) }),
    journal: {
      model: (request, work, place) => journal.model(request, work, place),
      tool: (tool, input, place) => {
        const { claim, rest } = split(input);
        return journal.tool(originals.get(tool.name) ?? tool, rest as Json, { ...place, ...placeOf(claim) });
      },
    },
  };
}

/** The same tool with the argument for passed lines added to its schema. */
function withClaim(tool: RunTool, language: Language): RunTool {
  const { $schema: _, ...told } = z.toJSONSchema(tool.input, SHOWN);
  // The model sees the tool's schema with our argument; the input is validated by the tool's own schema.
  const shown = z.unknown().meta({ ...told, properties: { ...told.properties, [PASSED]: claimSchema(language) } });
  const input = shown.transform(async (value, context) => {
    const { claim, rest } = split(value);
    const read = await tool.input.safeParseAsync(rest);
    if (read.success) return { ...(read.data as object), ...(claim !== undefined && { [PASSED]: claim }) };
    for (const issue of read.error.issues)
      context.addIssue({ code: "custom", message: issue.message, path: [...issue.path] });
    return z.NEVER;
  });
  return { ...tool, input };
}

const SHOWN = { io: "input", target: "draft-7", unrepresentable: "any" } as const;

const claimSchema = (language: Language) => ({
  type: "array",
  maxItems: MOST_PASSED,
  items: { type: ["string", "integer"] },
  description: DESCRIPTION[language],
});

const DESCRIPTION: Text = {
  en: 'Numbers of the procedure\'s lines that you passed since your last call, in order, this call\'s line last; behind a question your answer: ["3", "5 yes", "8"].',
  uk: 'Номери рядків процедури, які ти пройшов від попереднього виклику, по порядку, останнім — рядок цього виклику; після питання твоя відповідь: ["3", "5 так", "8"].',
};

function split(value: unknown): { readonly claim: unknown; readonly rest: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { claim: undefined, rest: value };
  const { [PASSED]: claim, ...rest } = value as Record<string, unknown>;
  return { claim, rest };
}
