import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test, vi } from "vitest";
import { patient } from "../src/base/testing/patience.ts";
import { scratch } from "../src/garden/testing/scratch.ts";
import { bloom, launcher, plainEnvironment, started } from "./bloom.ts";

/** A garden with one note, and an environment in which programs of the same user find each other. */
async function madeGarden() {
  const place = scratch();
  const [dir, state] = [join(place, "rose"), join(place, "state")];
  for (const folder of [dir, state]) mkdirSync(folder);
  const env = { XDG_STATE_HOME: state, BLOOM_METRICS_TOKEN: "monitoring" };
  mkdirSync(join(dir, "notes"));
  writeFileSync(join(dir, "notes/a.md"), "# A\n\nLime trees.\n");
  await bloom(dir, ["init"], { ...env, ...git });
  return { dir, env };
}

const git = {
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.org",
};

/** A client of the official library that starts `bloom mcp` with these arguments. */
async function startedClient(dir: string, args: readonly string[], env: Record<string, string>) {
  const faults: string[] = [];
  const client = new Client({ name: "test", version: "1" });
  // A line that is no message would be a fault.
  Object.assign(client, { onerror: ({ message }: Error) => faults.push(message) });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp", ...args],
    cwd: dir,
    env: plainEnvironment(env),
  });
  await client.connect(transport);
  const read = async (path: string): Promise<string> => {
    const { content } = await client.callTool({ name: "read-note", arguments: { path } });
    return (content as readonly { readonly text: string }[])[0]!.text;
  };
  return { client, faults, read };
}

const requestsFor = async (url: string, route: string): Promise<number> => {
  const answer = await fetch(new URL("/metrics", url), {
    headers: { authorization: "Bearer monitoring" },
  });
  const line = (await answer.text()).split("\n").find((each) => each.includes(`route="${route}"`));
  return line === undefined ? 0 : Number(line.split(" ").at(-1));
};

test("A-5 `bloom mcp` serves a client on standard output: by the running gateway, and without it in its own process", async () => {
  const { dir, env } = await madeGarden();
  const up = await started(dir, ["up", "--port", "0"], env);
  await vi.waitUntil(() => up.said().includes("sign-in"), patient(20_000)); // printed after its address is recorded
  const url = /http:\S+/.exec(up.line)![0];
  const { client, faults, read } = await startedClient(dir, ["--as", "claude"], env);
  const served = (await read("notes/a.md")).includes("Lime trees.");
  const counted = await requestsFor(url, "/notes/:path{.+}");
  up.process.kill("SIGTERM");
  await up.ended;
  const alone = (await read("notes/a.md")).includes("Lime trees.");
  const { tools } = await client.listTools();
  await client.close();
  const tokens = await bloom(dir, ["agent", "tokens", "claude", "--json"], env);
  const [token] = (JSON.parse(tokens.out) as { tokens: { name: string; revoked_at?: string }[] }).tokens;
  expect({
    served,
    counted,
    alone,
    faults,
    tools: tools.map(({ name }) => name).includes("propose-edit"),
    revoked: [token!.name.startsWith("stdio-"), token!.revoked_at !== undefined],
  }).toEqual({ served: true, counted: 1, alone: true, faults: [], tools: true, revoked: [true, true] });
});

test("A-5 settings that `bloom mcp install` writes start a server that answers", async () => {
  const { dir, env } = await madeGarden();
  const { exit } = await bloom(dir, ["mcp", "install", "claude", "--write"], env);
  const file = JSON.parse(readFileSync(join(dir, ".mcp.json"), "utf8")) as {
    mcpServers: { garden: { command: string; args: string[] } };
  };
  const { command, args } = file.mcpServers.garden;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: "/", env: plainEnvironment(env) }));
  const version = client.getServerVersion()?.name;
  await client.close();
  expect({ exit, version }).toEqual({ exit: 0, version: "garden-bloom" });
});
