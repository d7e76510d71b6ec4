import { Console } from "node:console";
import type { ProcessSettings } from "./config.ts";
import type { Garden, GardenPorts } from "./garden/core/garden.ts";
import { servedAddress } from "./garden/life/known-gardens.ts";

/**
 * Serves MCP on standard input and output. Requests go to the gateway that serves the garden now, else to one in this process, which
 * requests runs and leaves the work to the next `bloom up`.
 */
export async function serveMcpHere(
  garden: Garden,
  ports: GardenPorts,
  settings: Pick<ProcessSettings, "environment">,
  options: { readonly version: string; readonly token: () => Promise<string>; readonly stopped: Promise<void> },
): Promise<void> {
  // A library that prints to the console would break the protocol.
  globalThis.console = new Console(process.stderr);
  const { serveMcpOnStreams } = await import("./gateway/mcp/serve-stdio.ts");
  const here = inProcess(garden, settings);
  try {
    await serveMcpOnStreams(garden, {
      ...options,
      input: process.stdin,
      output: process.stdout,
      report: (message) => void process.stderr.write(`bloom mcp: ${message}\n`),
      async send(request) {
        const address = await servedAddress(ports, garden.dir);
        return (address === undefined ? undefined : await sentTo(address, request)) ?? here.send(request);
      },
    });
  } finally {
    await here.close();
  }
}

/** The answer of the gateway at this address; undefined if nothing listens there, so that the request reached nobody. */
async function sentTo(address: string, request: Request): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.delete("host");
  const body = request.method === "GET" ? {} : { body: await request.clone().text() };
  try {
    return await fetch(new URL(pathname + search, address), { method: request.method, headers, ...body });
  } catch (error) {
    if (connectionRefused(error)) return undefined;
    throw error;
  }
}

const connectionRefused = (error: unknown): boolean =>
  (error as { readonly cause?: { readonly code?: string } }).cause?.code === "ECONNREFUSED";

/** A gateway in this process, made at its first request. */
function inProcess(garden: Garden, { environment }: Pick<ProcessSettings, "environment">) {
  const make = async () => {
    const [{ composeRuns }, { gatewayApp }] = await Promise.all([
      import("./compose-runs.ts"),
      import("./gateway/app.ts"),
    ]);
    const runs = await composeRuns(garden, environment, { carriesOut: false });
    const app = gatewayApp(garden, {
      host: "localhost",
      allowedHosts: [],
      runs: runs.gatewayRuns,
    });
    return { send: async (request: Request) => app.fetch(request), close: () => runs.close() };
  };
  let made: ReturnType<typeof make> | undefined;
  return {
    async send(request: Request): Promise<Response> {
      made ??= make();
      return (await made).send(request);
    },
    close: async (): Promise<void> => (await made)?.close(),
  };
}
