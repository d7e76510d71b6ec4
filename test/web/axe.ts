import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * Accessibility faults of a page found by axe, one line per rule with its elements. A state is judged, not the way between two states:
 * what is found while a page changes is looked at again, and a fault stays.
 */
export async function complaints(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  let found: readonly string[] = [];
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await page.waitForTimeout(PAUSE_MS);
    found = await complaintsNow(page);
    if (found.length === 0) break;
  }
  await page.emulateMedia({ reducedMotion: null });
  return found;
}

const LOOKS = 3;
const PAUSE_MS = 500;
const ANIMATION_LIMIT_MS = 3000;

async function complaintsNow(page: Page): Promise<readonly string[]> {
  // Not for ever: where the browser draws no frame, no animation ends.
  await page.evaluate(
    (limit) =>
      Promise.race([
        Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
        new Promise((resolve) => setTimeout(resolve, limit)),
      ]).then(() => undefined),
    ANIMATION_LIMIT_MS,
  );
  // Through the debugger, because the content security policy forbids injected scripts.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
}
