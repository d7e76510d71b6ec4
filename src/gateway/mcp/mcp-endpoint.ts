import { createMcpHandler, type McpServerFactory, ProtocolErrorCode } from "@modelcontextprotocol/server";

const MAX_BODY = 4_000_000;

/**
 * Answers one request of the protocol, of either revision, by a server made for it. Nothing is kept between requests: no session, no
 * stream of later notifications, so any gateway of a garden answers any request.
 */
export async function answerMcpRequest(request: Request, server: McpServerFactory): Promise<Response> {
  const handler = createMcpHandler(server, { maxRequestBodySize: MAX_BODY, maxSubscriptions: 0 });
  const answer = await handler.fetch(request);
  // The library refuses a header that differs from the method in the body.
  if (request.headers.get("mcp-method") !== "subscriptions/listen" || !answer.ok) return answer;
  const { id } = (await answer.json()) as { id: unknown };
  const error = {
    code: ProtocolErrorCode.MethodNotFound,
    message: "Method not found: nothing here sends notifications",
  };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 404 });
}
