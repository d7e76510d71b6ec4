import type { GatewayRequest } from "./offered-tools.ts";

/** Sends a request to the gateway with the credentials of the MCP client. */
export type CallGateway = (request: GatewayRequest) => Promise<Response>;

/** Calls the gateway's routes by this way of sending, at this address and with these headers. */
export const gatewayCaller =
  (
    send: (request: Request) => Promise<Response>,
    address: string,
    headers: () => Promise<Readonly<Record<string, string>>>,
  ): CallGateway =>
  async (request) =>
    send(routeRequest(request, address, await headers()));

function routeRequest(
  { method, path, query = {}, body }: GatewayRequest,
  address: string,
  headers: Readonly<Record<string, string>>,
): Request {
  const url = new URL(path, address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return new Request(url, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
