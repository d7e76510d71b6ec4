import type { z } from "zod";
import { didYouMean } from "../../base/did-you-mean.ts";
import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import { type Expectations, foundText, valueAt } from "./checked-yaml.ts";
import { OTHER_VALUE } from "./yaml-errors.ts";

/** One problem of a request: the field, the value found, the value expected. */
export interface FieldProblem {
  /** `operations[0].file`; empty for the whole request. */
  readonly field: string;
  readonly found: Text;
  readonly expected: Text;
  /** The name that was probably meant. */
  readonly suggestion?: string;
}

export type CheckedFields<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "problems"; readonly problems: readonly FieldProblem[] };

const MAX_PROBLEMS = 100;
/** The prefix with which `group` of checked-yaml.ts lists its keys. */
const KNOWN = /^known: /;

/** Checks a JSON value against a schema: returns the value, or all problems at once in our own words. */
export function checkFields<T>(value: unknown, schema: z.ZodType<T>, expectations: Expectations): CheckedFields<T> {
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: "value", value: checked.data };
  const problems = checked.error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => explain(issue, value, expectations));
  return { kind: "problems", problems: problems.slice(0, MAX_PROBLEMS) };
}

/** All problems as one failure; programs find them in `details.problems`. */
export const fieldsRefused = (problems: readonly FieldProblem[]): Failure =>
  new Failure("VALIDATION_FAILED", { ...joined(problems.map(fieldProblemText), "\n"), details: { problems } });

/** `note: missing; expected a path of the garden` */
export function fieldProblemText({ field, found, expected, suggestion }: FieldProblem): Text {
  const place = field === "" ? "" : `${field}: `;
  return {
    en: `${place}${found.en}; ${suggestion ? `did you mean "${suggestion}"?` : `expected ${expected.en}`}`,
    uk: `${place}${found.uk}; ${suggestion ? `можливо, малося на увазі «${suggestion}»?` : `потрібно: ${expected.uk}`}`,
  };
}

function explain(issue: z.core.$ZodIssue, root: unknown, expectations: Expectations): FieldProblem[] {
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.replace(KNOWN, "").split(", ");
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => unknownField([...issue.path, key], key, known));
  }
  if (issue.code === "invalid_key" || issue.code === "invalid_element")
    return issue.issues.flatMap((inner) =>
      explain({ ...inner, path: [...issue.path, ...inner.path] }, root, expectations),
    );
  return [
    {
      field: fieldName(issue.path),
      found: foundText(valueAt(root, issue.path), FIELDS),
      expected: expectations[issue.message] ?? OTHER_VALUE,
    },
  ];
}

function unknownField(path: readonly PropertyKey[], key: string, known: readonly string[]): FieldProblem {
  const suggestion = didYouMean(key, known);
  return {
    field: fieldName(path),
    found: { en: "unknown field", uk: "невідоме поле" },
    expected: { en: `one of ${known.join(", ")}`, uk: `одне з: ${known.join(", ")}` },
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** A sender's field name may contain anything: shortened, on one line. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${String(part).slice(0, 80)}`))
    .join("")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?");

const FIELDS: Text = { en: "fields", uk: "полів" };
