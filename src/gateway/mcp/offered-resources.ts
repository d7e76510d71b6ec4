import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { repoPathProblem } from "../../domain/git/git-names.ts";
import { readProgram } from "../../drakon/diagram-program.ts";
import { drawDiagram } from "../../drakon/draw/draw.ts";
import type { CallGateway } from "./gateway-caller.ts";
import type { McpGrant } from "./mcp-grant.ts";

/** A resource of one kind: its address has one variable part, and its content is the answer of a route. */
interface OfferedResource {
  readonly name: string;
  readonly description: string;
  readonly template: string;
  readonly type: string;
  /** The variable part of an address of this kind; undefined for other addresses. */
  readonly named: (uri: string) => string | undefined;
  readonly path: (named: string) => string;
  readonly text: (answer: Readonly<Record<string, unknown>>) => string | undefined;
}

const SCHEME = "garden://";
const NOTES = `${SCHEME}notes/`;
const AGENTS = `${SCHEME}agents/`;
const PAGE = 100;

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const agentPart = (end: string) => (uri: string) => new RegExp(`^${AGENTS}([a-z0-9-]{1,63})${end}$`).exec(uri)?.[1];
const words = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const resources: readonly OfferedResource[] = [
  {
    name: "note",
    description: "A note as Markdown.",
    template: `${NOTES}{+path}`,
    type: "text/markdown",
    named: (uri) => {
      const path = uri.startsWith(NOTES) ? decoded(uri.slice(NOTES.length)) : undefined;
      return path === undefined || repoPathProblem(path) !== undefined ? undefined : path;
    },
    path: (note) => `/notes/${encoded(note)}?history=0`,
    text: ({ text }) => words(text),
  },
  {
    name: "agent",
    description: "Your contract: what you may do here.",
    template: `${AGENTS}{agent}`,
    type: "application/json",
    named: agentPart(""),
    path: (agent) => `/agents/${agent}`,
    text: ({ contract, body }) => JSON.stringify({ contract, body }),
  },
  {
    name: "pseudocode",
    description: "Your procedure as pseudocode.",
    template: `${AGENTS}{agent}/pseudocode`,
    type: "text/plain",
    named: agentPart("/pseudocode"),
    path: (agent) => `/logic/${agent}/read`,
    text: ({ content }) => words(content),
  },
  {
    name: "diagram",
    description: "Your procedure as a DRAKON diagram (SVG).",
    template: `${AGENTS}{agent}/diagram.svg`,
    type: "image/svg+xml",
    named: agentPart("/diagram.svg"),
    path: (agent) => `/logic/${agent}/read?format=drakon&maxTokens=100000`,
    text: ({ content }) => {
      const main = readProgram(words(content) ?? "").main.diagram;
      return drawDiagram(main, { language: "en" }).svg;
    },
  },
];

/** Notes that the agent may see, page by page, and its own contract and procedure. Each is read by the gateway's routes. */
export function offerResources({ server }: McpServer, call: CallGateway, { agent }: McpGrant): void {
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: resources.map(({ name, description, template, type }) => ({
      name,
      description,
      uriTemplate: template,
      mimeType: type,
    })),
  }));
  server.setRequestHandler("resources/list", async ({ params }) => {
    const after = params?.cursor;
    const answer = await call({ method: "GET", path: "/notes", query: { after, limit: PAGE } });
    if (!answer.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, await answer.text());
    const { notes, next } = (await answer.json()) as { notes: { path: string }[]; next?: string };
    const listed = notes.map(({ path }) => ({ uri: NOTES + encoded(path), name: path, mimeType: "text/markdown" }));
    return {
      resources: after === undefined ? [...(await ownResources(call, agent)), ...listed] : listed,
      ...(next !== undefined && { nextCursor: next }),
    };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await readResource(call, uri);
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: found.type, text: found.text }] };
  });
}

async function readResource(call: CallGateway, uri: string) {
  for (const resource of resources) {
    const named = resource.named(uri);
    if (named === undefined) continue;
    const answer = await call({ method: "GET", path: resource.path(named) });
    const text = answer.ok ? resource.text((await answer.json()) as Record<string, unknown>) : undefined;
    return text === undefined ? undefined : { type: resource.type, text };
  }
  return undefined;
}

/** Resources of the agent itself, without those that it does not have: an agent may have no procedure, or none with a diagram. */
async function ownResources(call: CallGateway, agent: string) {
  const own = resources.filter(({ template }) => template.startsWith(AGENTS));
  const listed = await Promise.all(
    own.map(async ({ name, description, template, type, path }) => {
      const { ok } = await call({ method: "GET", path: path(agent) });
      const uri = template.replace("{agent}", agent);
      return ok ? [{ uri, name: `${agent}: ${name}`, description, mimeType: type }] : [];
    }),
  );
  return listed.flat();
}
