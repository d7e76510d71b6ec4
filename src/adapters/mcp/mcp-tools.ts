import type { Client, JsonSchemaValidatorResult, jsonSchemaValidator } from "@modelcontextprotocol/client";
import type { Json } from "../../base/canonical.ts";
import { type Failure, isFailure } from "../../base/failure.ts";
import type { Egress } from "../../ports/egress.ts";
import { type ListedTool, listedTools, type OutsideServer, type OutsideTools } from "../../ports/outside-tools.ts";
import type { RunTool } from "../../ports/runtime.ts";
import { argumentSchema } from "./argument-schema.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { answerNotUnderstood, nameTooLong, noSuchTool, serverFailed, toolVanished } from "./failures.ts";
import { mcpResult } from "./tool-result.ts";

export interface McpSettings {
  readonly egress: Egress;
  /** Our version, for the servers' logs. */
  readonly version?: string;
  readonly limitMs?: number;
}

const LIMIT_MS = 30_000;
/** The library would check results by the server's own schema, whose patterns can hang the process. `mcpResult` bounds them. */
const UNCHECKED: jsonSchemaValidator = {
  getValidator<T>() {
    return (data: unknown): JsonSchemaValidatorResult<T> => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};
const MAX_DESCRIPTION = 2000;
/** Tool names that model providers accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** MCP servers over streamable HTTP. The library is loaded when a contract names a server. */
export function mcpTools({ egress, version = "0", limitMs = LIMIT_MS }: McpSettings): OutsideTools {
  const connect = async (server: OutsideServer, via: Egress, signal: AbortSignal): Promise<Connection> => {
    const { Client: NewClient, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const client = new NewClient(
      { name: "garden-bloom", version },
      { capabilities: {}, jsonSchemaValidator: UNCHECKED },
    );
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: boundedFetch(via),
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
    async open({ servers, allow, stepMs = limitMs }, signal, pinned = (list) => list()) {
      const narrowed = allow.length === 0 ? egress : egress.within(allow);
      /** Opened lazily: to list tools, or for a call. */
      const connections = new Map<string, Promise<Connection>>();
      const connection = (server: OutsideServer, until: AbortSignal): Promise<Connection> => {
        const made =
          connections.get(server.name) ?? withServerName(server, until, () => connect(server, narrowed, until));
        connections.set(server.name, made);
        made.catch(() => connections.delete(server.name)); // the next call reconnects
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
          for (const name of server.tools) listed.push(listedTool(server, expectListed(server, tools, name)));
        }
        return listed;
      };
      try {
        const listed = listedTools.parse(await pinned(list));
        const tools = listed.flatMap((one) => {
          const server = servers.find(({ name }) => name === one.server);
          return server ? [toolOf(server, one, stepMs, connection)] : [];
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

const listedTool = (server: OutsideServer, { name, description, inputSchema }: Listed): ListedTool => ({
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
  if (!NAME.test(name)) throw serverFailed(server, nameTooLong(name));
  return {
    name,
    description: listed.description,
    input: argumentSchema(listed.input),
    idempotent: false,
    limitMs,
    async call(input, { signal }) {
      const { client, tools } = await connection(server, signal);
      if (!tools.some((tool) => tool.name === listed.name)) throw toolVanished(server, listed.name);
      return withServerName(server, signal, async () => {
        const args = input as Record<string, unknown>;
        return mcpResult(
          name,
          await client.callTool({ name: listed.name, arguments: args }, { signal, timeout: limitMs }),
        ) satisfies Json;
      });
    },
  };
}

function expectListed(server: OutsideServer, listed: readonly Listed[], name: string): Listed {
  const found = listed.find((tool) => tool.name === name);
  if (found) return found;
  const names = listed.map((tool) => tool.name);
  throw serverFailed(server, noSuchTool(name, names));
}

/** Turns errors into a failure that names the server. Other failures of ours (refused by the egress) are rethrown. */
async function withServerName<T>(server: OutsideServer, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const ours = failureIn(error);
    if (ours && ours.code !== "UPSTREAM_UNAVAILABLE") throw ours;
    throw serverFailed(
      server,
      ours?.text ?? answerNotUnderstood(error) ?? { en: shown(error), uk: shown(error) },
      error,
    );
  }
}

/** The library wraps errors of its fetch. */
function failureIn(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++)
    if (isFailure(at)) return at;
  return undefined;
}

const MAX_SHOWN = 300;
const shown = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, MAX_SHOWN).toWellFormed();
