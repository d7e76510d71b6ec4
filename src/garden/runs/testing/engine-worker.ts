import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { openGarden } from "../../core/garden.ts";
import { type EngineKind, type EngineServers, workWith } from "./engine-kinds.ts";

/**
 * A process that works on runs until it is killed, in the second step of each:
 *
 *     engine-worker.ts KIND SERVERS (GARDEN APP EFFECTS)…
 */
const [kind = "", servers = "{}", ...places] = process.argv.slice(2);
const ports = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, realWorld);
for (let at = 0; at < places.length; at += 3) {
  const [dir = "", app = "", effects = ""] = places.slice(at);
  await workWith(await openGarden(ports, dir), {
    kind: kind as EngineKind,
    servers: JSON.parse(servers) as EngineServers,
    app,
    effects,
    isStuck: true,
  });
}
