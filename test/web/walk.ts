import type { Page } from "playwright-core";
import type { WebGround, Window } from "./ground.ts";

/** The address of a page of the app. */
export const appPath = (ground: WebGround, path: string): string => new URL(`/app${path}`, ground.url).href;

/** All pages that need no id, and those of the demo's agents and notes. */
export const PAGES = [
  "/",
  "/proposals",
  "/proposals?view=history",
  "/agents",
  "/library",
  "/new-agent",
  "/agents/archivist",
  "/agents/archivist/logic",
  "/agents/archivist/diagram",
  "/runs",
  "/runs/spending",
  "/sessions",
  "/other-gardens",
  "/notes",
  "/notes/notes/garden/compost.md",
  "/ask",
  "/why",
  "/settings",
] as const;

/** Submits a change as the owner; returns the proposal. */
export async function propose(
  ground: WebGround,
  { context }: Pick<Window, "context">,
  payload: { readonly path: string; readonly text: string },
  summary: string,
  action: "propose-note" | "propose-edit" = "propose-note",
): Promise<string> {
  const answer = await context.request.post(new URL("/inbox/submit", ground.url).href, {
    headers: { "X-Requested-With": "test" },
    data: { intent: { action, payload, summary } },
  });
  const { proposal_id } = (await answer.json()) as { proposal_id?: string };
  if (proposal_id === undefined) throw new Error(`not taken: ${await answer.text()}`);
  return proposal_id;
}

/** Revokes the session of the window that was opened last, as the owner does from another device. */
export async function endSession(ground: WebGround, { context }: Pick<Window, "context">): Promise<void> {
  const answer = await context.request.get(new URL("/tokens", ground.url).href);
  const { tokens } = (await answer.json()) as { tokens: { id: string; kind: string; made_at: string }[] };
  const sessions = tokens.filter(({ kind }) => kind === "session");
  const { id } = sessions.toSorted((one, other) => one.made_at.localeCompare(other.made_at)).at(-1)!;
  ground.bloom("token", "revoke", id);
}

/** Resolves when the decision bar of the page accepts a decision. */
export const isArmed = (page: Page): Promise<void> => page.locator("[data-armed=true]").waitFor();

/** Reads every change in the dialog of a batch: scrolls through the list and opens those that have more lines. */
export async function readAll(page: Page): Promise<void> {
  await page.locator(".changes-to-read").waitFor();
  const isLeft = (): Promise<boolean> =>
    page.evaluate(() => {
      const row = document.querySelector(".changes-to-read li:has(.unread)");
      row?.scrollIntoView({ block: "start" });
      row?.querySelector<HTMLElement>("details:not([open]) > summary")?.click();
      return row !== null;
    });
  while (await isLeft()) await page.waitForTimeout(200);
}
