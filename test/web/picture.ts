import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/**
 * Two pictures are alike if nearly all of their cells are: the mean colour of a cell hides how a machine smooths letters, and shows a
 * changed colour, a moved or a missing part.
 */
const TOLERANCE = {
  /** Points of the picture on each side of a cell. */
  cell: 8,
  /** The largest difference of a mean, of 255, in red, green or blue. */
  colour: 5,
  /** The share of cells that may differ more. */
  cells: 0.003,
} as const;

/** Pictures that are in git. */
const KEPT = join(import.meta.dirname, "screens");
/** Pictures of what differs: not in git. */
const FAILED = join(import.meta.dirname, "../../node_modules/.cache/screens");

/**
 * Compares a page with its kept picture until they are alike, or keeps the picture. Returns what is wrong, or undefined. The page may
 * still be loading a part at first, so a difference counts only if it stays.
 */
export async function comparePicture(page: Page, name: string, isAccepted: boolean): Promise<string | undefined> {
  const file = join(KEPT, `${name}.png`);
  if (isAccepted) {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(file, await steadyPicture(page));
    return undefined;
  }
  if (!existsSync(file)) return `${name}: no picture is kept. ${HOW}`;
  const kept = readFileSync(file).toString("base64");
  const canvas = await page.context().browser()!.newPage();
  try {
    let [share, sheet] = [1, ""];
    for (let round = 0; round < ROUNDS && share > TOLERANCE.cells; round += 1) {
      if (round > 0) await page.waitForTimeout(PAUSE_MS);
      const now = (await pictureOf(page)).toString("base64");
      ({ share, sheet } = await canvas.evaluate(inCanvas, { kept, now, tolerance: TOLERANCE }));
    }
    if (share <= TOLERANCE.cells) return undefined;
    mkdirSync(FAILED, { recursive: true });
    const shown = join(FAILED, `${name}.png`);
    writeFileSync(shown, Buffer.from(sheet, "base64"));
    return `${name}: ${(share * 100).toFixed(1)} % of the picture differs. Kept, now and the difference: ${shown}. ${HOW}`;
  } finally {
    await canvas.close();
  }
}

const ROUNDS = 8;
const PAUSE_MS = 700;
/** Pictures taken for one that is accepted. */
const MOST_ROUNDS = 40;

const pictureOf = (page: Page): Promise<Buffer> =>
  page.screenshot({ animations: "disabled", caret: "hide", scale: "device" });

/** The picture once it has not changed for two pauses. Throws if it never rests: such a picture would fail the next comparison. */
async function steadyPicture(page: Page): Promise<Buffer> {
  let before = await pictureOf(page);
  for (let [round, same] = [0, 0]; round < MOST_ROUNDS; round += 1) {
    await page.waitForTimeout(PAUSE_MS);
    const now = await pictureOf(page);
    same = now.equals(before) ? same + 1 : 0;
    if (same === 2) return now;
    before = now;
  }
  throw new Error(`${page.url()} still changes after ${(MOST_ROUNDS * PAUSE_MS) / 1000} seconds: no picture is kept`);
}

const HOW = "To accept the new look: npm run journeys -- screens --accept";

/** Runs in a page: the share of cells that differ, and both pictures with the difference beside each other. */
async function inCanvas(of: {
  readonly kept: string;
  readonly now: string;
  readonly tolerance: { readonly cell: number; readonly colour: number };
}): Promise<{ readonly share: number; readonly sheet: string }> {
  const { cell, colour } = of.tolerance;
  const decode = async (base64: string): Promise<ImageBitmap> =>
    createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
  const [kept, now] = [await decode(of.kept), await decode(of.now)];
  const [width, height] = [Math.max(kept.width, now.width), Math.max(kept.height, now.height)];
  const canvas = new OffscreenCanvas(width * 3, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true })!;
  pen.drawImage(kept, 0, 0);
  pen.drawImage(now, width, 0);
  pen.globalAlpha = 0.25;
  pen.drawImage(now, width * 2, 0);
  pen.globalAlpha = 1;
  pen.fillStyle = "red";
  const mean = (x: number, y: number): readonly number[] => {
    const { data } = pen.getImageData(x, y, cell, cell);
    const sums = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) for (const band of [0, 1, 2]) sums[band]! += data[at + band]!;
    return sums.map((sum) => sum / (cell * cell));
  };
  let [differ, all] = [0, 0];
  for (let y = 0; y + cell <= height; y += cell)
    for (let x = 0; x + cell <= width; x += cell) {
      all += 1;
      const after = mean(width + x, y);
      if (mean(x, y).every((value, band) => Math.abs(value - after[band]!) <= colour)) continue;
      differ += 1;
      pen.fillRect(width * 2 + x, y, cell, cell);
    }
  const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return { share: differ / all, sheet: btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join("")) };
}
