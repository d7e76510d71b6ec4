import { z } from "zod";
import { Failure } from "../base/failure.ts";
import { joined, type Text, verbatim } from "../base/text.ts";

/** One invalid field of a request. */
export interface RequestProblem {
  readonly in: "path" | "query" | "body";
  /** `intent.payload.path`; empty for the whole part. */
  readonly field: string;
  readonly expected: Text;
}

type Part = RequestProblem["in"];
type Checked = { readonly value: unknown; readonly problems: readonly RequestProblem[] };

const MAX_PROBLEMS = 100;
const MAX_WORDS = 300;
const english = z.locales.en().localeError;
const ukrainian = z.locales.uk().localeError;

/** Validates one part of a request: the parsed value, or all its problems. */
export function checkPart(part: Part, schema: z.ZodType | undefined, value: unknown): Checked {
  if (!schema) return { value: undefined, problems: [] };
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return { value: checked.data, problems: [] };
  return {
    value: undefined,
    problems: checked.error.issues.slice(0, MAX_PROBLEMS).map((issue) => problem(part, issue)),
  };
}

/** One failure with all problems. */
export const requestRefused = (problems: readonly RequestProblem[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...joined(problems.slice(0, 20).map(problemLine), "; "),
    details: { problems: problems.slice(0, MAX_PROBLEMS) },
  });

const problemLine = ({ in: part, field, expected }: RequestProblem): Text =>
  joined([verbatim(`${part}${field && ` ${field}`}:`), expected]);

function problem(part: Part, issue: z.core.$ZodIssue): RequestProblem {
  return { in: part, field: fieldName(issue.path), expected: words(issue) };
}

function words(issue: z.core.$ZodIssue): Text {
  const own = ownWords[issue.message];
  if (own) return own;
  const say = (locale: typeof english): string => {
    const message = locale(issue as z.core.$ZodRawIssue);
    return ((typeof message === "string" ? message : message?.message) ?? issue.message).slice(0, MAX_WORDS);
  };
  return { en: say(english), uk: say(ukrainian) };
}

const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${String(part).slice(0, 100)}`))
    .join("");

/** Texts for the error words that our schemas use (`{ error: "path" }`). */
const ownWords: Readonly<Record<string, Text | undefined>> = {
  path: {
    en: "expected a path of the garden, with `/` and without `..`",
    uk: "потрібен шлях у саду, через `/` і без `..`",
  },
  folder: {
    en: "expected a folder of the garden, with `/` and without `..`",
    uk: "потрібна тека саду, через `/` і без `..`",
  },
  line: { en: "expected one line of text, up to 200 characters", uk: "потрібен один рядок тексту, до 200 символів" },
  slug: {
    en: "expected a name of lower-case Latin letters, digits and inner hyphens, up to 63 characters",
    uk: "потрібна назва з малих латинських літер, цифр і дефісів усередині, до 63 символів",
  },
  variable: {
    en: "expected the name of an environment variable, never the secret itself",
    uk: "потрібна назва змінної середовища, ніколи не сам секрет",
  },
  action: { en: "expected an action that can be granted", uk: "потрібна дія, яку можна дозволити" },
  list: { en: "expected a list of at most 1,000", uk: "потрібен список, не більше 1000" },
  date: { en: "expected a day such as 2026-12-31", uk: "потрібен день, наприклад 2026-12-31" },
  source: { en: "expected owner, agent, webhook or guest", uk: "потрібно owner, agent, webhook або guest" },
  commit: { en: "expected a commit: 40 hex digits", uk: "потрібен коміт: 40 шістнадцяткових цифр" },
  digest: {
    en: "expected a digest: the 40 hex digits that the review shows",
    uk: "потрібен digest: 40 шістнадцяткових цифр, які показано разом зі змінами",
  },
  proposal: { en: "expected the id of a proposal: prop_…", uk: "потрібен ідентифікатор пропозиції: prop_…" },
  run: { en: "expected the id of a run: run_…", uk: "потрібен ідентифікатор запуску: run_…" },
  token: { en: "expected the id of a token: tok_…", uk: "потрібен ідентифікатор токена: tok_…" },
  version: { en: "expected a logic version such as v007, or current", uk: "потрібна версія логіки: v007 або current" },
  "version or proposal": {
    en: "expected a logic version such as v007, current, or the id of a proposal: prop_…",
    uk: "потрібна версія логіки (v007 або current) чи ідентифікатор пропозиції: prop_…",
  },
  month: { en: "expected a month such as 2026-02", uk: "потрібен місяць, наприклад 2026-02" },
  number: { en: "expected a whole number in range", uk: "потрібне ціле число в дозволених межах" },
  after: { en: "expected the `next` of a page, or a day", uk: "потрібне `next` сторінки або день" },
  group: { en: "expected a group of keys", uk: "потрібна група ключів" },
};
