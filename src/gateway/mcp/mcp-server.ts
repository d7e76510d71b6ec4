import { McpServer } from "@modelcontextprotocol/server";
import type { ErrorBody } from "../error-answer.ts";
import type { CallGateway } from "./gateway-caller.ts";
import type { McpGrant } from "./mcp-grant.ts";
import { offerPrompts } from "./offered-prompts.ts";
import { offerResources } from "./offered-resources.ts";
import { type OfferedTool, offeredTools } from "./offered-tools.ts";

const INSTRUCTIONS =
  "Notes of a person's garden. Read freely; every change is a proposal that a person decides, so tell why, and do not repeat a proposal that waits.";

/** Nothing is sent between requests: a changed list is seen with the next one. */
const QUIET = { tools: { listChanged: false }, prompts: { listChanged: false }, resources: {} };

/** The MCP server for one agent: its tools call the gateway's routes and tell their answers, or their refusals with the hint. */
export function mcpServer(call: CallGateway, grant: McpGrant, version: string): McpServer {
  const server = new McpServer({ name: "garden-bloom", version }, { instructions: INSTRUCTIONS, capabilities: QUIET });
  for (const tool of offeredTools)
    if (isListed(tool, grant))
      server.registerTool(
        tool.name,
        {
          description: tool.description,
          inputSchema: tool.input,
          annotations: { readOnlyHint: tool.proposes === undefined && tool.starts === undefined },
        },
        async (input: Readonly<Record<string, unknown>>) => toldAnswer(await call(tool.request(input, grant.agent))),
      );
  offerResources(server, call, grant);
  offerPrompts(server, call);
  return server;
}

const isListed = ({ proposes, starts }: OfferedTool, grant: McpGrant): boolean =>
  (proposes === undefined || grant.actions.includes(proposes)) &&
  (starts === undefined || grant.starts.some((slug) => (slug === grant.agent) === (starts === "self")));

async function toldAnswer(
  answer: Response,
): Promise<{ readonly content: { type: "text"; text: string }[]; readonly isError?: true }> {
  const text = await answer.text();
  return answer.ok
    ? { content: [{ type: "text", text }] }
    : { content: [{ type: "text", text: refusal(text) }], isError: true };
}

/** The error's message and hint: a model acts upon sentences, and upon the code where it has to tell errors apart. */
function refusal(body: string): string {
  try {
    const { code, message, details } = (JSON.parse(body) as ErrorBody).error;
    const { hint, ...facts } = details;
    const more = Object.keys(facts).length > 0 ? `\n${JSON.stringify(facts)}` : "";
    return `${code}: ${message}${typeof hint === "string" ? ` ${hint}` : ""}${more}`;
  } catch {
    return body;
  }
}
