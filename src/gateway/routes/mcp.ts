import type { McpServer } from "@modelcontextprotocol/server";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { mcpAgentsOnly } from "../failures.ts";
import type { CallGateway, McpGrant } from "../mcp/mcp-server.ts";
import { type Route, type RouteCall, route, startsOf } from "../route.ts";

/**
 * The Model Context Protocol over streamable HTTP, for agents outside of the garden. Without sessions: each request stands for
 * itself, so any gateway of a garden answers it, and there is no session to steal or to use up. The library is loaded with the first one.
 */
export const mcpRoutes: readonly Route[] = [
  route("POST /mcp", {
    summary: {
      en: "Model Context Protocol (streamable HTTP): tools, resources and prompts for an agent outside of the garden (A-5)",
      uk: "Model Context Protocol (streamable HTTP): інструменти, ресурси й підказки для агента поза садом (A-5)",
    },
    allows: ["owner", "agent"],
    rate: "read",
    answer: "text/event-stream",
    handle: answerMcp,
  }),
];

const MAX_BODY = 4_000_000;

async function answerMcp(call: RouteCall): Promise<Response> {
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const grant = await grantOf(call);
  const handler = createMcpHandler(() => serverFor(call, grant), { maxRequestBodySize: MAX_BODY });
  return handler.fetch(call.request);
}

async function serverFor(call: RouteCall, grant: McpGrant): Promise<McpServer> {
  const { mcpServer } = await import("../mcp/mcp-server.ts");
  const version = (await call.gateway.program?.())?.running ?? "0";
  return mcpServer(gatewayCaller(call), grant, version);
}

/** An owner's token would make the program that holds it the owner, whose wishes need no grant: it is refused here. */
async function grantOf({ garden, identity, visitor }: RouteCall): Promise<McpGrant> {
  if (identity.type !== "agent") throw mcpAgentsOnly();
  const { contract } = await readAgent(garden.store, identity.slug);
  return { agent: identity.slug, actions: contract.safe_outputs, starts: startsOf(visitor) };
}

/** Calls the gateway's routes as the client that called this one: with its credentials, its language and its correlation id. */
function gatewayCaller({ gateway, request, correlation }: RouteCall): CallGateway {
  return ({ method, path, query = {}, body }) => {
    const url = new URL(path, request.url);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers({ "Content-Type": "application/json" });
    for (const name of ["authorization", "accept-language", "host"]) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (correlation.brought) headers.set("X-Correlation-Id", correlation.id);
    return gateway.answer(
      new Request(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    );
  };
}
