import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { Egress } from "../../ports/egress.ts";
import { type ListedTool, listedTools, type OutsideServer, type OutsideTools } from "../../ports/outside-tools.ts";
import type { RunTool } from "../../ports/runtime.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { resultOf } from "./tool-result.ts";

export interface McpSettings {
  readonly egress: Egress;
  /** Of this program, for the servers' logs. */
  readonly version?: string;
  readonly limitMs?: number;
}

const LIMIT_MS = 30_000;
const MAX_DESCRIPTION = 2000;
/** What providers of models take as the name of a tool. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** MCP servers over streamable HTTP. The library is loaded when a contract names one. */
export function mcpTools({ egress, version = "0", limitMs = LIMIT_MS }: McpSettings): OutsideTools {
  const connected = async (server: OutsideServer, way: Egress, signal: AbortSignal): Promise<Connection> => {
    const { Client: NewClient, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const client = new NewClient({ name: "garden-bloom", version }, { capabilities: {} });
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: boundedFetch(way),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1000,
        maxReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 1,
      },
    });
    await client.connect(transport, { signal, timeout: limitMs });
    const { tools } = await client.listTools(undefined, { signal, timeout: limitMs });
    return { client, tools };
  };
  return {
    async open({ servers, allow }, signal, pinned = (list) => list()) {
      const way = allow.length === 0 ? egress : egress.within(allow);
      /** Made when a server is first needed: to be asked what it has, or for a call. */
      const connections = new Map<string, Promise<Connection>>();
      const connection = (server: OutsideServer, until: AbortSignal): Promise<Connection> => {
        const made = connections.get(server.name) ?? reaching(server, until, () => connected(server, way, until));
        connections.set(server.name, made);
        made.catch(() => connections.delete(server.name)); // the next call may find it again
        return made;
      };
      const close = async (): Promise<void> => {
        const open = [...connections.values()];
        connections.clear();
        await Promise.all(
          open.map(async (made) => (await made).client.close()).map((done) => done.catch(() => undefined)),
        );
      };
      const list = async (): Promise<Json> => {
        const listed: ListedTool[] = [];
        for (const server of servers) {
          const { tools } = await connection(server, signal);
          for (const name of server.tools) listed.push(described(server, expectListed(server, tools, name)));
        }
        return listed;
      };
      try {
        const listed = listedTools.parse(await pinned(list));
        const tools = listed.flatMap((one) => {
          const server = servers.find(({ name }) => name === one.server);
          return server ? [toolOf(server, one, limitMs, connection)] : [];
        });
        return { tools, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

type Listed = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

interface Connection {
  readonly client: Client;
  readonly tools: readonly Listed[];
}

const described = (server: OutsideServer, { name, description, inputSchema }: Listed): ListedTool => ({
  server: server.name,
  name,
  description: `[${server.name}] ${description ?? name}`.slice(0, MAX_DESCRIPTION).toWellFormed(),
  input: JSON.parse(JSON.stringify(inputSchema)) as ListedTool["input"],
});

function toolOf(
  server: OutsideServer,
  listed: ListedTool,
  limitMs: number,
  connection: (server: OutsideServer, signal: AbortSignal) => Promise<Connection>,
): RunTool {
  const name = `${server.name}_${listed.name}`;
  if (!NAME.test(name)) throw refused(server, longName(name));
  return {
    name,
    description: listed.description,
    input: schemaOf(server, listed),
    idempotent: false,
    limitMs,
    async call(input, { signal }) {
      const { client, tools } = await connection(server, signal);
      if (!tools.some((tool) => tool.name === listed.name)) throw vanished(server, listed.name);
      return reaching(server, signal, async () => {
        const args = input as Record<string, unknown>;
        return resultOf(
          name,
          await client.callTool({ name: listed.name, arguments: args }, { signal, timeout: limitMs }),
        ) satisfies Json;
      });
    },
  };
}

/** As the server describes it, and strict where it leaves that open: a member that nobody knows is refused, not sent along. */
function schemaOf(server: OutsideServer, { name, input }: ListedTool): z.ZodType {
  try {
    return z.fromJSONSchema({ additionalProperties: false, ...input });
  } catch (error) {
    throw refused(
      server,
      { en: `the input of ${name} cannot be understood`, uk: `не вдалося зрозуміти вхідні дані ${name}` },
      error,
    );
  }
}

function expectListed(server: OutsideServer, listed: readonly Listed[], name: string): Listed {
  const found = listed.find((tool) => tool.name === name);
  if (found) return found;
  const there = listed
    .slice(0, 20)
    .map((tool) => tool.name)
    .join(", ");
  throw refused(server, {
    en: `it has no tool ${name} (it has: ${there || "none"})`,
    uk: `немає інструмента ${name} (є: ${there || "жодного"})`,
  });
}

/** Whatever goes wrong on the way to a server, as a failure that names it. What the egress refuses stays what it is. */
async function reaching<T>(server: OutsideServer, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const ours = failureIn(error);
    if (ours && ours.code !== "UPSTREAM_UNAVAILABLE") throw ours;
    throw refused(server, ours?.text ?? { en: shown(error), uk: shown(error) }, error);
  }
}

/** The library wraps what its fetch throws. */
function failureIn(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++)
    if (isFailure(at)) return at;
  return undefined;
}

const MAX_SHOWN = 300;
const shown = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, MAX_SHOWN).toWellFormed();

/** Not known to have happened, and not known not to have: the call may have reached the server. */
const refused = (server: OutsideServer, why: Text, cause?: unknown): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: `MCP server ${server.name}: ${why.en}`, uk: `MCP-сервер ${server.name}: ${why.uk}` },
    { details: { part: "mcp", server: server.name }, outcome: "unknown", ...(cause !== undefined && { cause }) },
  );

/** The run began with it: the server has changed since. Nothing was called. */
const vanished = (server: OutsideServer, name: string): Failure =>
  new Failure(
    "NOT_FOUND",
    {
      en: `MCP server ${server.name} no longer has the tool ${name}, which it had when the run began`,
      uk: `MCP-сервер ${server.name} більше не має інструмента ${name}, який мав на початку запуску`,
    },
    { details: { part: "mcp", server: server.name, tool: name } },
  );

const longName = (name: string): Text => ({
  en: `${name} is longer than the 64 characters that a tool's name may have`,
  uk: `${name} довше за 64 символи, які може мати назва інструмента`,
});
