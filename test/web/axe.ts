import axe from "axe-core";
import type { Page } from "playwright-core";

/** Accessibility faults of a page found by axe, one line per rule with its elements. */
export async function complaints(page: Page): Promise<readonly string[]> {
  // A state is judged, not the colours of a transition between two states.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  // Through the debugger, because the content security policy forbids injected scripts.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  await page.emulateMedia({ reducedMotion: null });
  return found;
}
