/** How a client is told to start the server. */
export interface McpCommand {
  /** Name of the server in the client's settings. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The settings file of a client that starts MCP servers itself. */
export interface McpClient {
  /** Within the folder of a project. */
  readonly file: string;
  /** Text that a person can paste into the file. */
  readonly snippet: (server: McpCommand) => string;
  /** The file with the server in it; undefined if it is written in a way that cannot be merged without losing something. */
  readonly merged: (present: string | undefined, server: McpCommand) => string | undefined;
}

/** A client with JSON settings: servers by name under one key. */
const jsonClient = (file: string, key: string): McpClient => {
  const entry = ({ command, args }: McpCommand) => ({ type: "stdio", command, args });
  return {
    file,
    snippet: (server) => JSON.stringify({ [key]: { [server.name]: entry(server) } }, null, 2),
    merged(present, server) {
      const before = present === undefined || present.trim() === "" ? {} : objectIn(present);
      const servers = before?.[key] ?? {};
      // Comments (VS Code allows them) would be lost, so such a file is left to the person.
      if (!before || !isObject(servers)) return undefined;
      if (JSON.stringify(servers[server.name]) === JSON.stringify(entry(server))) return present!;
      const after = { ...before, [key]: { ...servers, [server.name]: entry(server) } };
      return `${JSON.stringify(after, null, indentOf(present ?? ""))}\n`;
    },
  };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The indentation of the first indented line. */
const indentOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";

/** TOML by lines: the table of this server is replaced or appended, all else stays as it is. */
const codexClient: McpClient = {
  file: ".codex/config.toml",
  snippet: tomlTable,
  merged(present, server) {
    const table = tomlTable(server);
    if (present === undefined || present.trim() === "") return `${table}\n`;
    const header = `[mcp_servers.${server.name}]`;
    const lines = present.replace(/\n$/, "").split("\n");
    const from = lines.findIndex((line) => line.trim() === header);
    if (from < 0) return namesServer(present, server.name) ? undefined : `${lines.join("\n")}\n\n${table}\n`;
    const count = lines.slice(from + 1).findIndex((line) => line.trimStart().startsWith("["));
    const to = count < 0 ? lines.length : from + 1 + count;
    const own = lines.slice(from + 1, to).filter((line) => line.trim() !== "");
    if (!own.every(isPlainLine) || hasPartTables(present, server.name)) return undefined;
    if ([header, ...own].join("\n") === table) return present;
    const after = lines.slice(to);
    return `${[...lines.slice(0, from), table, ...(after.length > 0 ? ["", ...after] : [])].join("\n")}\n`;
  },
};

function tomlTable({ name, command, args }: McpCommand): string {
  // JSON's strings are TOML's basic strings.
  return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`;
}

/** A key with a value on one line. A comment, or a value over several lines, is the person's to keep. */
const isPlainLine = (line: string): boolean => /^\w+ = (?:"[^#]*"|\[[^#]*\]|\d+|true|false)$/.test(line);

/** The server is configured in another of TOML's notations, or the text is inside a string of several lines. */
const namesServer = (text: string, name: string): boolean =>
  new RegExp(`mcp_servers\\s*=|mcp_servers\\s*\\.\\s*["']?${name}\\b`).test(text) || /"""|'''/.test(text);

const hasPartTables = (text: string, name: string): boolean => text.includes(`[mcp_servers.${name}.`);

/** By the name of the program in `bloom mcp install`. Formats as the programs document them. */
export const mcpClients: Readonly<Record<string, McpClient>> = {
  claude: jsonClient(".mcp.json", "mcpServers"),
  codex: codexClient,
  cursor: jsonClient(".cursor/mcp.json", "mcpServers"),
  vscode: jsonClient(".vscode/mcp.json", "servers"),
};
