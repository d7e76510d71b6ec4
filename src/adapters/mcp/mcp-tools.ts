import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { Egress } from "../../ports/egress.ts";
import type { OutsideServer, OutsideTools } from "../../ports/outside-tools.ts";
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

type Listed = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/** MCP servers over streamable HTTP. The library is loaded when a contract names one. */
export function mcpTools({ egress, version = "0", limitMs = LIMIT_MS }: McpSettings): OutsideTools {
  const connected = async (server: OutsideServer, way: Egress, signal: AbortSignal): Promise<Client> => {
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
    return client;
  };
  return {
    async open({ servers, allow }, signal) {
      const way = allow.length === 0 ? egress : egress.within(allow);
      const clients: Client[] = [];
      const close = async (): Promise<void> => {
        await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)));
      };
      try {
        const tools: RunTool[] = [];
        for (const server of servers) {
          const listed = await reaching(server, signal, async () => {
            const client = await connected(server, way, signal);
            clients.push(client);
            return (await client.listTools(undefined, { signal, timeout: limitMs })).tools;
          });
          const client = clients.at(-1)!;
          for (const name of server.tools)
            tools.push(toolOf(server, client, expectListed(server, listed, name), limitMs));
        }
        return { tools, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

function toolOf(server: OutsideServer, client: Client, listed: Listed, limitMs: number): RunTool {
  const name = `${server.name}_${listed.name}`;
  if (!NAME.test(name)) throw refused(server, longName(name));
  return {
    name,
    description: `[${server.name}] ${listed.description ?? listed.name}`.slice(0, MAX_DESCRIPTION).toWellFormed(),
    input: schemaOf(server, listed),
    idempotent: false,
    limitMs,
    call: (input, { signal }) =>
      reaching(server, signal, async () => {
        const args = input as Record<string, unknown>;
        return resultOf(
          name,
          await client.callTool({ name: listed.name, arguments: args }, { signal, timeout: limitMs }),
        ) satisfies Json;
      }),
  };
}

/** As the server describes it, and strict where it leaves that open: a member that nobody knows is refused, not sent along. */
function schemaOf(server: OutsideServer, { name, inputSchema }: Listed): z.ZodType {
  try {
    return z.fromJSONSchema({ additionalProperties: false, ...inputSchema } as z.core.JSONSchema.JSONSchema);
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

const longName = (name: string): Text => ({
  en: `${name} is longer than the 64 characters that a tool's name may have`,
  uk: `${name} довше за 64 символи, які може мати назва інструмента`,
});
