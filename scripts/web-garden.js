/** All pages of the web app, and a demo garden with content for each of them. */
import { setUp } from "./setup.js";
import { buildWeb } from "./web.js";

/** All pages, by the name of their screenshot. Names in braces are filled from the garden. */
export const PAGES = {
  today: "/",
  proposals: "/proposals",
  proposal: "/proposals/{proposal}",
  decided: "/proposals?view=history",
  agents: "/agents",
  "new-agent": "/new-agent",
  agent: "/agents/gardener",
  contract: "/agents/gardener?tab=contract",
  memory: "/agents/optimizer?tab=memory",
  artifacts: "/agents/gardener?tab=artifacts&file=plan.md",
  state: "/agents/gardener?tab=settings",
  logic: "/agents/gardener/logic",
  diagram: "/agents/librarian/diagram",
  runs: "/runs",
  run: "/runs/{run}",
  question: "/runs/{held}",
  notes: "/notes",
  note: "/notes/notes/garden/compost.md",
  ask: "/ask",
  why: "/why?subject={commit}",
  settings: "/settings",
  audit: "/audit",
};

/** The path of a page with the names in braces filled in. */
export const filled = (path, found) => `/app${path.replaceAll(/\{(\w+)\}/g, (_, what) => found[what])}`;

/** Builds the app and serves a busy demo garden for `work`, which takes pictures of it. Returns the exit code. */
export async function withPictures(work) {
  await setUp();
  const code = await buildWeb();
  if (code !== 0) return code;
  const { webGround } = await import("../test/web/ground.ts");
  const ground = await webGround();
  try {
    await work(ground, await busy(ground));
  } finally {
    await ground.stop();
  }
  return 0;
}

/** Opens a page and waits until everything on it is shown. */
export async function show(page, ground, path, found) {
  await page.goto(new URL(filled(path, found), ground.url).href);
  await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => undefined); // events never end
  await page.waitForFunction(() => document.querySelector("main > *") && !document.querySelector(".loading"));
  await page.waitForTimeout(400); // fonts and pictures
}

/** Adds runs, a decision of each kind, and an open question. */
export async function busy(ground) {
  ground.bloom("run", "gardener", "--wait");
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
  const { context } = await ground.open();
  const asked = async (path) => (await context.request.get(new URL(path, ground.url).href)).json();
  const { proposals } = await asked("/proposals/pending");
  const mended = proposals.filter(({ summary }) => summary.startsWith("Mend"));
  const approve = ({ id, digest }) =>
    context.request.patch(new URL(`/proposals/${id}`, ground.url).href, {
      headers: { "X-Requested-With": "screenshots" },
      data: { verdict: "approve", digest, grace_s: 0 },
    });
  const { proposal } = await (await approve(mended[0])).json();
  const post = (path, data) =>
    context.request.post(new URL(path, ground.url).href, { headers: { "X-Requested-With": "screenshots" }, data });
  const payload = { agent: "gardener", name: "plan.md", text: PLAN };
  const { proposal_id } = await (
    await post("/inbox/submit", { intent: { action: "propose-artifact", payload } })
  ).json();
  await approve((await asked(`/proposals/${proposal_id}`)).proposal);
  const { runs } = await asked("/runs");
  await context.close();
  return {
    proposal: mended[1].id,
    commit: proposal.apply_result.git_commit,
    run: runs.find(({ agent_slug, state }) => agent_slug === "gardener" && state === "completed").run_id,
    held: runs.find(({ state }) => state === "waiting").run_id,
  };
}

const PLAN = `# Plan of the beds

| bed | what | when |
|--|--|--|
| 1 | garlic | October |
| 2 | beans | May |

Water in the **evening**, and mulch what is bare.
`;
