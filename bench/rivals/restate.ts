import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import type { Contender } from "../harness.ts";
import { isThere, RivalAbsent, rivalEngines } from "./installed.ts";
import { ended, freePort, until } from "./postgres.ts";

/** A handler of four steps that do nothing. The server calls it; we call the server. */
const program = `
import * as restate from "@restatedev/restate-sdk";
const four = async (ctx) => {
  for (const name of ["a", "b", "c", "d"]) await ctx.run(name, () => 1);
  return 1;
};
restate.serve({ services: [restate.service({ name: "bench", handlers: { four } })], port: Number(process.argv[2]) })
  .then(() => process.send("ready"));
`;

export const restate: Contender = {
  name: "Restate 1.7 (one server, its own settings)",
  async open(folder) {
    const engines = await rivalEngines();
    const binary = join(
      engines,
      `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
    );
    if (!(await isThere(binary))) throw new RivalAbsent(`there is no server for ${process.platform}-${process.arch}`);
    const [admin, ingress, node, service] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const data = join(folder, "data");
    await mkdir(data, { recursive: true });
    const server = spawn(binary, ["--node-name", "bench", "--base-dir", data], {
      cwd: data,
      stdio: "ignore",
      env: {
        ...process.env,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
        RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}/`,
        RESTATE_DISABLE_TELEMETRY: "true",
        RESTATE_LOG_FILTER: "error",
        DO_NOT_TRACK: "1",
      },
    });
    const script = join(engines, "four-steps-restate.js");
    await writeFile(script, program);
    const child = fork(script, [String(service)], { cwd: engines, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const agent = new Agent({ keepAlive: true });
    const close = async (): Promise<void> => {
      agent.destroy();
      await ended(child, "SIGKILL");
      await ended(server, "SIGTERM");
    };
    const post = (port: number, path: string, body: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        const asked = request({ port, host: "127.0.0.1", path, method: "POST", agent, headers }, (answer) => {
          answer.resume();
          answer.on("end", () =>
            (answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`${path}: HTTP ${answer.statusCode}`)),
          );
        });
        asked.on("error", reject);
        asked.end(body);
      });
    try {
      await Promise.race([once(child, "message"), once(child, "exit")]);
      const deployment = JSON.stringify({ uri: `http://127.0.0.1:${service}` });
      await until(server, "Restate", () => post(admin, "/deployments", deployment));
      await until(server, "Restate", () => post(ingress, "/bench/four", "{}"));
    } catch (error) {
      await close();
      throw error;
    }
    return { once: () => post(ingress, "/bench/four", "{}"), close };
  },
};
