import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contender } from "../harness.ts";
import { firstLine, RivalAbsent, rivalEngines } from "./installed.ts";
import { ended, startPostgres } from "./postgres.ts";

/** A workflow of four no-op steps in a separate process, started by messages over a pipe. */
const program = `
import { DBOS } from "@dbos-inc/dbos-sdk";
const nothing = async () => 1;
const four = DBOS.registerWorkflow(async () => {
  for (const name of ["a", "b", "c", "d"]) await DBOS.runStep(nothing, { name });
}, { name: "four" });
DBOS.setConfig({ name: "bench", systemDatabaseUrl: process.argv[2], logLevel: "error", runAdminServer: false });
await DBOS.launch();
process.on("message", async (id) => {
  try { await four(); process.send({ id }); } catch (error) { process.send({ id, error: String(error) }); }
});
process.send({ id: -1 });
`;

export const dbos: Contender = {
  name: "DBOS 5.3 on PostgreSQL (synced)",
  async open(folder) {
    const engines = await rivalEngines();
    const postgres = await startPostgres(folder);
    const script = join(engines, "four-steps-dbos.js");
    await writeFile(script, program);
    const child = fork(script, [postgres.url], { cwd: engines, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    const trouble: string[] = [];
    child.stderr?.on("data", (text) => trouble.push(String(text)));
    const close = async (): Promise<void> => {
      await ended(child, "SIGKILL");
      await postgres.stop();
    };
    const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
    let count = 0;
    const [first] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [{ id?: number }];
    if (first?.id !== -1) {
      await close();
      throw new RivalAbsent(`DBOS did not start: ${firstLine(trouble.join(""))}`);
    }
    child.on("message", ({ id, error }: { id: number; error?: string }) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) one?.resolve();
      else one?.reject(new Error(error));
    });
    return {
      once: () =>
        new Promise<void>((resolve, reject) => {
          const id = count++;
          waiting.set(id, { resolve, reject });
          child.send(id);
        }),
      close,
    };
  },
};
