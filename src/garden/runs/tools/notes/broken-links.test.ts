import { expect, test } from "vitest";
import type { Json } from "../../../../base/canonical.ts";
import { readContract } from "../../../../domain/contract/contract.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import { gardenWith } from "../../../testing/scratch.ts";
import type { ToolContext } from "../tool.ts";
import { brokenLinksTool } from "./broken-links.ts";

const FRONT = (context: string): string => `---
name: Gardener
slug: gardener
version: 1.0.0
description: Mends links
model: bloom/follower
tools: [broken-links, create-proposal]
safe_outputs: [propose-edit]
${context}created_at: 2026-02-01T10:00:00Z
updated_at: 2026-02-01T10:00:00Z
created_by: owner
status: active
---
Mend.
`;

type Found = {
  slug: string;
  content: string | null;
  mended: Json[];
  unclear: { target: string; options: string[] }[];
}[];

async function foundIn(notes: Record<string, string>, context = "", input: Json = {}): Promise<Found> {
  const { garden } = await gardenWith(notes);
  const reading = readContract(Buffer.from(FRONT(context)));
  if (reading.kind !== "contract") throw new Error(JSON.stringify(reading.problems));
  const tool = brokenLinksTool({
    garden,
    contract: reading.contract,
    commit: (await garden.repo.resolve(MAIN_REF))!,
    language: "en",
  } as unknown as ToolContext);
  const call = { key: "1", signal: new AbortController().signal, proposed: () => undefined };
  return (await tool.call(input, call)) as unknown as Found;
}

test.each<[string, string, string | null, string[]]>([
  ["a link to a moved note", "[b](old/roses.md)", "[b](garden/roses.md)", []],
  ["a misspelled name", "[b](garden/rose.md#x)", "[b](garden/roses.md#x)", []],
  ["a link text that is a title", "[Roses](gone.md)", "[Roses](garden/roses.md)", []],
  ["a wiki link to a missing note", "[[tulips]]", null, ["tulips"]],
  ["a link that matches two notes", "[b](same.md)", null, ["same.md"]],
  ["a link out of the garden", "[b](../../../etc/passwd)", null, ["../../../etc/passwd"]],
])("R-3 broken-links corrects or reports %s", async (_, text, content, unclear) => {
  const found = await foundIn({
    "notes/a.md": `# A\n\n${text}\n`,
    "notes/garden/roses.md": "# Roses\n",
    "notes/x/same.md": "# X\n",
    "notes/y/same.md": "# Y\n",
  });
  expect({
    count: found.length,
    content: found[0]?.content,
    unclear: found[0]?.unclear.map(({ target }) => target),
  }).toEqual({ count: 1, content: content === null ? null : `# A\n\n${content}\n`, unclear });
});

test("R-3 working links are not reported: files, folders, pictures, names, titles", async () => {
  const text = "[a](b.md) [b](b) [c](../notes) ![d](d.png) [[b]] [[The second]] [e](https://x.org) `[f](no.md)`\n";
  expect(await foundIn({ "notes/a.md": text, "notes/b.md": "# The second\n", "notes/d.png": "x" })).toEqual([]);
});

test("C-11 broken-links reports notes in context.folder only, and suggests no target elsewhere", async () => {
  const notes = {
    "notes/in/a.md": "[b](roses.md) [c](../out/b.md)\n",
    "notes/out/b.md": "[b](gone.md)\n",
    "notes/out/roses.md": "# R\n",
  };
  const found = await foundIn(notes, "context: { folder: in }\n");
  expect(found.map(({ slug, content, unclear }) => [slug, content, unclear.map(({ target }) => target)])).toEqual([
    ["in/a", null, ["roses.md"]],
  ]);
});
