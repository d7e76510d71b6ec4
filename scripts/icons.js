/**
 * Draws the icons of the installed app from the product's flower into `web/public`: an SVG for tabs, and PNG for home screens. Run it
 * after the flower's shape has changed; the files are in git.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say, setUp } from "./setup.js";

const OUT = join(root, "web/public");
/** The flower is of the accent's colour, with two rings as an agent has that is well known. */
const LOOK = { sizePx: 512, rings: 2, hue: 300 };
/** Share of the edge that the flower takes. A launcher may cut a maskable icon to a circle. */
const ICONS = [
  { file: "icon-192.png", size: 192, share: 0.86, ground: "none" },
  { file: "icon-512.png", size: 512, share: 0.86, ground: "none" },
  { file: "icon-maskable-512.png", size: 512, share: 0.62, ground: "#faf8f3" },
  { file: "icon-apple-180.png", size: 180, share: 0.72, ground: "#faf8f3" },
];

await runScript(async () => {
  await setUp();
  const { flowerShape } = await import("../src/domain/flower.ts");
  const { openBrowser } = await import("../test/browser.ts");
  const inner = flowerParts(flowerShape("garden-bloom", LOOK));
  writeFileSync(join(OUT, "flower.svg"), flowerFile(inner, 1, "none"));
  const browser = await openBrowser();
  try {
    for (const { file, size, share, ground } of ICONS) {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      await page.setContent(`<body style="margin:0">${flowerFile(inner, share, ground)}</body>`);
      await page.screenshot({ path: join(OUT, file), omitBackground: true });
      await page.close();
    }
  } finally {
    await browser.close();
  }
  say(`${ICONS.length + 1} icons: ${OUT}`);
  return 0;
});

/** Colours are written out, because an icon has no style sheet. */
function flowerParts({ petals, heart, seeds }) {
  const fills = ["oklch(0.62 0.16 300)", "oklch(0.78 0.11 322)"];
  const leaves = petals.map(
    ({ ring, turn, path }) => `<path fill="${fills[ring - 1]}" transform="rotate(${turn})" d="${path}"/>`,
  );
  const dots = seeds.map(({ x, y, r }) => `<circle fill="#6a4d12" cx="${x}" cy="${y}" r="${r}"/>`);
  return `${leaves.join("")}<circle fill="#edc64a" r="${heart}"/>${dots.join("")}`;
}

function flowerFile(inner, share, ground) {
  const half = Math.round(108 / share);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-half} ${-half} ${2 * half} ${2 * half}" width="100%" height="100%"><rect fill="${ground}" x="${-half}" y="${-half}" width="${2 * half}" height="${2 * half}"/>${inner}</svg>\n`;
}
