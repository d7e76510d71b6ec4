import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe holds against a page, one line per rule: its name and where. Empty is what a page should be. */
export async function complaints(page: Page): Promise<readonly string[]> {
  // Through the debugger, as our policy lets no page bring a script of its own.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
}
