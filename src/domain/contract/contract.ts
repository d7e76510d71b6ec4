import { z } from "zod";
import { isTimeZone } from "../config/garden-config.ts";
import { repoPathProblem } from "../git/git-names.ts";
import { isPlainTag } from "../note/plain-tag.ts";
import { actions } from "../proposal/action.ts";
import { keyProblem } from "../store-key.ts";
import {
  checkParsed,
  group,
  mergeProblems,
  type ParsedYaml,
  parseYaml,
  type YamlProblem,
} from "../text/checked-yaml.ts";
import { agentStates } from "./agent-state.ts";
import type { Capabilities } from "./ceiling.ts";
import { contractFile } from "./contract-file.ts";
import { contractRuleProblems } from "./contract-rules.ts";
import { contractExpectations } from "./contract-words.ts";
import { isSlug, isTakenName } from "./slug.ts";
import { isTool, tools } from "./tool.ts";

/**
 * The front matter of `_agent.md`: fields, types, defaults and checks of source 001 §2.2 and §2.4, and the fields
 * that this system adds (C-2a). Unknown fields are errors; `x-…` fields are free.
 */
export const MAX_CONTRACT_BYTES = 256 * 1024;
const MAX_FRONT_CHARACTERS = 32 * 1024;

const line = z
  .string("line")
  .regex(/^(?=.*\S)[^\u0000-\u001f\u007f]{1,500}$/, "line")
  .refine((text) => text.isWellFormed(), "line");
const slug = z.string("slug").refine((text) => isSlug(text) && keyProblem(text) === undefined, "slug");
const count = z.int("count").positive("count");
const list = <T extends z.ZodType>(item: T) => z.array(item, "list").max(100, "list");
/** ISO 8601: a time with a zone, or a date. A time without a zone would mean another moment on every machine. */
const at = z.union([z.iso.datetime({ offset: true }), z.iso.date()], "at");

const fields = {
  name: line,
  slug: slug.refine((text) => !isTakenName(text), "taken_name"),
  version: z
    .string("version")
    .regex(/^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}(?:[-+][0-9A-Za-z.+-]{1,100})?$/, "version"),
  description: line,
  model: z.string("model").regex(/^[^\s\u0000-\u001f\u007f]{1,200}$/, "model"),
  /** True: the id is newer than the bundled list of models. */
  model_unlisted: z.boolean("flag").optional(),
  temperature: z.number("temperature").min(0, "temperature").max(1, "temperature").default(0.3),
  max_steps: z.int("max_steps").min(1, "max_steps").max(20, "max_steps").default(5),
  tools: list(z.enum(tools, "tool")),
  safe_outputs: list(z.enum(actions, "safe_output")),
  triggers: group({
    manual: z.boolean("flag").default(true),
    cron: z.string("cron").nullable().default(null),
    events: list(z.string("event").regex(/^[a-z][a-z0-9-]{0,49}(?:[./][a-z][a-z0-9-]{0,49}){1,4}$/, "event"))
      .nullable()
      .default(null),
  }).default({ manual: true, cron: null, events: null }),
  context: group({
    folder: z
      .string("folder")
      .refine((path) => repoPathProblem(path) === undefined, "folder")
      .optional(),
    max_sources: count.default(10),
    notebook_id: line.optional(),
  }).default({ max_sources: 10 }),
  created_at: at,
  updated_at: at,
  created_by: line,
  generated_from: z
    .string("diagram")
    .regex(/^[^/\\\u0000-\u001f]{1,150}\.drakon\.json(?: *# *modified manually)?$/, { error: "diagram", abort: true })
    .refine((name) => keyProblem(name.replace(/ *# *modified manually$/, "")) === undefined, "diagram")
    .optional(),
  status: z.enum(agentStates, "state"),
  execution: z.enum(["prompt", "flow"], "execution").default("prompt"),
  /** C-2a: the notes that it may propose to change: those that `context.folder` shows, or all. */
  proposes: z.enum(["folder", "anywhere"], "proposes").default("folder"),
  /** I-1: what its `propose-tag` may do: add, remove or both, and with which tags. Without it: everything. */
  tags: group({
    change: z.enum(["add", "remove", "both"], "tag_change").default("both"),
    only: list(z.string("tag").refine(isPlainTag, "tag")).optional(),
  }).optional(),
  /** S-11: `session`: it writes notes on a branch of its own, and each run ends with one proposal to merge that branch. */
  workspace: z.enum(["proposals", "session"], "workspace").default("proposals"),
  budget: group({
    tokens: count.optional(),
    calls: count.optional(),
    proposals: count.optional(),
    /** of the agent when it works outside of the garden, in place of the garden's `agent_per_minute`. */
    changes_per_minute: count.max(1000, "count").optional(),
  }).default({}),
  /** How many sub-agents a run may have in all, and how many levels of them. */
  sub_agents: group({
    most: z.int("sub_agents").min(1, "sub_agents").max(100, "sub_agents").default(8),
    depth: z.int("sub_agent_depth").min(1, "sub_agent_depth").max(5, "sub_agent_depth").default(2),
  }).default({ most: 8, depth: 2 }),
  timeouts: group({ step_s: count.optional(), run_s: count.optional() }).default({}),
  timezone: z.string("timezone").refine(isTimeZone, "timezone").optional(),
  mcp: list(
    group({
      name: slug,
      url: z.url({ protocol: /^https?$/, error: "url" }),
      tools: list(
        z
          .string("mcp_tool")
          .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "mcp_tool")
          .refine((name) => !isTool(name), "mcp_tool"),
      ),
    }),
  ).default([]),
  network: group({
    allow: list(z.string("host").regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, "host")).default([]),
  }).default({ allow: [] }),
  reads_memory_of: list(slug).default([]),
  /** Written by the gateway with each new version of the logic. */
  logic_version: z
    .string("logic")
    .regex(/^v\d{3}$/, "logic")
    .optional(),
};

export const contractSchema = group(fields);
export interface Contract extends z.infer<typeof contractSchema> {
  /** In the run of a sub-agent (`contractWithin`): no field of the file. */
  readonly ceiling?: Capabilities;
}

export type ContractReading =
  | { readonly kind: "contract"; readonly contract: Contract; readonly body: string; readonly text: string }
  | { readonly kind: "problems"; readonly problems: readonly YamlProblem[] };

/** The contract, or all problems of the file at once, with line numbers of the file (C-3). */
export function readContract(bytes: Uint8Array): ContractReading {
  if (bytes.length > MAX_CONTRACT_BYTES) return whole("tooLarge", bytes.length);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return whole("notText");
  }
  const file = contractFile(text);
  if (!file) return whole(/^\ufeff?---[ \t]*\r?\n/.test(text) ? "notClosed" : "noFront");
  if (file.front.end - file.front.start > MAX_FRONT_CHARACTERS) return whole("frontTooLarge");
  const parsed = parseYaml(text.slice(file.front.start, file.front.end));
  if (parsed.kind === "problems") {
    const more = parsed.rest ? checkedFront(parsed.rest).problems : [];
    return { kind: "problems", problems: inFile(mergeProblems(parsed.problems, more)) };
  }
  const { contract, problems } = checkedFront(parsed);
  if (!contract || problems.length > 0) return { kind: "problems", problems: inFile(problems) };
  return { kind: "contract", contract, body: text.slice(file.bodyStart), text };
}

function checkedFront(parsed: ParsedYaml): { readonly contract?: Contract; readonly problems: readonly YamlProblem[] } {
  const known = withoutFree(parsed);
  const checked = checkParsed<Contract>(known, contractSchema, contractExpectations);
  const problems = [
    ...(checked.kind === "problems" ? withoutRepeated(checked.problems) : []),
    ...contractRuleProblems(known),
  ];
  return {
    ...(checked.kind === "value" && { contract: checked.value }),
    problems: problems.toSorted((a, b) => a.line - b.line),
  };
}

/** A misspelt required field is reported once: the problem "missing" for the right name is dropped. */
const withoutRepeated = (problems: readonly YamlProblem[]): YamlProblem[] =>
  problems.filter(({ field }) => !problems.some(({ suggestion }) => suggestion === field));

/** Without the `x-…` fields, which are the owner's. */
function withoutFree(parsed: ParsedYaml): ParsedYaml {
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return parsed;
  return { ...parsed, value: Object.fromEntries(Object.entries(value).filter(([field]) => !field.startsWith("x-"))) };
}

/** The YAML begins on the second line of the file. */
const inFile = (problems: readonly YamlProblem[]): YamlProblem[] =>
  problems.map((problem) => ({ ...problem, line: problem.line + 1 }));

const WHOLE = {
  tooLarge: [
    { en: "the file is too large", uk: "файл завеликий" },
    { en: "at most 262,144 bytes", uk: "не більше 262 144 байтів" },
  ],
  frontTooLarge: [
    { en: "the front matter is too large", uk: "front matter завелике" },
    { en: "at most 32,768 characters between the `---` lines", uk: "не більше 32 768 символів між рядками `---`" },
  ],
  notText: [
    { en: "this is not text in UTF-8", uk: "це не текст у UTF-8" },
    { en: "a text file in UTF-8", uk: "текстовий файл у UTF-8" },
  ],
  noFront: [
    { en: "no front matter", uk: "немає front matter" },
    { en: "`---` on the first line, then the fields", uk: "`---` у першому рядку, далі поля" },
  ],
  notClosed: [
    { en: "front matter that never ends", uk: "front matter без кінця" },
    { en: "a second line `---` behind the fields", uk: "другий рядок `---` після полів" },
  ],
} as const;

function whole(which: keyof typeof WHOLE, size?: number): ContractReading {
  const [found, expected] = WHOLE[which];
  const told = size === undefined ? found : { en: `${found.en} (${size} bytes)`, uk: `${found.uk} (${size} байтів)` };
  return { kind: "problems", problems: [{ line: 1, field: "", found: told, expected }] };
}
