import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { EngineEndpoint } from "../../../ports/orchestrator.ts";

/** Serves the endpoint of an engine on a free port of this machine, as the gateway does. */
export async function serveEndpoint(
  endpoint: EngineEndpoint,
  port = 0,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createAdaptorServer({ fetch: (request) => endpoint.answer(request, { isLocal: true }) }) as Server;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A clock that runs `speed` times as fast as the real one, for engines whose timers are in another process. */
export function fastClock(speed: number) {
  const began = performance.now();
  const start = Date.parse("2026-02-14T08:00:00Z");
  return {
    now: (): number => start + (performance.now() - began) * speed,
    pace: (ms: number): number => ms / speed,
  };
}
