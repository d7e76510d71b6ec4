/**
 * Pictures of every page of the web app, in both themes, of a demo garden in which something happened: into `docs/screens`. The few
 * that the README shows are kept in git; all of them are there to be looked at.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say, setUp } from "./setup.js";
import { buildWeb } from "./web.js";

const OUT = join(root, "docs/screens");

/** Every page, by the name of its picture. What is in braces is found in the garden. */
const PAGES = {
  today: "/",
  proposals: "/proposals",
  proposal: "/proposals/{proposal}",
  decided: "/proposals?view=history",
  agents: "/agents",
  agent: "/agents/gardener",
  memory: "/agents/optimizer?tab=memory",
  logic: "/agents/gardener/logic",
  diagram: "/agents/librarian/diagram",
  runs: "/runs",
  run: "/runs/{run}",
  question: "/runs/{held}",
  notes: "/notes",
  note: "/notes/notes/garden/compost.md",
  why: "/why?subject={commit}",
  settings: "/settings",
};

await runScript(async () => {
  await setUp();
  const code = await buildWeb();
  if (code !== 0) return code;
  const { webGround } = await import("../test/web/ground.ts");
  const ground = await webGround();
  try {
    const found = await busy(ground);
    mkdirSync(OUT, { recursive: true });
    for (const theme of ["light", "dark"]) {
      const { page, context } = await ground.open({ theme, height: 800 });
      for (const [name, path] of Object.entries(PAGES)) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, what) => found[what]);
        await page.goto(new URL(`/app${filled}`, ground.url).href);
        await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
        await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => undefined); // events never end
        await page.screenshot({ path: join(OUT, `${name}-${theme}.png`) });
      }
      await context.close();
    }
    say(`${Object.keys(PAGES).length} pages in two themes: ${OUT}`);
  } finally {
    await ground.stop();
  }
  return 0;
});

/** Some life: runs, a decision of each kind, and a question that is left open. */
async function busy(ground) {
  ground.bloom("run", "gardener", "--wait");
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
  const { context } = await ground.open();
  const asked = async (path) => (await context.request.get(new URL(path, ground.url).href)).json();
  const { proposals } = await asked("/proposals/pending");
  const mended = proposals.filter(({ summary }) => summary.startsWith("Mend"));
  const approve = ({ id, digest }) =>
    context.request.patch(new URL(`/proposals/${id}`, ground.url).href, {
      headers: { "X-Requested-With": "screenshots" },
      data: { verdict: "approve", digest },
    });
  const { proposal } = await (await approve(mended[0])).json();
  const { runs } = await asked("/runs");
  await context.close();
  return {
    proposal: mended[1].id,
    commit: proposal.apply_result.git_commit,
    run: runs.find(({ agent_slug, state }) => agent_slug === "gardener" && state === "completed").run_id,
    held: runs.find(({ state }) => state === "waiting").run_id,
  };
}
