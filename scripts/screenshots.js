/**
 * Takes screenshots of every page of the web app (themes, languages, phone) on a demo garden, into `docs/screens`. Only those that the
 * README shows are in git. `npm run screenshots -- today run-dark` takes these only.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say } from "./setup.js";
import { PAGES, show, withPictures } from "./web-garden.js";

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

await runScript(() =>
  withPictures(async (ground, found) => {
    mkdirSync(OUT, { recursive: true });
    for (const [look, options] of Object.entries(LOOKS)) {
      const shown = Object.entries(PAGES).filter(([name]) => isWanted(name, look));
      if (shown.length === 0) continue;
      const { page, context } = await ground.open(options);
      for (const [name, path] of shown) {
        await show(page, ground, path, found);
        await page.screenshot({ path: join(OUT, `${name}-${look}.png`), fullPage: look.startsWith("phone") });
      }
      await context.close();
    }
    say(`pictures in ${OUT}`);
  }),
);
