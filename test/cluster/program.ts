import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.js";
import { onDemand } from "../../src/adapters/orchestrator/testing/on-demand.ts";
import { root } from "../bloom.ts";

/** `inngest` is the executor of its protocol, `inngest-server` the real server. */
export type EngineKind = "embedded" | "restate" | "inngest" | "inngest-server";

/**
 * The program as it is published, with the SDK of an engine installed beside it: the SDK is looked for in the program's own
 * `node_modules` first, then in the folder above. Returns the launcher.
 */
export async function programWith(engine: EngineKind, folder: string): Promise<string> {
  const place = join(folder, "bloom");
  mkdirSync(join(place, "web"), { recursive: true });
  for (const file of ["package.json", "bin", "examples"])
    cpSync(join(root, file), join(place, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  symlinkSync(join(root, "web/dist"), join(place, "web/dist"));
  const sdk = {
    embedded: undefined,
    restate: "restate-sdk",
    inngest: "inngest",
    "inngest-server": "inngest",
  } as const;
  const name = sdk[engine];
  if (name !== undefined) symlinkSync(join(await onDemand(name), "node_modules"), join(folder, "node_modules"));
  await bundle(join(place, "dist"));
  return join(place, "bin/bloom.js");
}
