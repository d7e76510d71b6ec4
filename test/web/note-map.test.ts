import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bloomNow } from "../bloom.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

/** Ways from note to note: tags, the graph, mentions without a link, and names that are completed while one writes. */
const NOTES: Readonly<Record<string, string>> = {
  "notes/lime-tree.md":
    "---\ntags: [trees, history]\n---\n# The old lime tree\n\nIt stands at the gate. See [[bee-yard]].\n",
  "notes/bee-yard.md": "---\ntags: [bees]\n---\n# Bee yard\n\nThe bees like the lime-tree in June.\n",
  "notes/pear.md": "---\ntags: [trees/fruit]\n---\n# Pear\n\nBehind the [[bee-yard]].\n",
  "notes/alone.md": "# Alone\n\nNobody links here.\n",
};

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround((dir) => {
    for (const [path, text] of Object.entries(NOTES)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    if (bloomNow(dir, ["init", "--lang", "en"]).exit !== 0) throw new Error("no garden");
  });
});
afterAll(() => ground.stop());

test("U-1c the page of tags counts notes with the tags below, filters, and leads to the notes of a tag", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/notes?tag="));
  const tags = page.getByRole("region", { name: "Tags" });
  await tags.getByText("4 tags").waitFor();
  const rows = (await tags.locator(".tag-row").allInnerTexts()).map((row) => row.replaceAll(/\s+/g, " "));
  const faults = await complaints(page);
  await tags.getByRole("searchbox").fill("fru");
  const filtered = await tags.locator(".tag-row").count();
  await tags.getByRole("searchbox").fill("");
  await tags.locator('.tag-row[href$="tag=trees"]').click();
  await page.getByRole("region", { name: "#trees" }).getByRole("link", { name: "pear" }).click();
  await page.getByRole("heading", { name: "Pear", exact: true }).waitFor();
  await context.close();
  expect({ rows, filtered, faults, problems }).toEqual({
    rows: ["#bees 1 note", "#history 1 note", "#trees 2 notes", "#trees/fruit 1 note"],
    filtered: 1,
    faults: [],
    problems: [],
  });
});

test("U-1c the graph shows notes and links as a picture and as a list, and opens the graph around a note", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/notes?graph="));
  const list = page.getByRole("complementary", { name: "Notes of the graph" });
  await page.getByLabel("Graph of 4 notes and 2 links").waitFor();
  const faults = await complaints(page);
  await list.getByRole("searchbox").fill("bee");
  await list.getByRole("button", { name: /bee-yard/ }).click();
  await list.getByText("Linked with 2 notes").waitFor();
  await list.getByRole("link", { name: "Graph around it" }).click();
  await page.getByLabel("Graph of 3 notes and 2 links").waitFor();
  await page.getByLabel("Graph of 3 notes and 2 links").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/notes\/notes\/bee-yard\.md/);
  await context.close();
  expect({ faults, problems }).toEqual({ faults: [], problems: [] });
});

test("U-1c a mention without a link is shown beside the note, and its button proposes the link", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  await page.goto(appPath(ground, "/notes/notes/lime-tree.md"));
  const mentions = page.getByRole("region", { name: /^Mentions without a link/ });
  await mentions.getByText("The bees like the lime-tree in June.").waitFor();
  await mentions.getByRole("button", { name: /bee-yard/ }).click();
  await mentions.getByRole("link", { name: "Proposed" }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  const added = page.locator("ins", { hasText: "[[" }).first();
  await added.waitFor();
  await context.close();
  expect(problems).toEqual([]);
});

test("U-1c `[[` and `#` complete names of notes and tags in the editor by keyboard, and one undo takes it back", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/notes/notes/alone.md?view=edit"));
  const field = page.getByLabel(/^Text/);
  await field.waitFor();
  await field.evaluate((area: HTMLTextAreaElement) => {
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  });
  await page.keyboard.type("See [[bee");
  await page.getByRole("listbox", { name: "Notes to link" }).getByRole("option", { name: "bee-yard" }).waitFor();
  await page.keyboard.press("Enter");
  const linked = await field.inputValue();
  await page.keyboard.type(" and #tre");
  await page.getByRole("listbox", { name: "Tags" }).getByRole("option", { name: "trees/fruit" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  const tagged = await field.inputValue();
  await page.keyboard.press("Control+z");
  const undone = await field.inputValue();
  await context.close();
  const text = NOTES["notes/alone.md"]!;
  expect({ linked, tagged, undone, problems }).toEqual({
    linked: `${text}See [[bee-yard]]`,
    tagged: `${text}See [[bee-yard]] and #trees/fruit`,
    undone: `${text}See [[bee-yard]] and #tre`,
    problems: [],
  });
});
