import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
}, patient(120_000));
afterAll(() => ground?.stop());

test("U-1 a question that the notes do not answer goes to the librarian, and questions of runs are listed beside it", async () => {
  const { page, context } = await ground.open();
  await page.goto(new URL("/app/ask?q=xylophone%20warranty%20telegraph", ground.url).href);
  await page.getByText("The notes do not say.").waitFor();
  expect(await complaints(page)).toEqual([]);
  const shown = page.waitForURL(/\/app\/runs\/run_/);
  await page.getByRole("button", { name: "Ask librarian" }).click();
  await shown;
  await page.getByText("xylophone warranty telegraph").first().waitFor();
  // A question of a run, as the API lists it: which agent of the demo asks depends on its notes.
  await context.route(/\/requests\?/, (route) =>
    route.fulfill({
      json: {
        requests: [
          {
            id: "req_2026-02-14_080000_aaaaaa_01",
            run_id: "run_2026-02-14_080000_aaaaaa",
            agent_slug: "librarian",
            reason: "asked",
            ask: { question: "Which of the two is true?", form: "text" },
            asked_at: "2026-02-14T08:00:00Z",
          },
        ],
      },
    }),
  );
  await page.goto(new URL("/app/ask", ground.url).href);
  const aside = page.getByRole("complementary", { name: "Sources and questions" });
  await aside.getByRole("link", { name: "Which of the two is true?" }).waitFor();
  await context.close();
});

test("U-1 a note of a vault opens in Obsidian, and another installed version is announced", async () => {
  const { page, context } = await ground.open();
  await page.goto(new URL("/app/notes", ground.url).href);
  const note = JSON.parse(ground.bloom("note", "list", "--json").out) as { notes: string[] };
  const path = note.notes[0]!;
  const address = new URL(`/app/notes/${path}`, ground.url).href;
  await page.goto(address);
  await page.getByRole("link", { name: "Ask about this note" }).waitFor();
  expect(await page.getByRole("link", { name: "Open in Obsidian" }).count()).toBe(0);
  mkdirSync(join(ground.dir, ".obsidian"));
  await page.goto(address);
  const link = page.getByRole("link", { name: "Open in Obsidian" });
  expect(await link.getAttribute("href")).toBe(`obsidian://open?path=${encodeURIComponent(join(ground.dir, path))}`);
  expect(await page.getByText("is installed, but the garden").count()).toBe(0);
  await context.route(/\/me\?/, async (route) => {
    const answer = await route.fetch();
    const me = (await answer.json()) as { program: { running: string } };
    await route.fulfill({ json: { ...me, program: { ...me.program, installed: "99.0.0" } } });
  });
  await page.reload();
  await page.getByText(/Version 99\.0\.0 is installed, but the garden is still served by/).waitFor();
  await context.close();
});
