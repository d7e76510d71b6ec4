import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { bloomNow } from "../bloom.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";

/** Every addition of Obsidian to Markdown that is shown. */
const OBSIDIAN = `---
tags: [beds]
up: "[[roses]]"
---
# First heading

> [!warning]- Thorns of **old** roses
> They sting.

==marked== %%hidden%% text[^1] with a #tag/sub. ^block

[[#First heading]] and [[tools/spade#Spade|the part]]

![[p.svg|40]]

![[spade]]

[^1]: The note below.

Costs $5 or $6; $a_1 + b_2$ is a sum.

$$
\\sum_i x_i < 3
$$

\`\`\`mermaid
graph TD; A-->B
\`\`\`

- [ ] water
- [x] dig
`;

/** Five megabytes, with one word that occurs once, far down. */
const HUGE = `# Huge\n\nSee [the rule].\n\n${Array.from(
  { length: 20_900 },
  (_, number) =>
    `## Part ${number}\n\n${number === 15_000 ? "The *needle* lies here." : "Words *about* a garden."} ${"And more of them. ".repeat(11)}\n\n`,
).join("")}[the rule]: roses.md\n`;

const NOTES: Readonly<Record<string, string>> = {
  "notes/roses.md":
    "# Roses\n\nSee [[Heap|Warm heap]], [the spade](tools/spade.md) and [nothing](nowhere.md).\n\n`[[code]]`\n",
  "notes/tools/spade.md": "# Spade\n\nDigs.\n",
  "notes/tools/heap.md": "# Warm heap\n\nFor the [roses](../roses.md).\n",
  "notes/obsidian.md": OBSIDIAN,
  "notes/img/p.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script>document.title="broken"</script></svg>',
  "notes/clash.md": "# Clash\n\none\n\ntwo\n\nthree\n",
  "notes/huge.md": HUGE,
  "notes/long.md": `# Long\n\n${"A line of a very long note, one of many.\n".repeat(12_000)}`,
};

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround((dir) => {
    mkdirSync(dir, { recursive: true });
    git(dir, "init", "-q", "-b", "main");
    for (const [path, text] of Object.entries(NOTES)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    if (bloomNow(dir, ["init", "--lang", "en"]).exit !== 0) throw new Error("no garden");
    appendFileSync(
      join(dir, "garden.yaml"),
      "\nauto_approve:\n  - { source: owner, actions: [propose-note, propose-edit], folder: notes/tools }\n",
    );
    git(dir, "add", "-A");
    git(dir, "commit", "-qm", "Rules");
  });
});
afterAll(() => ground.stop());

const open = async (path: string) => {
  const window = await ground.open();
  await window.page.goto(`${ground.url.replace(/\/$/, "")}/app${path}`);
  return window;
};

test("U-1 a note is found by its words, and its links can be followed in both directions", async () => {
  const { page, problems } = await open("/notes");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("warmest heaps");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "heap" }).click();
  await page.getByRole("complementary").locator(".place-title", { hasText: "roses" }).click();
  await page.getByRole("heading", { name: "Roses", exact: true }).waitFor();
  await page.locator(".prose a:not([href])", { hasText: "nothing" }).waitFor();
  const code = await page.locator("code", { hasText: "[[code]]" }).count();
  await page.locator(".prose").getByRole("link", { name: "Warm heap" }).click();
  await page.getByRole("heading", { name: "Warm heap", exact: true }).waitFor();
  const at = new URL(page.url()).pathname;
  await page.context().close();
  expect({ code, at, problems }).toEqual({ code: 1, at: "/app/notes/notes/tools/heap.md", problems: [] });
});

test("P-9 U-1 a saved note is a commit at once if a rule of the owner approves it", async () => {
  const { page, problems } = await open("/notes?folder=notes/tools");
  await page.getByRole("link", { name: "New note" }).click();
  await page.getByLabel("Title").fill("Garden fork");
  await page.getByLabel(/^Text/).fill("Four *strong* tines.");
  await page.getByRole("region", { name: "Preview" }).getByText("strong").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Garden fork", exact: true }).waitFor();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const field = page.getByLabel(/^Text/);
  await field.fill(`${await field.inputValue()}\nAnd a handle.`);
  await page.keyboard.press("Control+s");
  await page.getByRole("region", { name: "Submitted proposal" }).getByText("applied", { exact: true }).waitFor();
  await page.getByText("And a handle.").waitFor();
  await page.getByRole("link", { name: "Why line 3?" }).click();
  await page.getByRole("region", { name: "Why this line" }).getByText("Entered the garden").waitFor();
  await page.context().close();
  expect({
    note: git(ground.dir, "show", "main:notes/tools/garden-fork.md"),
    commits: git(
      ground.dir,
      "log",
      "-2",
      "--grep=^Proposal:",
      "--format=%(trailers:key=Proposal,valueonly)",
      "main",
    ).match(/^prop_/gm)?.length,
    problems,
  }).toEqual({ note: "# Garden fork\n\nFour *strong* tines.\nAnd a handle.", commits: 2, problems: [] });
});

test("P-10 U-1 a change that no rule approves is pending and can be approved on the page, and a conflict is shown", async () => {
  const { page, context, problems } = await open("/notes/notes/clash.md?view=edit");
  const field = page.getByLabel(/^Text/);
  await field.fill("# Clash\n\none\n\ntwo\n\nmine\n");
  writeFileSync(join(ground.dir, "notes/clash.md"), "# Clash\n\nOne\n\ntwo\n\nthree\n");
  git(ground.dir, "commit", "-qam", "By hand");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Approve now" }).click();
  await page.getByRole("status").getByText("applied", { exact: true }).waitFor();
  const merged = git(ground.dir, "show", "main:notes/clash.md");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await field.fill("# Clash\n\nOne\n\ntwo\n\nyours\n");
  writeFileSync(join(ground.dir, "notes/clash.md"), "# Clash\n\nOne\n\ntwo\n\nhers\n");
  git(ground.dir, "commit", "-qam", "By hand again");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Insert both versions" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  const both = await field.inputValue();
  await context.close();
  expect({ merged, both, problems: problems.filter((problem) => !problem.includes("status of 409")) }).toEqual({
    merged: "# Clash\n\nOne\n\ntwo\n\nmine",
    both: "# Clash\n\nOne\n\ntwo\n\nhers\nyours\n",
    problems: [],
  });
});

test("U-1 a draft survives a closed page, also in a note of half a megabyte", async () => {
  const { page, context, problems } = await open("/notes/notes/long.md?view=edit");
  const field = page.getByLabel(/^Text/);
  await field.waitFor();
  await field.evaluate((area: HTMLTextAreaElement) => {
    area.focus();
    area.setSelectionRange(6, 6);
  });
  await page.keyboard.insertText(" and dear");
  await page.goto(`${ground.url.replace(/\/$/, "")}/app/why`);
  const again = await context.newPage();
  await again.goto(`${ground.url.replace(/\/$/, "")}/app/notes/notes/long.md?view=edit`);
  await again.getByText("This is your unsaved draft").waitFor();
  const kept = (await again.getByLabel(/^Text/).inputValue()).slice(0, 16);
  await again.getByRole("button", { name: "Discard changes" }).click();
  await again.getByText("A line of a very long note").first().waitFor();
  await context.close();
  expect({ kept, problems }).toEqual({ kept: "# Long and dear\n", problems: [] });
});

test("U-1 a note of five megabytes is rendered in parts during scrolling, and all of it is searchable", async () => {
  const { page, context, problems } = await open("/notes/notes/huge.md");
  const prose = page.locator(".prose");
  // Its address stands at the other end of the note.
  await prose.locator("a[href='/app/notes/notes/roses.md']", { hasText: "the rule" }).waitFor();
  const shown = () => prose.locator(".part:not(.raw)").count();
  const atFirst = await shown();
  const parts = await prose.locator(".part").count();
  const words = await prose.evaluate((all) => all.textContent?.includes("needle"));
  await prose.locator(".part").last().scrollIntoViewIfNeeded();
  await prose.getByRole("heading", { name: "Part 20899" }).waitFor();
  const atLast = await shown();
  await page.goto(`${ground.url.replace(/\/$/, "")}/app/notes/notes/huge.md?line=60007`);
  const meant = await page.locator(".meant").textContent();
  await context.close();
  expect({
    isHuge: Buffer.byteLength(HUGE) > 4_900_000,
    showsFewAtFirst: atFirst < 4,
    showsFewAtLast: atLast < 12,
    hasManyParts: parts > 100,
    words,
    meant,
    problems,
  }).toEqual({
    isHuge: true,
    showsFewAtFirst: true,
    showsFewAtLast: true,
    hasManyParts: true,
    words: true,
    meant: expect.stringContaining("The needle lies here."),
    problems: [],
  });
});

test("U-1 typing into a note of five megabytes changes only the field, and saving changes only the typed text", async () => {
  const { page, context, problems } = await open("/notes/notes/huge.md?view=edit");
  await context.addInitScript(() => {
    const kept = localStorage.setItem.bind(localStorage);
    const counted = globalThis as unknown as { drafts: number };
    counted.drafts = 0;
    Storage.prototype.setItem = (key: string, value: string) => {
      if (key.includes("draft")) counted.drafts++;
      kept(key, value);
    };
  });
  await page.reload();
  await page.getByRole("searchbox", { name: /^Find text/ }).fill("needle");
  await page.keyboard.press("Enter");
  await page.getByText(/^Part \d+ of \d+: lines/).waitFor();
  const field = page.getByLabel(/^Text/);
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("needle"));
  const typed = await field.evaluate((area: HTMLTextAreaElement) => {
    const counted = globalThis as unknown as { drafts: number };
    area.focus();
    const preview = document.querySelector(".preview")!;
    let changes = 0;
    new MutationObserver((all) => (changes += all.length)).observe(document.body, { subtree: true, childList: true });
    const before = preview.innerHTML;
    for (let key = 0; key < 50; key++) document.execCommand("insertText", false, "x");
    return { length: area.value.length < 120_000, drafts: counted.drafts, same: preview.innerHTML === before, changes };
  });
  await page.waitForFunction(() => (globalThis as unknown as { drafts: number }).drafts === 1);
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Approve now" }).click();
  await page.getByRole("status").getByText("applied", { exact: true }).waitFor();
  await context.close();
  const saved = readFileSync(join(ground.dir, "notes/huge.md"), "utf8");
  expect({ typed, isSaved: saved === HUGE.replace("needle", "x".repeat(50)), problems }).toEqual({
    typed: { length: true, drafts: 0, same: true, changes: 0 },
    isSaved: true,
    problems: [],
  });
});

test("U-1a a question to the notes asked by keyboard gets citations that link to their lines, or the answer that the notes do not say it", async () => {
  const { page, context, problems } = await open("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  const field = page.getByRole("textbox", { name: /^Ask the notes/ });
  await field.waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("What does the spade do: does it dig?");
  await page.keyboard.press("Enter");
  const talk = page.getByRole("list", { name: "Conversation" });
  await talk.getByRole("list", { name: "Sources" }).getByText("Digs.").waitFor();
  await field.fill("What does a ticket to Mars cost?");
  await field.press("Enter");
  await talk.getByText("The notes do not say").waitFor();
  const empty = await field.inputValue();
  await page.reload();
  await talk.getByText("The notes do not say").waitFor();
  await talk.getByRole("link", { name: "spade, line 3", exact: true }).click();
  await page.locator(".meant", { hasText: "Digs." }).waitFor();
  await page.getByRole("link", { name: "Ask about this note" }).click();
  await field.fill("What about a heap?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await talk.getByText("The notes do not say").nth(1).waitFor();
  const other = await context.newPage();
  await other.goto(`${ground.url.replace(/\/$/, "")}/app/ask`);
  await other.getByText("Ask in your own words").waitFor();
  const faults = await complaints(page);
  await context.close();
  expect({ empty, faults, problems }).toEqual({ empty: "", faults: [], problems: [] });
});

test("U-1c a note is shown as Obsidian shows it: properties, callouts, marks, embeds, parts, footnotes, formulas, diagrams", async () => {
  const { page, context, problems } = await open("/notes/notes/obsidian.md");
  const prose = page.locator(".prose");
  await prose.locator(".embedded").getByText("Digs.").waitFor();
  await prose.locator(".katex").nth(1).waitFor();
  const drawing = prose.locator(".drawing img");
  await drawing.waitFor();
  const picture = prose.locator("img[src^='/files']");
  await picture.scrollIntoViewIfNeeded();
  const found = {
    title: await page.getByRole("heading", { level: 1 }).first().textContent(),
    facts: await page.locator("dl.properties").textContent(),
    callout: await prose.locator("details.callout-warning summary").textContent(),
    mark: await prose.locator("mark").textContent(),
    isHidden: (await prose.textContent())!.includes("hidden"),
    mentions: await prose.locator("sup").allTextContents(),
    footnotes: await prose.getByRole("region", { name: "Footnotes" }).locator("li").allInnerTexts(),
    links: await prose.locator("p > a").evaluateAll((all) => all.map((each) => each.getAttribute("href"))),
    picture: [await picture.getAttribute("src"), await picture.getAttribute("width")],
    isDrawn: await drawing.evaluate(
      (image: HTMLImageElement) => image.naturalWidth > 50 && image.alt.includes("A-->B"),
    ),
    broken: (await page.title()).includes("broken"),
    tasks: await prose.locator("li.has-task").allInnerTexts(),
  };
  await prose.getByRole("link", { name: "1", exact: true }).click();
  await page.waitForFunction(() => document.activeElement?.id === "footnote-1");
  const faults = await complaints(page);
  await context.close();
  expect({ ...found, faults, problems }).toEqual({
    title: "obsidian",
    facts: "tagsbedstag/subuproses",
    callout: "Thorns of old roses",
    mark: "marked",
    isHidden: false,
    mentions: ["1"],
    footnotes: ["The note below. ↩"],
    links: [
      "/app/notes?tag=tag%2Fsub",
      "/app/notes/notes/obsidian.md?line=5",
      "/app/notes/notes/tools/spade.md?line=1",
    ],
    picture: ["/files/notes/img/p.svg", "40"],
    isDrawn: true,
    broken: false,
    tasks: ["☐ water", "☑ dig"],
    faults: [],
    problems: [],
  });
});
