/**
 * `node scripts/web-figures.js [ROUNDS] [pages|waits|edit|list]`: response times and page checks of the web app, in a real browser on
 * the demo garden. Times are printed only, because the machine may be busy; page faults exit with 1. Lists of ten thousand items are
 * faked between gateway and browser; everything else is the real gateway.
 */
import { root, runScript, say, setUp } from "./setup.js";
import { buildWeb, firstPageBytes } from "./web.js";
import { loaded, mainThread, practice } from "./web-checks.js";
import { busy, filled, PAGES } from "./web-garden.js";
import { scrollLists } from "./web-lists.js";

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3];
const ICONS = 300;

await runScript(async () => {
  await setUp();
  const code = await buildWeb();
  if (code !== 0) return code;
  const { webGround } = await import(`${root}/test/web/ground.ts`);
  const ground = await webGround();
  try {
    const at = (path) => new URL(`/app${path}`, ground.url).href;
    const faults = [];
    const parts = {
      pages: async () => faults.push(...(await everyPage(ground, await busy(ground)))),
      waits: async ({ page, context }) => {
        say(`script of the first page, compressed: ${Math.round(firstPageBytes() / 1000)} KB`);
        say(`first page shows what waits: ${median(await repeated(() => firstPage(page, at("/"))))} ms`);
        const opened = await repeated(() => review(context, page, at("/proposals")));
        const [took, work] = ["took", "work"].map((figure) => median(opened.map((each) => each[figure])));
        say(`a review opens: ${took} ms, of the processor ${work} ms`);
      },
      edit: async ({ page, context }) => {
        const work = median(await edited(context, page, at("/agents/librarian/diagram")));
        say(`an edit with ${ICONS} icons takes of the processor ${work} ms, check and pseudocode included`);
      },
      list: (window) => scrollLists(window, at),
    };
    for (const [name, measure] of Object.entries(parts)) {
      if (only !== undefined && only !== name) continue;
      const window = await ground.open();
      await measure(window);
      await window.context.close();
    }
    for (const fault of faults) console.error(fault);
    if (only === undefined || only === "pages") say(`faults of pages: ${faults.length}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await ground.stop();
  }
});

/** Loads each page with an empty cache, and checks it light and wide, dark and narrow. */
async function everyPage(ground, found) {
  const faults = new Set();
  const titles = new Map();
  say("page: KB of script, ms until it can be used, ms of the processor, long tasks in ms, layout shift");
  for (const options of [{ theme: "light" }, { theme: "dark", language: "uk", width: 360, height: 740 }]) {
    const { page: first, context } = await ground.open(options);
    await first.close();
    for (const [name, path] of Object.entries(PAGES)) {
      const { page, figures, faults: told } = await loaded(context, new URL(filled(path, found), ground.url).href);
      const { bytes, interactive, work, long, shift } = figures;
      if (options.theme === "light")
        say(
          `${name}: ${Math.round(bytes / 1000)} KB, ${Math.round(interactive)} ms, ${Math.round(work)} ms, ` +
            `[${long.map((ms) => Math.round(ms)).join(", ")}], ${shift.toFixed(3)}`,
        );
      const title = await page.title();
      const like = titles.get(title);
      if (options.theme === "light" && like !== undefined && path.split("?")[0] !== like.split("?")[0])
        faults.add(`${name}: is called as ${like} is: ${title}`);
      titles.set(title, path);
      if (shift > 0.1) faults.add(`${name}: jumps while it comes (${shift.toFixed(2)})`);
      for (const fault of [...told, ...(await practice(page))]) faults.add(`${name}, ${options.theme}: ${fault}`);
      await page.close();
    }
    await context.close();
  }
  return [...faults];
}

/** CPU time of inserting an action in the middle of a large diagram. */
async function edited(context, page, url) {
  const { shapes } = await import(`${root}/src/drakon/testing/shapes.ts`);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(url);
  await page.getByRole("listbox").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  const text = JSON.stringify({ name: "Large", items: shapes["questions in a row"](ICONS) });
  await page.getByRole("textbox", { name: "Or paste the text" }).fill(text);
  await page.getByRole("button", { name: "Import text" }).click();
  const calm = () =>
    page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 300), { timeout: 2000 })));
  return repeated(async () => {
    await page.locator('[data-place="line a75.one"]').dispatchEvent("click");
    await page.keyboard.press("a");
    await page.getByRole("textbox", { name: "Text" }).fill("look at it");
    await calm();
    const before = await mainThread(cdp);
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "Action: look at it", selected: true }).waitFor();
    await calm();
    const work = (await mainThread(cdp)) - before;
    await page.keyboard.press("Delete");
    await calm();
    return work;
  });
}

/** Leaves out the first round, which warms the caches. */
async function repeated(measure) {
  const measured = [];
  for (let round = 0; round <= rounds; round += 1) measured.push(await measure());
  return measured.slice(1);
}

function median(figures) {
  return Math.round(figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]);
}

/** Time from the navigation until the list on the first page can be used. */
async function firstPage(page, url) {
  await page.goto(url, { waitUntil: "commit" });
  return page
    .waitForFunction(() => document.querySelector(".waiting a") && performance.now(), undefined, { polling: "raf" })
    .then((shown) => shown.jsonValue());
}

/** Time and CPU time from the click on a row until its changes are shown. */
async function review(context, page, url) {
  await page.goto(url);
  await page.locator("[role=listitem] a").first().waitFor();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await mainThread(cdp);
  const took = await page.evaluate(async () => {
    const began = performance.now();
    document.querySelector("[role=listitem] a").click();
    while (!document.querySelector("#would")) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  const work = (await mainThread(cdp)) - before;
  await cdp.detach();
  return { took, work };
}
