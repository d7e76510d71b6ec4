import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { plantSessions } from "./planted-sessions.ts";
import { appPath, isArmed, PAGES } from "./walk.ts";

/** Tests of every page: for screen readers and both themes, in both languages, on a phone, and with the keyboard alone. */
let ground: WebGround;
let pages: readonly string[];
beforeAll(async () => {
  ground = await webGround();
  const { context } = await ground.open();
  const asked = async (path: string): Promise<Record<string, Record<string, string>[]>> =>
    (await (await context.request.get(new URL(path, ground.url).href)).json()) as never;
  ground.bloom("run", "gardener", "--wait");
  await plantSessions(ground.dir);
  const { runs } = await asked("/runs");
  const { proposals } = await asked("/proposals/pending");
  pages = [
    ...PAGES,
    "/audit",
    "/sessions/archivist-7f3k2m",
    "/sessions/labels?view=changes",
    "/notes?tag=",
    "/notes?graph=",
    `/runs/${runs![0]!["run_id"]}`,
    `/proposals/${proposals![0]!["id"]}`,
    `/why?subject=${proposals![0]!["id"]}`,
  ];
  await context.close();
});
afterAll(() => ground.stop());

/** Opens a page and waits until its data is loaded. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(appPath(ground, path));
  await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("load");
  await page.waitForFunction(() => !/Loading …|Читаю …/.test(document.body.innerText));
}

/** By how many points the page or a part of its header is wider than the window. */
const tooWide = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const around = [...document.querySelectorAll(".shell > :is(header, nav) *")].map(
      (part) => part.getBoundingClientRect().right,
    );
    return Math.ceil(Math.max(document.scrollingElement!.scrollWidth, ...around) - innerWidth);
  });

test.for([
  ["light", 1280, 2560],
  ["dark", 360, 768],
  ["dark", 1440, 1181],
] as const)(
  "U-1 axe finds no problem on any page, and no page is wider than the window (%s, %i and %i points)",
  async (of) => {
    const [theme, ...widths] = of;
    const { page, context, problems } = await ground.open({ theme, width: widths[0], guide: true });
    const found: string[] = [];
    for (const path of pages) {
      await visit(page, path);
      found.push(...(await complaints(page)).map((complaint) => `${path} ${complaint}`));
      for (const width of widths.toReversed()) {
        await page.setViewportSize({ width, height: 900 });
        const over = await tooWide(page);
        if (over > 0) found.push(`${path}: ${over} too wide for ${width}`);
      }
    }
    await context.close();
    expect({ found, problems }).toEqual({ found: [], problems: [] });
  },
);

test.for(["light", "dark"] as const)(
  "U-1 axe finds no problem outside the app: sign-in and a failure (%s)",
  async (theme) => {
    const { page, context } = await ground.open({ theme });
    await context.clearCookies();
    const found: string[] = [];
    for (const path of ["/", "/?lang=uk", "/no-such-page"]) {
      await page.goto(new URL(path, ground.url).href);
      await page.getByRole("heading", { level: 1 }).waitFor();
      found.push(...(await complaints(page)).map((complaint) => `${path} ${complaint}`));
    }
    await page.goto(new URL("/", ground.url).href);
    const link = (JSON.parse(ground.bloom("token", "link", "--json").out) as { link: string }).link;
    await page.getByRole("textbox", { name: "Paste a sign-in link" }).fill(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/app\//);
    await context.close();
    expect(found).toEqual([]);
  },
);

/** Words of the page itself: headings, field names, buttons and columns, without texts of people and agents. */
const ownWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const own = "h1, h2, h3, button, label > span, th, legend, nav a, .tag, .quiet, [aria-label], [title]";
    const theirs =
      "code, kbd, time, [lang=''], .said, select, svg, .prose, .rows a, .long-rows a, pre, strong, .garden, .person";
    return [...document.querySelectorAll<HTMLElement>(own)].flatMap((element) => {
      if (element.closest(theirs)) return [];
      const copy = element.cloneNode(true) as HTMLElement;
      for (const each of copy.querySelectorAll(`${theirs}, a`)) each.remove();
      return [copy.textContent, element.ariaLabel ?? ""].map((text) => text.trim()).filter((text) => text !== "");
    });
  });

/** Names, formats, commands, paths, tools and the texts of the demo garden are the same in every language. */
const NAMES =
  /\b(?:[\w-]+\/[\w/-]+\.md|[a-z]+-[a-z]+\(\)|CSV|Garden Bloom|git|DRAKON|Markdown|JSON|SVG|PNG|YAML|Ctrl|Esc|English|owner|gardener|archivist|librarian|optimizer|test-echo|garden|compost(?:\.md)?|Tag the inventory .*|Keep four .*|bloom\/follower|bloom|local)(?![a-z])/gi;

test("U-1 the Ukrainian pages have no English word, and the language is kept", async () => {
  const english = await ground.open();
  const said = new Set<string>();
  for (const path of pages) {
    await visit(english.page, path);
    for (const words of await ownWords(english.page))
      if (/[A-Za-z]{3}/.test(words.replaceAll(NAMES, ""))) said.add(words);
  }
  await english.page.getByRole("button", { name: "Your menu" }).click();
  await english.page.getByRole("radio", { name: "Українська" }).check();
  await english.page.reload();
  const left: string[] = [];
  for (const path of pages) {
    await visit(english.page, path);
    for (const words of await ownWords(english.page)) if (said.has(words)) left.push(`${path}: ${words}`);
  }
  const language = await english.page.evaluate(() => document.documentElement.lang);
  await english.context.close();
  expect({ language, left, problems: english.problems }).toEqual({ language: "uk", left: [], problems: [] });
});

test("U-1 the guide leads from a run to its commit, with the keyboard alone", async () => {
  const { page, context, problems } = await ground.open({ guide: true });
  const guide = page.getByRole("complementary", { name: "First steps" });
  const at = (step: string) => guide.locator("[aria-current=step]", { hasText: step }).waitFor();
  const press = async (name: string): Promise<void> => {
    await page.getByRole(name === "Go there" ? "link" : "button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await at("Watch it");
  await press("Go there");
  await at("Decide");
  await press("Go there");
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await isArmed(page);
  await page.keyboard.press("a");
  await at("See the commit");
  await press("Go there");
  await guide.getByText("agents propose, you decide").waitFor();
  await press("Done");
  await guide.waitFor({ state: "hidden" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Approve", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await press("Show the guide again");
  await guide.waitFor();
  await context.close();
  expect({
    hasRunCommit: git(ground.dir, "log", "-1", "--format=%(trailers:key=Run-Id,valueonly)%an", "main") !== "",
    problems,
  }).toEqual({ hasRunCommit: true, problems: [] });
});
