import { didYouMean } from "../../../base/did-you-mean.ts";
import type { Text } from "../../../base/text.ts";
import { checkModel } from "../../config/model-registry.ts";
import type { Tool } from "../../contract/tool.ts";
import type { Action } from "../../proposal/action.ts";
import type { DraftFields } from "../import-draft.ts";
import { NO_COUNTERPART } from "../key-ledger.ts";
import {
  allowedHosts,
  DEFAULT_MINUTES,
  enabledKeys,
  groupOf,
  isPositive,
  mayRead,
  namedHost,
  namedServer,
  pullRequestTools,
} from "./gh-aw-grants.ts";
import type { MergedWorkflow, WorkflowPart } from "./gh-aw-merge.ts";
import { mapOutputs } from "./gh-aw-outputs.ts";
import { mapTriggers } from "./gh-aw-triggers.ts";
import { knownKeys, lostTools, plainKeys } from "./gh-aw-words.ts";

export interface MappedKeys {
  readonly fields: DraftFields;
  /** Options that become lines of the instructions. */
  readonly kept: readonly string[];
  /** Permissions and tools that have no counterpart. */
  readonly taken: readonly string[];
}

/** Keys that an included file may set; others are ignored by gh-aw too. */
const INCLUDABLE = new Set(
  "tools mcp-servers services safe-outputs safe-inputs network permissions runtimes secret-masking steps engine imports".split(
    " ",
  ),
);
const MOST_STEPS = 20;

/** Tells the fate of every key of a workflow and its includes, and gives the fields of the contract. */
export function mapWorkflowKeys(merged: MergedWorkflow, name: string): MappedKeys {
  const { main, included } = merged;
  const parts = [main, ...included];
  const fronts = parts.map(({ source }) => source.front);
  const taken: string[] = [];
  const tools = new Set<Tool>();
  for (const part of parts) {
    tellPlainKeys(part, part !== main);
    if (part !== main && part.source.front["permissions"] !== undefined)
      part.ledger.tell(["permissions"], "lost", ONLY_MAIN);
    for (const tool of mapTools(part, taken)) tools.add(tool);
    mapNetwork(part, allowedHosts(fronts));
  }
  if (mapPermissions(main, taken)) for (const tool of ["read-notes", "search-notes"] as const) tools.add(tool);
  const outputs = mapOutputs(parts, taken);
  if (outputs.actions.size > 0) tools.add("create-proposal");
  const isBranch = outputs.actions.has("propose-merge");
  const cron = mapTriggers(main, name);
  const engine = mapEngine(parts);
  const hosts = allowedHosts(fronts);
  const mcp = parts.flatMap((part) => mapServers(part, taken));
  const order: readonly Tool[] = ["read-notes", "search-notes", "read-memory", "write-memory", "create-proposal"];
  return {
    fields: {
      ...(engine.model !== undefined && { model: engine.model }),
      tools: [...order.filter((tool) => tools.has(tool)), ...(isBranch ? pullRequestTools : [])],
      ...(isBranch && { workspace: "session" as const }),
      safe_outputs: [...outputs.actions] as Action[],
      max_steps: Math.min(MOST_STEPS, engine.turns ?? MOST_STEPS),
      ...(outputs.tags && { tags: outputs.tags }),
      ...(outputs.actions.size > 0 && { budget: { proposals: outputs.most } }),
      timeouts: { run_s: mapTimeout(main) },
      ...(hosts.length > 0 && { network: { allow: hosts } }),
      ...(mcp.length > 0 && { mcp }),
      ...(cron !== undefined && { cron }),
    },
    kept: outputs.kept,
    taken,
  };
}

function tellPlainKeys({ source, ledger }: WorkflowPart, isIncluded: boolean): void {
  for (const key of Object.keys(source.front)) {
    const row = plainKeys[key];
    if (isIncluded && !INCLUDABLE.has(key)) ledger.tell([key], "lost", NOT_INCLUDABLE);
    else if (row) ledger.tell([key], ...row);
    else if (key === "name" || key === "description") ledger.tell([key], "mapped", SAME, key);
    else if (!knownKeys.includes(key)) ledger.tell([key], "lost", unknownKey(didYouMean(key, knownKeys)));
  }
}

function mapTools({ source, ledger }: WorkflowPart, taken: string[]): Tool[] {
  const { tools } = source.front;
  if (tools === undefined) return [];
  const found: Tool[] = [];
  const enabled = enabledKeys(tools);
  for (const key of Object.keys(groupOf(tools))) {
    const isMemory = key === "cache-memory" || key === "repo-memory";
    if (isMemory && enabled.includes(key)) {
      found.push("read-memory", "write-memory");
      ledger.tell(["tools", key], "mapped", MEMORY, "tools");
    } else if (key === "timeout" || key === "startup-timeout") ledger.tell(["tools", key], "lost", NO_COUNTERPART);
    else {
      ledger.tell(["tools", key], "lost", lostTools[key] ?? NO_COUNTERPART);
      if (enabled.includes(key)) taken.push(`tools.${key}`);
    }
  }
  ledger.tell(["tools"], found.length > 0 ? "mapped" : "lost", found.length > 0 ? SOME_TOOLS : NO_TOOLS, "tools");
  return found;
}

function mapPermissions({ source, ledger }: WorkflowPart, taken: string[]): boolean {
  const { permissions } = source.front;
  const reads = mayRead(permissions);
  if (permissions === undefined) return reads;
  ledger.tell(["permissions"], reads ? "mapped" : "lost", reads ? READS : NO_READS, ...(reads ? ["tools"] : []));
  if (permissions === "write-all" || permissions === "write") taken.push("permissions: write");
  for (const [scope, level] of Object.entries(groupOf(permissions))) {
    const isRead = (scope === "contents" || scope === "all") && (level === "read" || level === "write");
    if (isRead) ledger.tell(["permissions", scope], "mapped", level === "write" ? READS_ONLY : READS, "tools");
    else ledger.tell(["permissions", scope], "lost", level === "none" ? NOTHING_TAKEN : TAKEN);
    if (level === "write" || (level === "read" && !isRead)) taken.push(`permissions.${scope}: ${level}`);
  }
  return reads;
}

function mapNetwork({ source, ledger }: WorkflowPart, hosts: readonly string[]): void {
  const { network } = source.front;
  if (network === undefined) return;
  const { allowed } = groupOf(network);
  const list: unknown[] = Array.isArray(allowed) ? allowed : [];
  const taken = list.filter((one) => hosts.includes(namedHost(one) ?? ""));
  const left = list.filter((one) => !taken.includes(one));
  if (taken.length === 0) return ledger.tell(["network"], "lost", NO_HOSTS);
  ledger.tell(["network"], "mapped", HOSTS, "network.allow");
  ledger.tell(
    ["network", "allowed"],
    "mapped",
    left.length === 0 ? HOSTS : withoutHosts(left.map(String)),
    "network.allow",
  );
  if (groupOf(network)["blocked"] !== undefined)
    ledger.tell(["network", "blocked"], "mapped", BLOCKED, "network.allow");
}

function mapServers(
  { source, ledger }: WorkflowPart,
  taken: string[],
): { name: string; url: string; tools: string[] }[] {
  const servers = source.front["mcp-servers"];
  if (servers === undefined) return [];
  const found = Object.entries(groupOf(servers)).flatMap(([name, value]) => {
    const server = namedServer(name, value);
    if (!server) {
      ledger.tell(["mcp-servers", name], "lost", NO_SERVER);
      taken.push(`mcp-servers.${name}`);
      return [];
    }
    ledger.tell(["mcp-servers", name], "mapped", SERVER, "mcp");
    for (const key of ["url", "allowed", "type"])
      if (key in groupOf(value)) ledger.tell(["mcp-servers", name, key], "mapped", SERVER, "mcp");
    return [{ ...server, tools: [...server.tools] }];
  });
  ledger.tell(["mcp-servers"], found.length > 0 ? "mapped" : "lost", found.length > 0 ? SERVER : NO_SERVER);
  return found;
}

function mapTimeout({ source, ledger }: WorkflowPart): number {
  const minutes = source.front["timeout-minutes"];
  if (minutes !== undefined)
    ledger.tell(
      ["timeout-minutes"],
      isPositive(minutes) ? "mapped" : "lost",
      isPositive(minutes) ? LIMIT : NO_LIMIT,
      "timeouts.run_s",
    );
  return (isPositive(minutes) ? minutes : DEFAULT_MINUTES) * 60;
}

/** The model if the source names one that the list has; an engine alone names no model. */
function mapEngine(parts: readonly WorkflowPart[]): { model?: string; turns?: number } {
  const main = parts[0]!;
  const { model: chosen, "max-turns": most } = main.source.front;
  const turns = [most, groupOf(main.source.front["engine"])["max-turns"]].filter(isPositive);
  let model = typeof chosen === "string" && checkModel(chosen).kind === "known" ? chosen : undefined;
  if (chosen !== undefined)
    main.ledger.tell(
      ["model"],
      model === undefined ? "lost" : "mapped",
      model === undefined ? UNLISTED : MODEL,
      "model",
    );
  if (most !== undefined)
    main.ledger.tell(
      ["max-turns"],
      isPositive(most) ? "mapped" : "lost",
      isPositive(most) ? TURNS : NO_COUNTERPART,
      "max_steps",
    );
  for (const { source, ledger } of parts) {
    const { engine } = source.front;
    if (engine === undefined) continue;
    const group = groupOf(engine);
    const named = typeof group["model"] === "string" ? group["model"] : undefined;
    const id = typeof engine === "string" ? engine : group["id"];
    const listed = named !== undefined && checkModel(named).kind === "known" ? named : undefined;
    ledger.tell(
      ["engine"],
      listed === undefined ? "lost" : "mapped",
      listed === undefined ? noModel(String(id)) : MODEL,
      "model",
    );
    if (named !== undefined)
      ledger.tell(
        ["engine", "model"],
        listed === undefined ? "lost" : "mapped",
        listed === undefined ? UNLISTED : MODEL,
        "model",
      );
    if (isPositive(group["max-turns"])) ledger.tell(["engine", "max-turns"], "mapped", TURNS, "max_steps");
    model ??= listed;
  }
  return { ...(model !== undefined && { model }), ...(turns.length > 0 && { turns: Math.min(...turns) }) };
}

const SAME: Text = { en: "the same field of the contract", uk: "те саме поле контракту" };
const NOT_INCLUDABLE: Text = { en: "an included file cannot set it", uk: "приєднаний файл не може цього задати" };
const ONLY_MAIN: Text = {
  en: "only the permissions of the workflow itself count",
  uk: "враховуються лише дозволи самого процесу",
};
const MEMORY: Text = { en: "the agent's own memory", uk: "власна пам'ять агента" };
const SOME_TOOLS: Text = { en: "those with a counterpart", uk: "ті, що мають відповідник" };
const NO_TOOLS: Text = { en: "no tool of them has a counterpart", uk: "жоден інструмент не має відповідника" };
const READS: Text = { en: "reads and searches notes", uk: "читає й шукає нотатки" };
const READS_ONLY: Text = {
  en: "reads and searches notes; writing is taken away",
  uk: "читає й шукає нотатки; запис забрано",
};
const NO_READS: Text = { en: "it allows no reading of contents", uk: "читати вміст воно не дозволяє" };
const TAKEN: Text = { en: "taken away", uk: "забрано" };
const NOTHING_TAKEN: Text = { en: "it allowed nothing", uk: "воно нічого не дозволяло" };
const HOSTS: Text = {
  en: "these hosts, as far as the garden's `egress` allows them",
  uk: "ці вузли, наскільки їх дозволяє `egress` саду",
};
const NO_HOSTS: Text = {
  en: "groups of hosts are not taken: an agent reaches only hosts that are named",
  uk: "групи вузлів не беруться: агент має доступ лише до названих вузлів",
};
const BLOCKED: Text = { en: "hosts that overlap with it are left out", uk: "вузли, що з ним перетинаються, пропущено" };
const withoutHosts = (left: readonly string[]): Text => ({
  en: `hosts by name; not taken: ${left.join(", ")}`,
  uk: `вузли за назвами; не взято: ${left.join(", ")}`,
});
const SERVER: Text = {
  en: "an MCP server with these tools and no others",
  uk: "сервер MCP з цими інструментами й жодними іншими",
};
const NO_SERVER: Text = {
  en: "only MCP servers with an address and named tools are taken",
  uk: "беруться лише сервери MCP з адресою й названими інструментами",
};
const LIMIT: Text = { en: "the time limit of a run", uk: "обмеження часу запуску" };
const NO_LIMIT: Text = { en: `not a number: ${DEFAULT_MINUTES} minutes`, uk: `не число: ${DEFAULT_MINUTES} хвилин` };
const MODEL: Text = { en: "the model", uk: "модель" };
const UNLISTED: Text = { en: "the list of models does not have it", uk: "у списку моделей її немає" };
const TURNS: Text = { en: `the most turns, at most ${MOST_STEPS}`, uk: `найбільше ходів, щонайбільше ${MOST_STEPS}` };
const noModel = (engine: string): Text => ({
  en: `an engine (${engine}) names no model of the list: choose one`,
  uk: `рушій (${engine}) не називає моделі зі списку: оберіть її`,
});
const unknownKey = (meant: string | undefined): Text => ({
  en: `unknown key${meant === undefined ? "" : `; did you mean "${meant}"?`}`,
  uk: `невідомий ключ${meant === undefined ? "" : `; можливо, «${meant}»?`}`,
});
