/**
 * `node scripts/web-figures.js [ROUNDS]`: what a person waits for in the web app, in a real browser on the demo garden. Printed, never
 * judged: the machine may be busy with something else. The ten thousand proposals of the list are made up on the way to the browser,
 * as it is the list that is measured; everything else is the real gateway.
 */
import { root, runScript, say, setUp } from "./setup.js";
import { buildWeb, firstPageBytes } from "./web.js";

const rounds = Number(process.argv[2] ?? 7);
const MANY = 10_000;

await runScript(async () => {
  await setUp();
  const code = await buildWeb();
  if (code !== 0) return code;
  const { webGround } = await import(`${root}/test/web/ground.ts`);
  const ground = await webGround();
  try {
    const at = (path) => new URL(`/app${path}`, ground.url).href;
    const { page, context } = await ground.open();
    say(`script of the first page, compressed: ${Math.round(firstPageBytes() / 1000)} KB`);
    say(`first page shows what waits: ${median(await repeated(() => firstPage(page, at("/"))))} ms`);
    say(`a review opens: ${median(await repeated(() => review(page, at("/proposals"))))} ms`);
    await context.route(/\/proposals\/pending/, (route) =>
      route.fulfill({ json: pageOf(new URL(route.request().url())) }),
    );
    await page.goto(at("/proposals"));
    for (const [way, frames] of Object.entries(await scrolled(page))) {
      const slow = frames.filter((ms) => ms > 50).length;
      say(`${MANY} proposals scroll ${way}: ${frames.length} frames, median ${median(frames)} ms, over 50 ms: ${slow}`);
    }
  } finally {
    await ground.stop();
  }
  return 0;
});

/** The first time is not counted: it warms the caches. */
async function repeated(measure) {
  const measured = [];
  for (let round = 0; round <= rounds; round += 1) measured.push(await measure());
  return measured.slice(1);
}

function median(figures) {
  return Math.round(figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]);
}

/** From the beginning of the navigation until the list of what waits can be used. */
async function firstPage(page, url) {
  await page.goto(url, { waitUntil: "commit" });
  return page
    .waitForFunction(() => document.querySelector(".waiting a") && performance.now(), undefined, { polling: "raf" })
    .then((shown) => shown.jsonValue());
}

/** From the click on a row until what would change is on the page. */
async function review(page, url) {
  await page.goto(url);
  await page.locator("[role=listitem] a").first().waitFor();
  return page.evaluate(async () => {
    const began = performance.now();
    document.querySelector("[role=listitem] a").click();
    while (!document.querySelector("#would")) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
}

/** Down to the end, pages being read on the way, and back up when all are there: a screen per frame, and how long each took. */
async function scrolled(page) {
  await page.locator("[role=listitem] a").first().waitFor();
  return page.evaluate(async (many) => {
    const rows = document.querySelector(".rows");
    const known = () => Number(document.querySelector("[role=listitem]")?.getAttribute("aria-setsize"));
    const go = async (step, isOver) => {
      const took = [];
      for (let before = performance.now(); !isOver() && took.length < 3000; ) {
        rows.scrollTop += step;
        await new Promise(requestAnimationFrame);
        took.push(performance.now() - before);
        before = performance.now();
      }
      return took;
    };
    const down = await go(600, () => known() >= many && rows.scrollTop + rows.clientHeight >= rows.scrollHeight - 1);
    return { down, up: await go(-600, () => rows.scrollTop === 0) };
  }, MANY);
}

function pageOf(url) {
  const from = Number(url.searchParams.get("after") ?? 0);
  const until = Math.min(from + Number(url.searchParams.get("limit") ?? 100), MANY);
  const proposals = Array.from({ length: until - from }, (_, index) => ({
    id: `prop_2026-01-01_000000_${String(from + index).padStart(6, "0")}`,
    status: "pending",
    action: "propose-edit",
    target: `notes/plants/plant-${from + index}.md`,
    summary: `Change number ${from + index}: water it in the evening`,
    source: { type: "agent", identity: "gardener", authenticated: true, timestamp: "2026-01-01T00:00:00.000Z" },
    priority: "normal",
    digest: "0".repeat(40),
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: "2027-01-01T00:00:00.000Z",
  }));
  return { proposals, ...(until < MANY && { next: String(until) }) };
}
