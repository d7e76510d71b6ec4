import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { CounterfactualRow } from "../../../domain/logic/counterfactual-report.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { gatewayApp } from "../../../gateway/app.ts";
import { makeToken } from "../../agents/access/tokens.ts";
import { applyProposal } from "../../changes/apply/apply-proposal.ts";
import { reviewProposal } from "../../changes/effect/review.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { decide, decideBatch } from "../../changes/proposals/decide.ts";
import { editAndApprove } from "../../changes/proposals/edit-and-approve.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { findReport } from "../../records/logic/report-gate.ts";
import { appendEvent, readProposal } from "../../records/proposals/proposal-log.ts";
import { live, manifestOf, portsWith, requestedRun } from "../../runs/testing/agent-ground.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { ensureLogicReport, makeReports, reportPicture } from "../learning/logic-report.ts";
import { drawnAgent, drawnFrom } from "../learning/testing/drawn-agent.ts";
import { replayAgainstProposal } from "./counterfactual.ts";

const shared = oneGarden();
let agents = 0;

const BEFORE = `BEGIN "Sort"
  notes ← read-notes()
  IF wanted
    text ← read-context(name)
  create-proposal(type: "propose-note", path: "notes/" + mark + ".md", text: "# New")
END
`;
const GUARDED = BEFORE.replace("IF wanted\n", 'IF wanted AND name ≠ "nowhere"\n');
const CHANGED = BEFORE.replace("read-context(name)", 'read-context(name + "-2")');
const SKIPPED = BEFORE.replace(/ {2}create-proposal.*\n/, "");
const ENDLESS = BEFORE.replace("END\n", "  REPEAT\n    n ← 1\nEND\n");

interface Ground {
  readonly garden: Garden;
  readonly slug: string;
  readonly run: (input: { readonly [name: string]: Json }, script?: Script) => Promise<RunPlace>;
}

async function ground(execution: "flow" | "prompt", procedure = BEFORE, model = "bloom/follower"): Promise<Ground> {
  const garden = shared();
  const slug = `sorter-${++agents}`;
  await drawnAgent(garden, slug, procedure, {
    execution,
    model,
    tools: "[read-notes, read-context, create-proposal]",
    safe_outputs: "[propose-note]",
    max_steps: "20",
  });
  let count = 0;
  return {
    garden,
    slug,
    run: async (input, script = []) => {
      const place = await requestedRun(garden, slug, {
        wanted: false,
        name: "a",
        mark: `${slug}-${++count}`,
        ...input,
      });
      await live(garden, place, portsWith(scriptedModel(script)));
      return place;
    },
  };
}

/** A logic change that the owner proposes with a run as evidence. */
async function proposed({ garden, slug }: Ground, procedure: string, run: RunPlace): Promise<Proposal> {
  const payload = {
    agent: slug,
    currentVersion: "v001",
    diagram: drawnFrom(procedure),
    rationale: { problem: "it fails", evidenceRuns: [run.run] },
    requiresHumanReview: true,
  };
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "logic-update",
    payload,
    summary: "Better",
  });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

const inWords = ({ kind, at, end, asked: where, failure, certainty }: CounterfactualRow): string =>
  [
    kind,
    ...(certainty === "fact" ? [] : [certainty]),
    ...(at ? [`at ${at.text}`] : []),
    ...(where ? [`asks ${where.text}`] : []),
    ...(end ? [`ends ${end.kind}`] : []),
    ...(failure ? [`${failure.call ?? ""} ${failure.code}`] : []),
  ].join(", ");

const rowsOf = async (on: Ground, procedure: string, runs: readonly RunPlace[]): Promise<string[]> => {
  const proposal = await proposed(on, procedure, runs[0]!);
  const report = await replayAgainstProposal(on.garden, proposal, { most: 0, runs: runs.map(({ run }) => run) });
  return report.rows.map(inWords);
};

describe.each(["flow", "prompt"] as const)("L-8 a replay of real runs against a proposed diagram (%s)", (execution) => {
  test("reports the same path, another path, an avoided failure, and what the recording cannot tell", async () => {
    const on = await ground(execution);
    const runs = [await on.run({}), await on.run({ wanted: true }), await on.run({ wanted: true, name: "nowhere" })];
    expect((await manifestOf(on.garden, runs[2]!)).status).toBe("failed");
    expect(await rowsOf(on, GUARDED, runs)).toEqual([
      "same",
      "same",
      'avoids, at IF wanted AND name ≠ "nowhere", asks create-proposal(type: "propose-note", path: "notes/" + mark + ".md", text: "# New"), read-context NOT_FOUND',
    ]);
    expect(await rowsOf(on, CHANGED, runs.slice(0, 2))).toEqual([
      "same",
      'cannot-tell, at IF wanted, asks text ← read-context(name + "-2")',
    ]);
    expect(await rowsOf(on, SKIPPED, runs.slice(0, 1))).toEqual(["parts, at IF wanted, ends done"]);
    expect(await rowsOf(on, ENDLESS, runs.slice(0, 1))).toEqual(["parts, at n ← 1, ends endless"]);
  });

  test("predicts what an agent with that diagram does", async () => {
    const on = await ground(execution);
    const really = await ground(execution, SKIPPED);
    const inputs = [{}, { wanted: true }, { wanted: true, name: "nowhere" }];
    const runs: [RunPlace, RunPlace][] = [];
    for (const input of inputs) runs.push([await on.run(input), await really.run(input)]);
    const proposal = await proposed(on, SKIPPED, runs[0]![0]);
    const { rows } = await replayAgainstProposal(on.garden, proposal, {
      most: 0,
      runs: runs.map(([{ run }]) => run),
    });
    const real = await Promise.all(runs.map(([, place]) => manifestOf(on.garden, place)));
    const told = rows.map(({ kind, end }) => (kind === "same" ? "failed" : end?.kind === "done" ? "completed" : kind));
    expect(told).toEqual(real.map(({ status }) => status));
  });
});

test("R-1a a replay of a claimed path reports only that the path avoids all changed icons", async () => {
  const on = await ground("prompt", BEFORE, "claude-sonnet-4-5-20250929");
  const path = (name: string) => `notes/${name}.md`;
  const script = (claim: readonly string[], name: string): Script => [
    {
      calls: [
        { tool: "create-proposal", input: { type: "propose-note", path: path(name), text: "x", passed_lines: claim } },
      ],
    },
    { text: "Done." },
  ];
  const runs = [
    await on.run({}, script(["3", "5 no", "8"], `${on.slug}-x`)),
    await on.run({}, script(["3", "5 yes", "6", "8"], `${on.slug}-y`)),
    await on.run({}, [{ calls: [{ tool: "read-notes" }] }, { text: "NOOP: nothing" }]),
  ];
  expect(await rowsOf(on, CHANGED, runs)).toEqual([
    "same, claim",
    'cannot-tell, claim, at text ← read-context(name + "-2")',
    "cannot-tell, unknown",
  ]);
});

test("L-8 deleted and changed runs are rows with their reason, and results are cached", async () => {
  const on = await ground("flow");
  const { garden, slug } = on;
  const runs = [await on.run({}), await on.run({ wanted: true })];
  const proposal = await proposed(on, GUARDED, runs[0]!);
  const first = await replayAgainstProposal(garden, proposal, { most: 10 });
  expect(first.totals).toMatchObject({ runs: 2, same: 2, facts: 2, unreadable: 0 });
  const kept = keys.counterfactuals(slug, first.program);
  const before = (await garden.store.get(kept))!.hash;
  expect(await replayAgainstProposal(garden, proposal, { most: 10 })).toEqual(first);
  expect((await garden.store.get(kept))!.hash).toBe(before);
  await on.run({ wanted: true, name: "nowhere" });
  expect((await replayAgainstProposal(garden, proposal, { most: 10 })).totals).toMatchObject({ runs: 3, avoids: 1 });

  for (const key of [keys.runManifest(slug, runs[0]!.run), keys.runStep(slug, runs[1]!.run, 2, "read-notes")])
    await garden.store.remove(key, (await garden.store.get(key))!.hash);
  await garden.store.put(kept, Buffer.from("damaged"));
  const after = await replayAgainstProposal(garden, proposal, { most: 10 });
  expect(after.rows.map(({ run, kind }) => `${run} ${kind}`)).toEqual([
    `${runs[0]!.run} unreadable`,
    expect.stringMatching(/avoids$/),
    `${runs[1]!.run} unreadable`,
  ]);
  expect(after.totals).toMatchObject({ runs: 3, unreadable: 2 });
});

const EACH = `BEGIN "Sort"
  FOR EACH name IN names
    create-proposal(type: "propose-note", path: "notes/" + mark + name + ".md", text: "# New")
END
`;

test.each<[string, string, number]>([
  ["goes on with the next item", "→ NEXT", 1],
  ["ends the procedure", "→ END", 3],
])("L-8 a replay counts the proposals that would be lost: a guard inside a for-each that %s", async (_, exit, lost) => {
  const on = await ground("flow", EACH);
  const run = await on.run({ names: ["a", "b", "c", "d"] });
  const guarded = EACH.replace("    create", `    IF name = "b"\n      ${exit}\n    create`);
  const { totals } = await replayAgainstProposal(on.garden, await proposed(on, guarded, run), { most: 10 });
  expect(totals.proposals).toEqual({ recorded: 4, lost, gained: 0, undecided: 0 });
});

describe("L-8 a change of logic cannot be approved without its report:", () => {
  const by = commandLineOwner;
  const routes: readonly [string, (garden: Garden, proposal: Proposal) => Promise<unknown>][] = [
    ["a decision", (garden, { id, digest }) => decide(garden, { proposal: id, verdict: "approve", digest, by })],
    [
      "a batch",
      async (garden, { id, digest }) => {
        const [one] = await decideBatch(garden, { proposals: [{ id, digest }], verdict: "approve", by });
        if (one!.failure) throw one!.failure;
      },
    ],
    [
      "an edit, which invalidates the report of the first",
      async (garden, proposal) => {
        await ensureLogicReport(garden, proposal);
        const { payload } = proposal.operation as { payload: Record<string, unknown> };
        const edited = { ...payload, diagram: drawnFrom(SKIPPED) };
        const { digest } = await reviewProposal(garden, proposal);
        await editAndApprove(garden, { proposal: proposal.id, digest, by, payload: edited });
      },
    ],
    [
      "a decision over HTTP",
      (garden, { id, digest }) =>
        overHttp(garden, "PATCH", `/proposals/${id}`, { verdict: "approve", digest, report: "0".repeat(40) }),
    ],
    [
      "a batch over HTTP",
      (garden, { id, digest }) =>
        overHttp(garden, "POST", "/proposals/batch", { verdict: "approve", proposals: [{ id, digest }] }),
    ],
    ["a retry over HTTP", (garden, { id }) => overHttp(garden, "PATCH", `/proposals/${id}`, { verdict: "retry" })],
    ...(["approved", "auto_approved"] as const).flatMap((decision) =>
      [undefined, "0".repeat(40)].map((report): (typeof routes)[0] => [
        `an event written by hand (${decision}, ${report === undefined ? "no report" : "an invalid report"})`,
        async (garden, { id, digest, effect, ...proposal }) => {
          const at = new Date(garden.world.now()).toISOString();
          const event = { type: "decided" as const, op: "x", at, decision, by: "owner", digest, effect };
          await appendEvent(garden.store, { id, digest, effect, ...proposal }, { ...event, ...(report && { report }) });
          const { apply_result } = await applyProposal(garden, id, "owner");
          if (apply_result?.error) throw apply_result.error;
        },
      ]),
    ),
  ];

  test.each(routes)("%s", async (_, route) => {
    const on = await ground("flow");
    const proposal = await proposed(on, GUARDED, await on.run({}));
    await expect(route(on.garden, proposal)).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID_TRANSITION|FORBIDDEN/),
    });
    const { status } = await readProposal(on.garden.store, proposal.id);
    expect(status).not.toBe("applied");
    expect((await garden(on)).every((one) => one !== "applied")).toBe(true);
  });

  async function overHttp(garden: Garden, method: string, path: string, body: object): Promise<void> {
    const { token } = await makeToken(garden, { kind: "owner", name: "script" }, "owner");
    const answer = await gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [] }).request(
      `http://127.0.0.1${path}`,
      {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", host: "127.0.0.1" },
        body: JSON.stringify(body),
      },
    );
    const told = (await answer.json()) as { error?: object; results?: { error?: object }[] };
    const error = told.error ?? told.results?.[0]?.error;
    if (error) throw error;
  }

  /** The statuses of all proposals about the agent's logic. */
  const garden = async ({ garden: { store }, slug }: Ground): Promise<string[]> => {
    const { entries } = await store.list("proposals/applied/", { limit: 1000 });
    const cards = await Promise.all(
      entries.map(async ({ key }) => Buffer.from((await store.get(key))!.bytes).toString()),
    );
    return cards.filter((card) => card.includes(`logic/${slug}`) && card.includes("it fails")).map(() => "applied");
  };

  test("the chore makes the report once, then the change can be approved; an edited change needs its own report", async () => {
    const on = await ground("flow");
    const proposal = await proposed(on, GUARDED, await on.run({}));
    expect(await makeReports(on.garden)).toContain(proposal.id);
    expect(await makeReports(on.garden)).not.toContain(proposal.id);
    const recorded = (await findReport(on.garden.store, proposal.digest))!;
    expect(recorded.report).toMatchObject({ kind: "counterfactual", counterfactual: { totals: { runs: 1, same: 1 } } });
    const { digest } = await reviewProposal(on.garden, proposal);
    const done = await decide(on.garden, { proposal: proposal.id, verdict: "approve", digest, by });
    expect({ status: done.status, report: done.approval?.report }).toEqual({ status: "applied", report: recorded.id });
  });

  test("the drawing of the proposed diagram shows where runs diverge and their path from there", async () => {
    const on = await ground("flow");
    const run = await on.run({ wanted: true, name: "nowhere" });
    const proposal = await proposed(on, GUARDED, run);
    const report = await replayAgainstProposal(on.garden, proposal, { most: 10 });
    expect(report.icons).toMatchObject([{ avoids: 1, parts: 0, cannot_tell: 0 }]);
    expect(report.icons[0]!.way.length).toBeGreaterThan(1);
    const svg = (await reportPicture(on.garden, proposal, report, { language: "en" })).svg!;
    expect(svg).toContain("✓1");
  });
});
