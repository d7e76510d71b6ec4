import type { McpServer } from "@modelcontextprotocol/server";
import { vouchFor } from "../authenticate.ts";
import { type CallGateway, gatewayCaller } from "../mcp/gateway-caller.ts";
import { type McpGrant, mcpGrantOf } from "../mcp/mcp-grant.ts";
import { type Route, type RouteCall, route } from "../route.ts";

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

async function answerMcp(call: RouteCall): Promise<Response> {
  const { answerMcpRequest } = await import("../mcp/mcp-endpoint.ts");
  const grant = await mcpGrantOf(call.garden, call.identity, call.visitor?.claims);
  return answerMcpRequest(call.request, () => serverFor(call, grant));
}

async function serverFor(call: RouteCall, grant: McpGrant): Promise<McpServer> {
  const { mcpServer } = await import("../mcp/mcp-server.ts");
  const version = (await call.gateway.program?.())?.running ?? "0";
  return mcpServer(ownRoutes(call), grant, version);
}

/** Calls the gateway's routes as the client that called this one: with its credentials, its language and its correlation id. */
function ownRoutes({ gateway, request, correlation, visitor }: RouteCall): CallGateway {
  const headers: Record<string, string> = correlation.brought ? { "X-Correlation-Id": correlation.id } : {};
  for (const name of ["authorization", "accept-language", "host"]) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const send = (own: Request): Promise<Response> => gateway.answer(visitor ? vouchFor(own, visitor) : own);
  return gatewayCaller(send, request.url, async () => headers);
}
