import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { identityOfToken } from "../garden/agents/access/identify.ts";
import { contractText } from "../garden/agents/testing/contract-text.ts";
import { recordGatewayUrl } from "../garden/core/access/gateway-url.ts";
import { closeGarden, openGarden } from "../garden/core/garden.ts";
import { initGarden } from "../garden/life/init.ts";
import { files, scratch, testPorts } from "../garden/testing/scratch.ts";
import { runCommandLine } from "./run-command-line.ts";

/** Each call gets different random numbers, as in production. */
let calls = 0;
const groundNow = () => {
  let drawn = ++calls * 1009;
  return testPorts({
    now: () => Date.parse("2026-02-14T08:00:00Z"),
    random: (count) => Uint8Array.from({ length: count }, () => (drawn = (drawn * 31 + 7) & 0xffff) & 0xff),
  });
};

async function bloom(cwd: string, ...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const ground = groundNow();
  const exit = await runCommandLine(args, {
    ground,
    garden: undefined,
    language: "en",
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (out += text), err: (text) => (err += text), interactive: false, columns: 80 },
    machine: {
      cwd,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(cwd),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  });
  return { exit, out, err };
}

async function rose(): Promise<string> {
  const dir = join(scratch(), "rose");
  files(dir, { "notes/a.md": "a" });
  await initGarden(groundNow(), dir, { language: "en", name: "Rose" });
  const config = join(dir, "garden.yaml");
  writeFileSync(config, `${readFileSync(config, "utf8")}zones:\n  - { name: porch, folders: [notes/porch] }\n`);
  return dir;
}

describe("A-3 bloom token", () => {
  test("makes tokens that the gateway accepts, lists them without their secret, and revokes them", async () => {
    const dir = await rose();
    const script = JSON.parse((await bloom(dir, "token", "new", "backup", "--days", "3", "--json")).out) as {
      id: string;
      token: string;
    };
    const guest = JSON.parse((await bloom(dir, "token", "new", "--zone", "porch", "--json")).out) as { token: string };
    const garden = await openGarden(groundNow(), dir);
    const identities = [];
    for (const { token } of [script, guest]) identities.push((await identityOfToken(garden, token)).identity.type);
    await closeGarden(garden);
    const list = await bloom(dir, "token", "list");
    const revoked = await bloom(dir, "token", "revoke", script.id);
    const after = await bloom(dir, "token", "list");
    expect({
      identities,
      names: list.out
        .trim()
        .split("\n")
        .map((line) => line.split("  ").at(-1)!)
        .toSorted(),
      showsSecret: list.out.includes(script.token.slice(-20)),
      revoked: revoked.out,
      after: after.out.includes("✗ 2026-02-14 08:00 UTC  backup"),
    }).toEqual({
      identities: ["owner", "guest"],
      names: ["backup", "guest:porch"],
      showsSecret: false,
      revoked: `${script.id} is revoked.\n`,
      after: true,
    });
  });

  test("makes a token for an outside agent, lists it, and revokes it by name, with records of both", async () => {
    const dir = await rose();
    files(dir, { "agents/echo/_agent.md": contractText("echo", { status: "active" }) });
    const made = await bloom(dir, "agent", "token", "echo", "--name", "laptop", "--expires", "30d");
    const token = made.out.trim().split("\n").at(-1)!;
    const garden = await openGarden(groundNow(), dir);
    const { identity } = await identityOfToken(garden, token);
    await closeGarden(garden);
    const list = await bloom(dir, "agent", "tokens", "echo");
    const again = await bloom(dir, "agent", "token", "echo", "--name", "laptop");
    const revoked = await bloom(dir, "agent", "token", "--revoke", "laptop");
    const audit = await bloom(dir, "audit", "--json");
    expect({
      about: made.out.split("\n")[0],
      identity,
      list: list.out.split("\n")[1],
      again: again.exit,
      revoked: revoked.out,
      none: (await bloom(dir, "agent", "token", "echo", "--revoke", "laptop")).exit,
      kinds: [...audit.out.matchAll(/token-(?:made|revoked)/g)].map(([kind]) => kind).toSorted(),
      days: (await bloom(dir, "agent", "token", "echo", "--expires", "400d")).err.split("\n")[0],
    }).toEqual({
      about: "Token laptop of echo, valid until 2026-03-16 08:00 UTC while the agent is active. It is shown only once:",
      identity: {
        type: "agent",
        slug: "echo",
        run: undefined,
        token: "laptop",
        grant: expect.stringMatching(/^[0-9a-f]+$/),
      },
      list: "laptop  2026-02-14 08:00 UTC  2026-02-14  2026-03-16 08:00 UTC  ✓",
      again: 5,
      revoked: "echo: laptop is revoked.\n",
      none: 3,
      kinds: ["token-made", "token-revoked"],
      days: "bloom: --expires: not a number of days: 400d",
    });
  });

  test("prints a link to the gateway that serves the garden, or to the one that is named", async () => {
    const dir = await rose();
    const nowhere = await bloom(dir, "token", "link");
    await recordGatewayUrl({ folder: groundNow().folders.at(dir) }, "http://127.0.0.1:4441/");
    const found = await bloom(dir, "token", "link");
    const named = await bloom(dir, "token", "link", "--url", "https://garden.example/");
    expect({
      nowhere: nowhere.exit,
      found: found.out.startsWith("http://127.0.0.1:4441/sign-in?code="),
      named: named.out.startsWith("https://garden.example/sign-in?code="),
    }).toEqual({ nowhere: 3, found: true, named: true });
  });

  const wrong: readonly (readonly [readonly string[], number, string])[] = [
    [["steal"], 2, 'unknown subcommand "steal"'],
    [["revoke"], 2, "token revoke: missing argument"],
    [["revoke", "tok_0000000000000000"], 3, "there is no token tok_0000000000000000"],
    [["revoke", "../../garden"], 3, "there is no token ../../garden"],
    [["new", "--days", "0"], 2, "--days: not a number of days: 0"],
    [["new", "--days", "1000"], 2, "--days: not a number of days: 1000"],
    [["new", "--zone", "attic"], 3, "garden.yaml has no zone attic"],
  ];
  test("rejects wrong arguments with a message", async () => {
    const dir = await rose();
    const told = [];
    for (const [args] of wrong) {
      const { exit, err } = await bloom(dir, "token", ...args);
      told.push([args, exit, err.split("\n")[0]!.replace("bloom: ", "")]);
    }
    expect(told).toEqual(wrong);
  });
});
