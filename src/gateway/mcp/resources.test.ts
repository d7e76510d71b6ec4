import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { files, git } from "../../garden/testing/scratch.ts";
import { testGateway } from "../testing/test-gateway.ts";
import { called, connected, outside } from "./testing/mcp-client.ts";

const textOf = async (client: Client, uri: string): Promise<string> => {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { readonly text: string }).text;
};

/** A program that the owner connected, with its own procedure and the notes of one folder. */
async function claude() {
  const gateway = await testGateway();
  const made = await gateway.ask("token", "POST", "/tokens/agent", {
    body: { agent: "claude", folder: "notes/porch" },
  });
  return { ...gateway, client: await connected(gateway, ((await made.json()) as { token: string }).token) };
}

describe("resources over MCP (A-5)", () => {
  test("A-5 a program reads its notes, its contract, its procedure as text and as a picture", async () => {
    const { client } = await claude();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect({
      listed: resources.map(({ uri, mimeType }) => [uri, mimeType]),
      templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      note: await textOf(client, "garden://notes/notes/porch/b.md"),
      contract: (JSON.parse(await textOf(client, "garden://agents/claude")) as { contract: { slug: string } }).contract
        .slug,
      procedure: (await textOf(client, "garden://agents/claude/pseudocode")).includes("ask-human(question)"),
      picture: (await textOf(client, "garden://agents/claude/diagram.svg")).startsWith("<svg"),
    }).toEqual({
      listed: [
        ["garden://agents/claude", "application/json"],
        ["garden://agents/claude/pseudocode", "text/plain"],
        ["garden://agents/claude/diagram.svg", "image/svg+xml"],
        ["garden://notes/notes/porch/b.md", "text/markdown"],
      ],
      templates: [
        "garden://notes/{+path}",
        "garden://agents/{agent}",
        "garden://agents/{agent}/pseudocode",
        "garden://agents/{agent}/diagram.svg",
      ],
      note: "# B\n\nOn the porch.\n",
      contract: "claude",
      procedure: true,
      picture: true,
    });
  });

  test("A-5 a list of many notes comes page by page, each note once", async () => {
    const { client, dir } = await outside();
    files(
      dir,
      Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`notes/many/${index}.md`, `# ${index}\n`])),
    );
    git(dir, "add", "notes");
    git(dir, "commit", "-qm", "Many");
    const pages: string[][] = [];
    let cursor: string | undefined = "notes/";
    while (cursor !== undefined) {
      const page: { resources: { uri: string }[]; nextCursor?: string | undefined } = await client.listResources({
        cursor,
      });
      pages.push(page.resources.map(({ uri }) => uri).filter((uri) => uri.includes("/many/")));
      cursor = page.nextCursor;
    }
    // Without a cursor, the library of the client reads every page.
    const { resources } = await client.listResources();
    const all = pages.flat();
    expect({
      pages: pages.length,
      notes: all.length,
      different: new Set(all).size,
      atOnce: resources.filter(({ uri }) => uri.includes("/many/")).length,
    }).toEqual({ pages: 3, notes: 230, different: 230, atOnce: 230 });
  });

  test.each([
    ["a note outside of its folder", "garden://notes/notes/a.md"],
    ["a note that is not there", "garden://notes/notes/porch/none.md"],
    ["a path that leads out", "garden://notes/../settings"],
    ["a path that leads out, encoded", "garden://notes/%2e%2e%2fsettings"],
    ["a broken escape", "garden://notes/%zz"],
    ["another agent", "garden://agents/archivist"],
    ["the procedure of another agent", "garden://agents/archivist/pseudocode"],
    ["an agent that is an address", "garden://agents/../tokens"],
    ["another scheme", "file:///etc/passwd"],
  ])("A-5 %s is not found", async (_, uri) => {
    const { client } = await claude();
    await expect(textOf(client, uri)).rejects.toMatchObject({ data: { uri } });
  });
});

describe("prompts over MCP (A-5)", () => {
  test("A-5 a proposal to review comes with its change, and a task with the words of the pseudocode", async () => {
    const { client } = await outside();
    const edit = { path: "notes/a.md", text: "# A\n\nMore roses.\n" };
    const made = JSON.parse((await called(client, "propose-edit", edit)).text) as { proposal_id: string };
    const { prompts } = await client.listPrompts();
    const asked = async (name: string, input: Record<string, string>): Promise<string> =>
      JSON.stringify((await client.getPrompt({ name, arguments: input })).messages);
    expect({
      names: prompts.map(({ name }) => name),
      review: (await asked("review-proposal", { proposal: made.proposal_id })).includes("More roses."),
      draft: (await asked("draft-diagram", { task: "Water the roses" })).includes("The task: Water the roses"),
    }).toEqual({ names: ["review-proposal", "draft-diagram"], review: true, draft: true });
  });

  test.each([
    ["a proposal that is not there", "review-proposal", { proposal: "prop_2026-01-01_000000_aaaaaa" }],
    ["a proposal that is an address", "review-proposal", { proposal: "../tokens" }],
    ["a task without words", "draft-diagram", { task: "" }],
  ])("A-5 %s is refused", async (_, name, input) => {
    const { client } = await outside();
    await expect(client.getPrompt({ name, arguments: input })).rejects.toMatchObject({ code: -32602 });
  });
});
