import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, gardenWith } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";
import { type McpCommand, mcpClients } from "./client-settings.ts";

const server: McpCommand = { name: "garden", command: "/bin/bloom", args: ["mcp", "--as", "x"] };
const entry = { type: "stdio", command: "/bin/bloom", args: ["mcp", "--as", "x"] };
const TABLE = '[mcp_servers.garden]\ncommand = "/bin/bloom"\nargs = ["mcp","--as","x"]';

describe("settings of MCP clients", () => {
  const json = (value: unknown, indent: number | string = 2): string => `${JSON.stringify(value, null, indent)}\n`;
  const cases: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
    ["no file", "claude", undefined, json({ mcpServers: { garden: entry } })],
    ["an empty file", "cursor", "\n", json({ mcpServers: { garden: entry } })],
    [
      "other servers and settings, which stay",
      "vscode",
      json({ inputs: [1], servers: { a: { url: "u" } } }, "\t"),
      json({ inputs: [1], servers: { a: { url: "u" }, garden: entry } }, "\t"),
    ],
    [
      "an older command",
      "claude",
      json({ mcpServers: { garden: { command: "old" }, b: {} } }),
      json({ mcpServers: { garden: entry, b: {} } }),
    ],
    ["the same command in another form", "claude", `{"mcpServers":{"garden":${JSON.stringify(entry)}}}`, "unchanged"],
    ["comments", "vscode", '{\n// mine\n"servers": {}}', undefined],
    ["a list of servers", "claude", '{"mcpServers": []}', undefined],
    ["text that is no JSON", "cursor", "servers: no", undefined],
    ["no TOML", "codex", undefined, `${TABLE}\n`],
    ["TOML of other things", "codex", 'model = "x"\n[a]\nb = 1\n', `model = "x"\n[a]\nb = 1\n\n${TABLE}\n`],
    [
      "an older table between others",
      "codex",
      '[mcp_servers.a]\nurl = "u"\n\n[mcp_servers.garden]\ncommand = "old"\n\n[z]\nb = 1\n',
      `[mcp_servers.a]\nurl = "u"\n\n${TABLE}\n\n[z]\nb = 1\n`,
    ],
    ["the same table", "codex", `# mine\n${TABLE}\n`, "unchanged"],
    ["a comment in its table", "codex", `[mcp_servers.garden]\n# mine\ncommand = "old"\n`, undefined],
    ["a value over several lines", "codex", `[mcp_servers.garden]\nargs = [\n"a"\n]\n`, undefined],
    ["its table with further tables", "codex", `${TABLE}\n[mcp_servers.garden.env]\nA = "b"\n`, undefined],
    ["servers as one value", "codex", "mcp_servers = {}\n", undefined],
    ["the server by dotted keys", "codex", 'mcp_servers.garden.command = "x"\n', undefined],
    ["a string of several lines", "codex", 'text = """\n[a]\n"""\n', undefined],
  ];
  test.each(cases)("A-5 %s (%s) keeps all else, and a second time changes nothing", (_, client, present, wanted) => {
    const { merged } = mcpClients[client]!;
    const first = merged(present, server);
    expect(first).toBe(wanted === "unchanged" ? present : wanted);
    if (first !== undefined) expect(merged(first, server)).toBe(first);
  });
});

describe("bloom mcp", () => {
  test("A-5 install prints the settings, writes them beside a copy of the file, and leaves a file that has them", async () => {
    const { dir } = await gardenWith({ "notes/a.md": "# A\n" });
    files(dir, { ".cursor/mcp.json": '{"mcpServers":{"b":{}}}' });
    const run = (...args: string[]) => inProcessBloom(dir, ["mcp", "install", "cursor", ...args]);
    const shown = await run();
    const before = readFileSync(join(dir, ".cursor/mcp.json"), "utf8");
    const written = JSON.parse((await run("--write", "--json")).out) as Record<string, unknown>;
    const again = JSON.parse((await run("--write", "--json")).out) as Record<string, unknown>;
    const [backup, ...more] = readdirSync(join(dir, ".cursor")).filter((name) => name.endsWith(".bak"));
    const after = JSON.parse(readFileSync(join(dir, ".cursor/mcp.json"), "utf8")) as { mcpServers: object };
    expect({
      shown: shown.out.includes(`"${dir}"`) && shown.out.includes('"--as"'),
      before,
      changed: [written["changed"], again["changed"]],
      kept: readFileSync(join(dir, ".cursor", backup!), "utf8"),
      more,
      servers: Object.keys(after.mcpServers),
    }).toEqual({
      shown: true,
      before: '{"mcpServers":{"b":{}}}',
      changed: [true, false],
      kept: '{"mcpServers":{"b":{}}}',
      more: [],
      servers: ["b", "garden"],
    });
  });

  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ["an unknown client", ["install", "clawed"], "Did you mean `bloom mcp install claude`?"],
    ["a name that is no agent's", ["install", "claude", "--as", "A B"], "A B"],
    ["a name of a server with a dot", ["install", "codex", "--name", "a.b"], "--name"],
  ];
  test.each(wrong)("A-5 %s is refused", async (_, args, reason) => {
    const { dir } = await gardenWith({});
    const { exit, err } = await inProcessBloom(dir, ["mcp", ...args]);
    expect([exit > 0, err.includes(reason)]).toEqual([true, true]);
  });

  test("A-5 serving needs an agent to act as: a token, or --as", async () => {
    const { dir } = await gardenWith({});
    const host = { serveMcp: async () => undefined };
    const without = await inProcessBloom(dir, ["mcp"], { host });
    const withToken = await inProcessBloom(dir, ["mcp"], { host: { ...host, token: "bloom1.x.y" } });
    expect([without.exit, without.err.includes("BLOOM_TOKEN"), withToken]).toEqual([
      2,
      true,
      { exit: 0, out: "", err: "" },
    ]);
  });
});
