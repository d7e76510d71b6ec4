/** Measures scrolling through lists of ten thousand items: cost per frame, and requests. */
import { root, say } from "./setup.js";

const MANY = 10_000;

/** Faked between gateway and browser, because only the lists are measured. */
export async function scrollLists({ page, context }, at) {
  const { manyProposals, manyRuns } = await import(`${root}/test/web/made-up.ts`);
  for (const [name, many] of Object.entries({ proposals: manyProposals, runs: manyRuns })) {
    const made = await many(context, MANY);
    await page.goto(at(`/${name}`));
    for (const { way, frames, rows, ...cost } of await scrolled(page)) {
      const each = Object.entries(cost).map(([part, ms]) => `${part} ${(ms / frames).toFixed(1)} ms`);
      say(
        `${MANY} ${name} scroll ${way}: ${frames} frames, each of the processor ${each.join(", ")}; rows at once: ${rows}`,
      );
    }
    say(`requests for pages of ${name}: ${made.asked()}`);
  }
}

/** Scrolls down to the end while pages are read, then up again, one screen per frame. */
async function scrolled(page) {
  await page.locator(".rows [role=listitem] a").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const parts = {
      script: "ScriptDuration",
      style: "RecalcStyleDuration",
      layout: "LayoutDuration",
      all: "TaskDuration",
    };
    const valueOf = (wanted) => metrics.find(({ name }) => name === wanted).value * 1000;
    return Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, valueOf(name)]));
  };
  const ways = [];
  for (const way of ["down", "up"]) {
    const before = await spent();
    const { frames, rows } = await page.evaluate(screenByScreen, { way, many: MANY });
    const after = await spent();
    const cost = Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - before[part]]));
    ways.push({ way, frames, rows, ...cost });
  }
  await session.detach();
  return ways;
}

/** In the page. */
async function screenByScreen({ way, many }) {
  const list = document.querySelector(".rows");
  const shown = () => list.querySelectorAll("[role=listitem]");
  const isOver = () =>
    way === "up" ? list.scrollTop === 0 : [...shown()].some((row) => row.ariaPosInSet === String(many));
  let [frames, rows] = [0, 0];
  while (!isOver() && frames < 10_000) {
    list.scrollTop += way === "up" ? -600 : 600;
    await new Promise(requestAnimationFrame);
    frames += 1;
    rows = Math.max(rows, shown().length);
  }
  return { frames, rows };
}
