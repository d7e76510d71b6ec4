import type { BrowserContext } from "playwright-core";

/** Fakes lists of any length between gateway and browser, because only the page is tested. */
export interface MadeUp {
  /** Number of requests for pages of the list. */
  readonly asked: () => number;
  /** Removes items, as if they were decided. */
  readonly take: (ids: readonly string[]) => void;
}

const PADDED = 6;
const numbered = (prefix: string, at: number): string => `${prefix}${String(at).padStart(PADDED, "0")}`;
const TIME = "2026-01-01T00:00:00.000Z";

export const proposalId = (at: number): string => numbered("prop_2026-01-01_000000_", at);

const proposal = (at: number) => ({
  id: proposalId(at),
  status: "pending",
  action: at % 3 === 0 ? "propose-note" : "propose-edit",
  target: `notes/plants/plant-${at}.md`,
  summary: `Change number ${at}: water it in the evening`,
  preview: { text: "water it → water it in the evening", more: 0 },
  source: { type: "agent", identity: "gardener", authenticated: true, timestamp: TIME },
  priority: "normal",
  digest: String(at).padStart(40, "0"),
  created_at: TIME,
  expires_at: "2027-01-01T00:00:00.000Z",
});

/** The answer to `GET /proposals/:id`, without a review: it cannot be decided. */
const openProposal = (at: number) => ({
  proposal: {
    ...proposal(at),
    content: { summary: "", citations: [] },
    operation: { action: "propose-note", payload: {} },
  },
});

/** Oldest first, as the gateway sends them; the cursor is the id of the last item. */
export async function manyProposals(context: BrowserContext, many: number): Promise<MadeUp> {
  const ids = new Set(Array.from({ length: many }, (_, at) => at));
  let asked = 0;
  await context.route(/\/proposals\/pending/, async (route) => {
    const { searchParams } = new URL(route.request().url());
    asked += 1;
    const after = searchParams.get("after");
    const limit = Number(searchParams.get("limit") ?? 100);
    const from = after === null ? -1 : Number(after.slice(-PADDED));
    const action = searchParams.get("action");
    const behind = [...ids].filter((at) => at > from && (action === null || proposal(at).action === action));
    const proposals = behind.slice(0, limit).map(proposal);
    await route.fulfill({ json: { proposals, ...(behind.length > limit && { next: proposals.at(-1)!.id }) } });
  });
  // The queue shows the first change beside it.
  await context.route(/\/proposals\/prop_2026-01-01_000000_\d+(?:\?|$)/, async (route) => {
    const at = Number(new URL(route.request().url()).pathname.slice(-PADDED));
    await route.fulfill({ json: openProposal(at) });
  });
  return {
    asked: () => asked,
    take(gone) {
      for (const id of gone) ids.delete(Number(id.slice(-PADDED)));
    },
  };
}

/** Newest first; the cursor is the id and agent of the last item. */
export async function manyRuns(context: BrowserContext, many: number): Promise<MadeUp> {
  let asked = 0;
  await context.route(/:\d+\/runs\?/, async (route) => {
    const { searchParams } = new URL(route.request().url());
    asked += 1;
    const after = searchParams.get("after");
    const from = after === null ? many : Number(after.split("/")[0]!.slice(-PADDED));
    const until = Math.max(0, from - Number(searchParams.get("limit") ?? 100));
    const runs = Array.from({ length: from - until }, (_, index) => ({
      run_id: numbered("run_2026-01-01_000000_", from - 1 - index),
      agent_slug: "gardener",
      state: "completed",
      trigger: "manual",
      requested_at: TIME,
      started_at: TIME,
      finished_at: TIME,
      outcome: { kind: "noop", reason: `number ${from - 1 - index}` },
    }));
    const next = until > 0 ? `${runs.at(-1)!.run_id}/gardener` : undefined;
    await route.fulfill({ json: { runs, ...(next !== undefined && { next }) } });
  });
  return { asked: () => asked, take: () => undefined };
}
