/**
 * Writes the types of the gateway's endpoints for the web app into `web/src/api/endpoints.gen.ts`, which git ignores. Checks and
 * builds of the web app run it first, so the types always fit the routes.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root, run, toolEnvironment } from "./setup.js";

export const endpointTypes = join(root, "web", "src", "api", "endpoints.gen.ts");

/** Returns the exit code. Runs in a process of the packaged Node, because this one may be too old to read the routes. */
export const writeEndpointTypes = () => run("node", [fileURLToPath(import.meta.url)], { env: toolEnvironment() });

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { clientTypes } = await import("../src/gateway/client-types.ts");
  const { routes } = await import("../src/gateway/routes.ts");
  const text = clientTypes(routes);
  if (!existsSync(endpointTypes) || readFileSync(endpointTypes, "utf8") !== text) {
    const partial = `${endpointTypes}.${process.pid}`; // a compiler may be reading the file
    writeFileSync(partial, text);
    renameSync(partial, endpointTypes);
  }
}
