import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import { repoPathProblem } from "../../domain/git/git-names.ts";
import { slugField } from "../../domain/identity.ts";
import type { Action } from "../../domain/proposal/action.ts";

/** A request to the gateway's own routes: an outside agent passes the same checks over MCP as over HTTP. */
export interface GatewayRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Json;
}

/** A tool of the MCP endpoint. Its description is read by a model and paid for with each of its calls: one short sentence. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Listed only for an agent that may propose this action. */
  readonly proposes?: Action;
  /** Listed only for an agent whose token may start its own runs, or those of others. */
  readonly starts?: "self" | "others";
  /** `me`: the slug of the agent that calls. */
  request(input: Readonly<Record<string, unknown>>, me: string): GatewayRequest;
}

/** Infers the type of the input from its schema. */
const tool = <I extends z.ZodObject>(
  spec: Omit<OfferedTool, "input" | "request"> & {
    readonly input: I;
    request(input: z.output<I>, me: string): GatewayRequest;
  },
): OfferedTool => spec;

/** Names become parts of an address: `..` in one would be another address. */
const path = z
  .string()
  .refine((text) => repoPathProblem(text) === undefined, "not a path")
  .describe("path of a note, as listed");
const agent = slugField.describe("slug of an agent");
const id = z.string().regex(/^[\w-]{1,100}$/);
const limit = z.int().min(1).max(100).optional();
const after = z.string().optional().describe("`next` of the page before");
const summary = z.string().max(500).optional().describe("one line for the reviewer");
const reasoning = z.string().max(20_000).optional().describe("why, for the reviewer");

const inPath = (text: string): string => text.split("/").map(encodeURIComponent).join("/");
const get = (to: string, query?: GatewayRequest["query"]): GatewayRequest => ({
  method: "GET",
  path: to,
  ...(query && { query }),
});

const reads: readonly OfferedTool[] = [
  tool({
    name: "search-notes",
    description: "Full-text search over the notes: path, title and best quote of each hit.",
    input: z.object({ query: z.string().min(1).max(400), limit }),
    request: ({ query, limit: most }) => get("/search", { q: query, limit: most }),
  }),
  tool({
    name: "list-notes",
    description: "Folders and notes of one folder (default: the root).",
    input: z.object({ folder: z.string().optional(), after, limit }),
    request: (query) => get("/folders", query),
  }),
  tool({
    name: "read-note",
    description:
      "Text, tags and comments of a note, and its last changes with `history`. `commit` is the base for an edit.",
    input: z.object({ path, history: z.int().min(0).max(200).optional() }),
    request: ({ path: note, history = 0 }) => get(`/notes/${inPath(note)}`, { history }),
  }),
  tool({
    name: "ask-notes",
    description: "Answers a question from the notes, with citations.",
    input: z.object({ question: z.string().min(1).max(2000) }),
    request: ({ question }) => ({ method: "POST", path: "/ask", body: { question } }),
  }),
  tool({
    name: "read-memory",
    description: "Your memory, or that of an agent that you may read.",
    input: z.object({ agent, mode: z.enum(["basic", "deep", "temporal"]).optional() }),
    request: ({ agent: slug, mode }) => get(`/memory/${inPath(slug)}/read`, { mode }),
  }),
  tool({
    name: "read-logic",
    description: "Your procedure as pseudocode, or that of an agent that you may read; now, or at a version (`v003`).",
    input: z.object({ agent, version: z.string().optional() }),
    request: ({ agent: slug, version }) => get(`/logic/${inPath(slug)}/read`, { version }),
  }),
  tool({
    name: "list-runs",
    description: "Your runs, newest first.",
    input: z.object({ after, limit }),
    request: (query) => get("/runs", query),
  }),
  tool({
    name: "read-run",
    description: "One of your runs: state, steps, questions with their answers, outcome.",
    input: z.object({ run: id }),
    request: ({ run }) => get(`/runs/${inPath(run)}`),
  }),
  tool({
    name: "list-proposals",
    description: "Your proposals: those that wait, or the decided ones.",
    input: z.object({ decided: z.boolean().optional(), after, limit }),
    request: ({ decided, ...query }) => get(decided ? "/proposals/history" : "/proposals/pending", query),
  }),
  tool({
    name: "read-proposal",
    description: "One of your proposals: state, change, decision and remarks.",
    input: z.object({ proposal: id }),
    request: ({ proposal }) => get(`/proposals/${inPath(proposal)}`),
  }),
  tool({
    name: "why",
    description: "Who changed a line of a note, by which proposal, and who approved it.",
    input: z.object({ path, line: z.int().positive() }),
    request: ({ path: note, line }) => get("/audit/why", { subject: `${note}:${line}` }),
  }),
];

const submitted = (
  action: Action,
  { summary: told, reasoning: reason, ...payload }: Readonly<Record<string, Json | undefined>>,
): GatewayRequest => ({
  method: "POST",
  path: "/inbox/submit",
  body: {
    intent: {
      action,
      payload: present(payload),
      ...(told !== undefined && { summary: told }),
      ...(reason !== undefined && { reasoning: reason }),
    },
  },
});

const present = (fields: Readonly<Record<string, Json | undefined>>): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));

/** Each becomes a proposal that a person decides. */
const proposals: readonly OfferedTool[] = [
  tool({
    name: "propose-note",
    description: "Proposes a new note, by path or by title.",
    proposes: "propose-note",
    input: z.object({
      path: z.string().optional(),
      title: z.string().optional(),
      folder: z.string().optional(),
      text: z.string(),
      summary,
      reasoning,
    }),
    request: (input) => submitted("propose-note", input),
  }),
  tool({
    name: "propose-edit",
    description: "Proposes a change of a note: its whole new text, or a unified diff.",
    proposes: "propose-edit",
    input: z.object({
      path,
      text: z.string().optional(),
      diff: z.string().optional(),
      base: z.string().optional().describe("commit at which you read the note"),
      summary,
      reasoning,
    }),
    request: (input) => submitted("propose-edit", input),
  }),
  tool({
    name: "propose-tag",
    description: "Proposes to add and remove tags of a note.",
    proposes: "propose-tag",
    input: z.object({
      path,
      add: z.array(z.string()).optional(),
      remove: z.array(z.string()).optional(),
      summary,
      reasoning,
    }),
    request: (input) => submitted("propose-tag", input),
  }),
  tool({
    name: "propose-comment",
    description: "Proposes a comment on a note or one of its lines.",
    proposes: "propose-comment",
    input: z.object({ note: path, text: z.string(), line: z.int().positive().optional(), summary, reasoning }),
    request: (input) => submitted("propose-comment", input),
  }),
  tool({
    name: "propose-summary",
    description: "Proposes a summary of a note.",
    proposes: "propose-summary",
    input: z.object({ note: path, text: z.string(), summary, reasoning }),
    request: (input) => submitted("propose-summary", input),
  }),
  tool({
    name: "propose-artifact",
    description: "Proposes a file of yours (text).",
    proposes: "propose-artifact",
    input: z.object({ name: z.string(), text: z.string(), summary, reasoning }),
    request: (input) => submitted("propose-artifact", input),
  }),
  tool({
    name: "propose-memory-update",
    description: "Proposes operations on your memory; `expectedVersion` is the one that read-memory told.",
    proposes: "memory-update",
    input: z.object({
      operations: z.array(z.record(z.string(), z.json())).min(1).max(100),
      expectedVersion: z.int().nonnegative(),
      summary,
      reasoning,
    }),
    request: (input) => submitted("memory-update", input),
  }),
  tool({
    name: "propose-logic-update",
    description: "Proposes new pseudocode for an agent, with the reason and the runs that show it.",
    proposes: "logic-update",
    input: z.object({
      agent,
      pseudocode: z.string(),
      rationale: z.string().min(1),
      evidenceRuns: z.array(z.string()).min(1),
    }),
    request: ({ agent: slug, ...body }) => ({ method: "POST", path: `/logic/${inPath(slug)}/propose`, body }),
  }),
];

const runs: readonly OfferedTool[] = [
  tool({
    name: "ask-human",
    description: "Asks a person. Returns a run; read-run has the answer once the person gave it.",
    starts: "self",
    input: z.object({ question: z.string().min(1).max(4000) }),
    request: ({ question }, me) => ({
      method: "POST",
      path: `/agents/${inPath(me)}/run`,
      body: { input: { question } },
    }),
  }),
  tool({
    name: "start-run",
    description: "Starts a run of an agent that you may start.",
    starts: "others",
    input: z.object({ agent, input: z.record(z.string(), z.json()).optional() }),
    request: ({ agent: slug, input }) => ({
      method: "POST",
      path: `/agents/${inPath(slug)}/run`,
      body: { ...(input && { input }) },
    }),
  }),
];

export const offeredTools: readonly OfferedTool[] = [...reads, ...proposals, ...runs];
