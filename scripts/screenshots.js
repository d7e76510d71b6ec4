/**
 * Takes screenshots of every page of the web app (themes, languages, phone) on a demo garden, into `docs/screens`. Only those that the
 * README shows are in git. `npm run screenshots -- today run-dark` takes these only.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say, setUp } from "./setup.js";
import { buildWeb } from "./web.js";
import { busy, filled, PAGES } from "./web-garden.js";

const OUT = join(root, "docs/screens");

/** Variants of each picture, by suffix of the file name. */
const LOOKS = {
  light: { theme: "light", height: 800 },
  dark: { theme: "dark", height: 800 },
  uk: { theme: "light", language: "uk", height: 800 },
  phone: { theme: "light", width: 360, height: 740, touch: true },
  "phone-dark-uk": { theme: "dark", language: "uk", width: 360, height: 740, touch: true },
};

const wanted = process.argv.slice(2);
const isWanted = (name, look) => wanted.length === 0 || wanted.includes(name) || wanted.includes(`${name}-${look}`);

await runScript(async () => {
  await setUp();
  const code = await buildWeb();
  if (code !== 0) return code;
  const { webGround } = await import("../test/web/ground.ts");
  const ground = await webGround();
  try {
    const found = await busy(ground);
    mkdirSync(OUT, { recursive: true });
    for (const [look, options] of Object.entries(LOOKS)) {
      const shown = Object.entries(PAGES).filter(([name]) => isWanted(name, look));
      if (shown.length === 0) continue;
      const { page, context } = await ground.open(options);
      for (const [name, path] of shown) {
        await page.goto(new URL(filled(path, found), ground.url).href);
        await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => undefined); // events never end
        await page.waitForFunction(() => document.querySelector("main > *") && !document.querySelector(".loading"));
        await page.waitForTimeout(400); // fonts and pictures
        await page.screenshot({ path: join(OUT, `${name}-${look}.png`), fullPage: look.startsWith("phone") });
      }
      await context.close();
    }
    say(`pictures in ${OUT}`);
  } finally {
    await ground.stop();
  }
  return 0;
});
