import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { onDemandFile } from "../../src/adapters/orchestrator/testing/on-demand.ts";

/** The edge worker on workerd, bundled as wrangler does and with the settings of `wrangler.json`. */

interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}
type MiniflareClass = new (options: Record<string, unknown>) => Miniflare;

interface WranglerFile {
  readonly compatibility_date: string;
  readonly assets: Readonly<Record<"binding" | "html_handling" | "not_found_handling", string>>;
}

const root = join(import.meta.dirname, "../..");
const { compatibility_date: compatibilityDate, assets } = JSON.parse(
  readFileSync(join(root, "deploy/edge/wrangler.json"), "utf8"),
) as WranglerFile;

/** Starts workers with these variables; undefined where npm cannot install miniflare. `end` stops all of them. */
export async function edgeGround() {
  const module = await onDemandFile("miniflare", "miniflare/dist/src/index.js").catch((error: Error) => {
    process.stderr.write(
      `skipped: the edge worker on workerd: npm cannot install miniflare (${error.message.split("\n")[0]})\n`,
    );
  });
  if (module === undefined) return undefined;
  const { Miniflare } = (await import(module)) as { Miniflare: MiniflareClass };
  const folder = mkdtempSync(join(tmpdir(), "bloom-edge-"));
  mkdirSync(join(folder, "web/assets"), { recursive: true });
  writeFileSync(join(folder, "web/index.html"), "<!doctype html><title>Garden Bloom</title>");
  writeFileSync(join(folder, "web/assets/page-3f2a.js"), "export {};\n");
  await build({
    configFile: false,
    root,
    logLevel: "error",
    ssr: { noExternal: true, target: "webworker" },
    build: {
      ssr: true,
      outDir: join(folder, "worker"),
      copyPublicDir: false,
      minify: false,
      rolldownOptions: { input: { worker: join(root, "deploy/edge/worker.ts") } },
    },
  });
  const contents = readFileSync(join(folder, "worker/worker.js"), "utf8");
  const ending: (() => Promise<unknown>)[] = [];
  return {
    start: async (bindings: Readonly<Record<string, string>>): Promise<string> => {
      const edge = new Miniflare({
        modules: [{ type: "ESModule", path: "worker.js", contents }],
        compatibilityDate,
        bindings,
        assets: {
          directory: join(folder, "web"),
          binding: assets.binding,
          routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true },
          assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
        },
      });
      ending.push(() => edge.dispose());
      return (await edge.ready).origin;
    },
    /** A server in the place of the gateway. */
    origin: async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
      const server = createServer(answer);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      ending.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    end: async (): Promise<void> => {
      await Promise.all(ending.map((stop) => stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
