import type { Tool } from "../../contract/tool.ts";
import { isPlainTag } from "../../note/plain-tag.ts";
import type { Action } from "../../proposal/action.ts";
import type { SourceGrants, TagGrant } from "../grants.ts";
import { joinedCron, scheduleToCron } from "../schedule-words.ts";
import type { MergedWorkflow } from "./gh-aw-merge.ts";
import { outputActions } from "./gh-aw-words.ts";

/** The time limit of a gh-aw job without `timeout-minutes`. */
export const DEFAULT_MINUTES = 20;

/** The tools of a branch: a pull request adds, changes, moves and deletes files. */
export const pullRequestTools: readonly Tool[] = ["write-note", "move-note", "delete-note"];

/** Everything that a workflow and its includes allow, read from their keys (I-1). */
export function ghAwGrants({ main, included }: MergedWorkflow, name: string): SourceGrants {
  const { front } = main.source;
  const fronts = [front, ...included.map(({ source }) => source.front)];
  const outputs = declaredOutputs(fronts);
  const toolKeys = new Set(fronts.flatMap((one) => enabledKeys(one["tools"])));
  const tools: Tool[] = [
    ...(mayRead(front["permissions"]) ? (["read-notes", "search-notes"] as const) : []),
    ...(toolKeys.has("cache-memory") || toolKeys.has("repo-memory") ? (["read-memory", "write-memory"] as const) : []),
    ...(outputs.size > 0 ? (["create-proposal"] as const) : []),
    ...(outputs.has("create-pull-request") ? pullRequestTools : []),
  ];
  const crons = scheduleTexts(front["on"]).flatMap((words) => {
    const reading = scheduleToCron(words, name);
    return reading.kind === "cron" ? [reading.cron] : [];
  });
  const all = joinedCron(crons);
  const minutes = front["timeout-minutes"];
  const turns = [front["max-turns"], groupOf(front["engine"])["max-turns"]].filter(isPositive);
  return {
    tools,
    outputs: [...new Set([...outputs.values()].map(({ action }) => action))],
    proposals: outputs.size === 0 ? undefined : [...outputs.values()].reduce((sum, { max }) => sum + max, 0),
    seconds: (isPositive(minutes) ? minutes : DEFAULT_MINUTES) * 60,
    turns: turns.length === 0 ? undefined : Math.min(...turns),
    hosts: allowedHosts(fronts),
    mcp: fronts.flatMap((one) =>
      Object.entries(groupOf(one["mcp-servers"])).flatMap(([id, server]) => namedServer(id, server) ?? []),
    ),
    tags: {
      ...(outputs.has("add-labels") && { add: outputs.get("add-labels")!.tags }),
      ...(outputs.has("remove-labels") && { remove: outputs.get("remove-labels")!.tags }),
    },
    crons: all === undefined ? crons : [...crons, all],
  };
}

interface DeclaredOutput {
  readonly action: Action;
  readonly max: number;
  /** Outputs of labels: those in `allowed`. */
  readonly tags: TagGrant;
}

/** Labels that a contract can name one by one; undefined if there is no list of them, or a pattern among them. */
export const plainLabels = (allowed: unknown): string[] | undefined =>
  Array.isArray(allowed) &&
  allowed.every((one): one is string => typeof one === "string" && !/[*?$]/.test(one) && isPlainTag(one))
    ? [...new Set(allowed)].slice(0, 100)
    : undefined;

/** Outputs with an action, the main file's before those of its includes. */
export function declaredOutputs(fronts: readonly Readonly<Record<string, unknown>>[]): Map<string, DeclaredOutput> {
  const found = new Map<string, DeclaredOutput>();
  const seen = new Set<string>();
  for (const front of fronts) {
    for (const [output, options] of Object.entries(groupOf(front["safe-outputs"]))) {
      const action = outputActions[output];
      if (seen.has(output) || action === undefined) continue;
      seen.add(output);
      const { max, allowed } = groupOf(options);
      const tags = plainLabels(allowed) ?? "any";
      if (options !== false) found.set(output, { action, max: isPositive(max) ? max : 1, tags });
    }
  }
  return found;
}

/** Reading is the default of gh-aw; `permissions` without `contents` allows none. */
export function mayRead(permissions: unknown): boolean {
  if (permissions === undefined) return true;
  if (typeof permissions === "string")
    return (
      permissions === "read-all" || permissions === "write-all" || permissions === "read" || permissions === "write"
    );
  const { contents, all } = groupOf(permissions);
  return [contents, all].some((level) => level === "read" || level === "write");
}

const HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/;

/** Hosts by name. Groups of hosts such as `defaults` and `node` change with every release of gh-aw: not taken. */
export function namedHost(written: unknown): string | undefined {
  if (typeof written !== "string") return undefined;
  const host = written
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  return HOST.test(host) ? host : undefined;
}

export function allowedHosts(fronts: readonly Readonly<Record<string, unknown>>[]): string[] {
  const lists = (key: string): unknown[] =>
    fronts.flatMap((front) => {
      const list = groupOf(front["network"])[key];
      return Array.isArray(list) ? (list as unknown[]) : [];
    });
  const blocked = lists("blocked").map((one) => (typeof one === "string" ? one.toLowerCase() : ""));
  const overlaps = (host: string): boolean =>
    blocked.some((one) => {
      const [a, b] = [one.replace(/^\*\./, ""), host.replace(/^\*\./, "")];
      return a === "" || a === "*" || a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
    });
  const hosts = lists("allowed").flatMap((one) => namedHost(one) ?? []);
  return [...new Set(hosts)].filter((host) => !overlaps(host)).slice(0, 100);
}

/** A server of the web whose tools are named one by one; undefined for any other. */
export function namedServer(name: string, value: unknown): SourceGrants["mcp"][number] | undefined {
  const { url, allowed } = groupOf(value);
  if (
    typeof url !== "string" ||
    !/^https?:\/\/[^\s$]+$/.test(url) ||
    !URL.canParse(url) ||
    new URL(url).username !== ""
  )
    return undefined;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) || !Array.isArray(allowed)) return undefined;
  const tools = allowed.filter(
    (one): one is string => typeof one === "string" && /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(one),
  );
  return tools.length === 0 ? undefined : { name, url, tools: [...new Set(tools)].slice(0, 100) };
}

/** The schedules of `on:` in their own words. */
export function scheduleTexts(on: unknown): string[] {
  if (typeof on === "string") return [on];
  const { schedule } = groupOf(on);
  const items: unknown[] = Array.isArray(schedule) ? schedule : [schedule];
  return items.flatMap((item) => {
    const words = typeof item === "string" ? item : groupOf(item)["cron"];
    return typeof words === "string" ? [words] : [];
  });
}

export const groupOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Keys of a group that are not switched off; items of a list. */
export const enabledKeys = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string")
    : Object.entries(groupOf(value)).flatMap(([key, member]) => (member === false ? [] : [key]));

export const isPositive = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
