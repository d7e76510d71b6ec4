import { everyPart } from "../expression/classify.ts";
import type { Expression } from "../expression/expression.ts";
import { printExpression } from "../expression/printer.ts";
import { quotedText } from "./finding-text.ts";
import { blamedIcon, measuredAt, type RepairCandidate, type RepairContext, sizeSign } from "./repair-context.ts";
import { comparedSides } from "./terms.ts";
import { gapIn, roundest, type ThresholdGap } from "./threshold-gap.ts";

type Compare = Extract<Expression, { is: "compare" }>;

/** Changes the number in a comparison of the blamed question to one learned from the values of bad runs. */
export function thresholdRepairs(context: RepairContext): RepairCandidate[] {
  const drawn = blamedIcon(context);
  const { finding } = context;
  if (drawn?.does !== "question" || typeof finding.answer !== "boolean") return [];
  return everyPart(drawn.formulas).flatMap((part) => {
    if (part.is !== "compare" || !ORDERED.has(part.op)) return [];
    const constant = part.right.is === "number" || part.right.is === "measure" ? "right" : "left";
    const limit = part[constant];
    const [term] = comparedSides(part);
    if ((limit.is !== "number" && limit.is !== "measure") || !term) return [];
    const value = learned(context, part, constant, printExpression(term, "en"));
    if (value === undefined || value === limit.value) return [];
    const text = replacedNumber(drawn.text, limit.at, value);
    return text === undefined ? [] : [candidate(context, drawn.text, text)];
  });
}

const ORDERED = new Set<Compare["op"]>(["<", "≤", ">", "≥"]);

function candidate({ finding }: RepairContext, before: string, text: string): RepairCandidate {
  return {
    kind: "threshold",
    operations: [{ op: "edit-text", icon: finding.icon, field: "content", text }],
    mends: 0.92,
    keeps: 0.92,
    words: {
      uk: `Змінити поріг: ${quotedText(before)} → ${quotedText(text)}, бо саме між ними запуски йшли хибно.`,
      en: `Change the threshold: ${quotedText(before)} → ${quotedText(text)}, because runs between the two values went wrong.`,
    },
  };
}

/** The learned limit; undefined if values do not separate bad runs from good ones. */
function learned(context: RepairContext, { op }: Compare, constant: "left" | "right", key: string): number | undefined {
  const sign = sizeSign(context, key);
  if (!sign) return undefined;
  const { when } = context.finding;
  // Values with this answer lie on one side of the limit; the ones next to the limit went wrong.
  const sides = when && "bound" in when ? [when.is === "at-most" ? "low" : "high"] : (["low", "high"] as const);
  const gaps = sides.flatMap(
    (side) => gapIn(measuredAt(context, sign, side as "low" | "high"), side as "low" | "high") ?? [],
  );
  const [gap] = gaps;
  return gap && limitIn(gap, constant === "right" ? op : MIRRORED[op]);
}

const MIRRORED: Readonly<Record<string, Compare["op"]>> = { "<": ">", "≤": "≥", ">": "<", "≥": "≤" };

/** `x > t` and `x ≤ t` split the values at `low ≤ t < high`; `x ≥ t` and `x < t` at `low < t ≤ high`. */
function limitIn({ low, high }: ThresholdGap, op: Compare["op"] | undefined): number {
  if (op === ">" || op === "≤") return roundest({ low, high });
  const mirrored = roundest({ low: -high, high: -low });
  return mirrored === 0 ? 0 : -mirrored;
}

/** The text with the number at an offset replaced; a sign before it stays. */
function replacedNumber(text: string, at: number, value: number): string | undefined {
  const [number] = /^\d+(?:[.,]\d+)?/.exec(text.slice(at)) ?? [];
  if (number === undefined) return undefined;
  return `${text.slice(0, at)}${printExpression({ is: "number", value, at: 0 }, "en")}${text.slice(at + number.length)}`;
}
