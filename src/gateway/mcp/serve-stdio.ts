import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { identityOfToken } from "../../garden/agents/access/identify.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { gatewayCaller } from "./gateway-caller.ts";
import { mcpGrantOf } from "./mcp-grant.ts";
import { mcpServer } from "./mcp-server.ts";

export interface StdioOptions {
  /** The token with which the client acts; asked for at each call, so that it can be renewed. */
  readonly token: () => Promise<string>;
  /** Sends a request to the gateway: a running one, or one in this process. */
  readonly send: (request: Request) => Promise<Response>;
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** Ends the connection when it settles. */
  readonly stopped: Promise<void>;
  /** Gets faults of the connection: what is written to the output is the protocol alone. */
  readonly report: (message: string) => void;
}

/** Requests carry no address of a network: the Host that every gateway accepts. */
const ADDRESS = "http://localhost/";
const MAX_MESSAGE_BYTES = 4_000_000;

/**
 * The Model Context Protocol over two streams, for a client that starts this process: the tools of `/mcp`, by the same routes
 * with the same checks. Throws if the token is no outside agent's. Returns when the client closes its end.
 */
export async function serveMcpOnStreams(garden: Garden, options: StdioOptions): Promise<void> {
  const { token, input, output, version } = options;
  const grantNow = async () => {
    const { identity, claims } = await identityOfToken(garden, await token());
    return mcpGrantOf(garden, identity, claims);
  };
  await grantNow(); // a wrong token is told before the client waits for an answer
  const call = gatewayCaller(options.send, ADDRESS, async () => ({
    authorization: `Bearer ${await token()}`,
    host: new URL(ADDRESS).host,
  }));
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(async () => mcpServer(call, await grantNow(), version), {
    transport,
    onerror: ({ message }) => options.report(message),
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) input.once(event, () => resolve());
    output.once("close", () => resolve());
  });
  await Promise.race([ended, options.stopped]);
  await handle.close();
}
