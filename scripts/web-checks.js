/** Measures and checks a page in a browser: size, time to interactive, CPU time, layout shift, accessibility. Faults are sentences. */
import axe from "axe-core";

/** Minimum size of a touch target (WCAG 2.2, 2.5.8). */
const FINGER = 24;

/** Opens a page with an empty cache. */
export async function loaded(context, url) {
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.protocol.startsWith("http") && to.host !== new URL(url).host) faults.push(`another host: ${to.host}`);
  });
  await page.addInitScript(watchFrames);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const scripts = new Map();
  cdp.on("Network.responseReceived", ({ requestId, type }) => type === "Script" && scripts.set(requestId, 0));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength);
  });
  const answer = await page.goto(url);
  await usable(page);
  const seen = await page.evaluate(() => globalThis.bloomSeen());
  const policy = (await answer.allHeaders())["content-security-policy"] ?? "";
  if (!/script-src 'self'(?:;|$)/.test(policy)) faults.push("no policy that keeps foreign scripts out");
  if (/unsafe|\*/.test(policy)) faults.push(`a policy with holes: ${policy}`);
  return {
    page,
    cdp,
    faults,
    figures: {
      bytes: [...scripts.values()].reduce((sum, size) => sum + size, 0),
      work: await mainThread(cdp),
      ...seen,
    },
  };
}

/** CPU time of the page's main thread in milliseconds, without waiting. */
export async function mainThread(cdp) {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Waits until the page has loaded its data and painted a frame. */
async function usable(page) {
  await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !/Loading …|Читаю …/.test(document.body.innerText));
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
  await page.evaluate(() => (globalThis.bloomUsable ??= performance.now()));
}

/** Runs in the page before anything else. */
function watchFrames() {
  const [long, shifts] = [[], []];
  new PerformanceObserver((list) => long.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
    type: "layout-shift",
    buffered: true,
  });
  globalThis.bloomSeen = () => ({
    interactive: globalThis.bloomUsable,
    long: long.map(({ duration }) => duration),
    shift: shifts.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0),
  });
}

/** Faults that no page may have. */
export async function practice(page) {
  const faults = await page.evaluate(() => {
    const found = [];
    const every = (selector) => [...document.querySelectorAll(selector)];
    const told = (element) => element.outerHTML.slice(0, 90);
    if (!/width=device-width/.test(document.querySelector("meta[name=viewport]")?.content ?? ""))
      found.push("no viewport");
    if (!/^(?:en|uk)$/.test(document.documentElement.lang)) found.push(`language: ${document.documentElement.lang}`);
    if (document.title.trim() === "") found.push("no title");
    if (!document.querySelector("meta[name=description]")?.content) found.push("no description");
    for (const image of every("img:not([alt])")) found.push(`picture without words: ${told(image)}`);
    for (const script of every("script:not([src])")) found.push(`script in the page: ${told(script)}`);
    for (const element of every("*"))
      for (const { name } of element.attributes)
        if (name.startsWith("on")) found.push(`handler in the page: ${told(element)}`);
    for (const link of every("a[target=_blank]:not([rel*=noopener])")) found.push(`open window: ${told(link)}`);
    for (const field of every("input[type=password]:not([autocomplete])")) found.push(`password: ${told(field)}`);
    const ids = every("[id]").map(({ id }) => id);
    for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at))) found.push(`id twice: ${id}`);
    const over = document.scrollingElement.scrollWidth - innerWidth;
    if (over > 0) found.push(`${over} points too wide`);
    return found;
  });
  return [...faults, ...(await complaints(page)), ...(await smallTargets(page))];
}

/** Accessibility faults found by axe. */
async function complaints(page) {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `axe ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
}

/** Touch targets that are too small and too close to another one. Links in a sentence are exempt. */
function smallTargets(page) {
  return page.evaluate((finger) => {
    const targets = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=option]")]
      .filter((element) => element.checkVisibility() && !element.closest("p, dd, li > span, [role=option]"))
      .map((element) => {
        // A click on a label activates its field.
        const box = (element.closest("label") ?? element).getBoundingClientRect();
        return { element, box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
      })
      .filter(({ box }) => box.width > 0 && box.height > 0);
    const isSmall = ({ box }) => box.width < finger - 0.5 || box.height < finger - 0.5;
    const isNear = (one, other) =>
      one !== other &&
      !one.element.contains(other.element) &&
      !other.element.contains(one.element) &&
      (isSmall(other)
        ? Math.hypot(one.x - other.x, one.y - other.y) < finger
        : Math.abs(one.x - other.x) < (finger + other.box.width) / 2 &&
          Math.abs(one.y - other.y) < (finger + other.box.height) / 2);
    return targets
      .filter((target) => isSmall(target) && targets.some((other) => isNear(target, other)))
      .map(
        ({ element, box }) =>
          `small: ${Math.round(box.width)}×${Math.round(box.height)} ${element.outerHTML.slice(0, 80)}`,
      );
  }, FINGER);
}
