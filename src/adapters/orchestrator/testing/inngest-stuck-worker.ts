import { inngestWorker } from "./inngest-place.ts";

/**
 * A process that begins to work on a run, prints its id, and never ends the work; to be killed:
 *
 *     inngest-stuck-worker.ts URL APP MODE
 */
const [url = "", app = "", mode] = process.argv.slice(2);
const { orchestrator } = await inngestWorker({ url, app, mode: mode === "connect" ? "connect" : "serve" });
orchestrator.start(({ key }) => {
  process.stdout.write(`${key}\n`);
  return new Promise(() => undefined);
});
