import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../scripts/setup.js";

/** The system's Chromium, without a window. Where there is none, tests fail with what to do about it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(process.env.BLOOM_CHROMIUM_MISSING ?? "Chromium is missing: run npm test");
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
