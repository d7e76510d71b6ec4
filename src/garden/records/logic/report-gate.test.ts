import { describe, expect, test } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { commandLineOwner, type Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { proposeFirstVersion } from "../../changes/logic/first-version.ts";
import { logicDiff, logicVersions, readLogic } from "../../changes/logic/read-logic.ts";
import { decide } from "../../changes/proposals/decide.ts";
import type { Garden } from "../../core/garden.ts";
import { logicPerformance } from "../../insight/learning/logic-performance.ts";
import { ensureLogicReport } from "../../insight/learning/logic-report.ts";
import { findReport, logicReportFor, recordReport } from "./report-gate.ts";
import { agent, contractOf, drawn, finishedRun, procedure, stored, ukrainianGarden } from "./testing/agent.ts";

const SLUG = "archivist";
const by: Identity = commandLineOwner;
const RUN = "run_2026-02-13_080000_abc123";

async function accepted(received: ReturnType<typeof receive>): Promise<Proposal> {
  const answer = await received;
  if (answer.kind === "refused") throw answer.failure;
  return answer.proposal;
}
const approve = (garden: Garden, { id, digest }: Proposal): Promise<Proposal> =>
  decide(garden, { proposal: id, verdict: "approve", digest, by });
const change = (garden: Garden, payload: Record<string, unknown>, identity: Identity = by): Promise<Proposal> =>
  accepted(
    receive(garden, {
      identity,
      action: "logic-update",
      payload: { agent: SLUG, rationale: { problem: "x" }, requiresHumanReview: true, ...payload },
    }),
  );

async function withAgent(): Promise<Garden> {
  const { garden } = await ukrainianGarden();
  await agent(garden);
  return garden;
}
async function withVersion(): Promise<Garden> {
  const garden = await withAgent();
  const first = await accepted(proposeFirstVersion(garden, { slug: SLUG, by, diagram: drawn("x ← read-notes()") }));
  expect((await approve(garden, first)).status).toBe("applied");
  return garden;
}

describe("L-6 the first version", () => {
  test("is a pending proposal, and its report says that there are no recordings", async () => {
    const garden = await withAgent();
    const first = await accepted(proposeFirstVersion(garden, { slug: SLUG, by, diagram: drawn("x ← read-notes()") }));
    expect(first.status).toBe("pending");
    const done = await approve(garden, first);
    const recorded = (await findReport(garden.store, first.digest))!;
    expect(recorded.report).toMatchObject({ kind: "no-recordings", digest: first.digest, agent: SLUG });
    expect(JSON.parse((await stored(garden, keys.proposalEvent(first.id, 1)))!)).toMatchObject({ report: recorded.id });
    expect(done.status).toBe("applied");
  });

  test("of an agent without a diagram is its unchanged body", async () => {
    const garden = await withAgent();
    const done = await approve(garden, await accepted(proposeFirstVersion(garden, { slug: SLUG, by })));
    expect(done.status).toBe("applied");
    expect(
      (await readLogic(garden, { slug: SLUG })).content.endsWith("## Головний потік\n\n# Роль\n\nТи — архіваріус.\n"),
    ).toBe(true);
    expect(await stored(garden, `agents/${SLUG}/_agent.md`)).toBe(
      contractOf(SLUG, 'logic_version: "v001"\n').replace(
        /updated_at: ".*"/,
        /updated_at: ".*"/.exec((await stored(garden, `agents/${SLUG}/_agent.md`))!)![0],
      ),
    );
  });

  test("is made once: a second one is refused", async () => {
    const garden = await withVersion();
    await expect(proposeFirstVersion(garden, { slug: SLUG, by })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    await expect(proposeFirstVersion(garden, { slug: "nobody", by })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("L-8 the gate", () => {
  test("refuses a change once there are runs, until there is a report for exactly its digest", async () => {
    const garden = await withVersion();
    await finishedRun(garden, SLUG, RUN);
    const evidence = { rationale: { problem: "x", evidenceRuns: [RUN] } };
    const [one, two] = [
      await change(garden, { diagram: drawn("a"), ...evidence }),
      await change(garden, { diagram: drawn("b"), ...evidence }),
    ];
    await expect(approve(garden, one)).rejects.toMatchObject({ details: { needs: "report" } });
    await ensureLogicReport(garden, one);
    await expect(approve(garden, two)).rejects.toMatchObject({ details: { needs: "report" } });
    expect((await approve(garden, one)).status).toBe("applied");
  });

  test("makes a report once and never replaces it, and ignores one for another digest", async () => {
    const garden = await withVersion();
    const proposal = await change(garden, { diagram: drawn("a") });
    const first = await recordReport(garden, proposal);
    expect((await recordReport(garden, { ...proposal, id: "forged" })).id).toBe(first.id);
    const other = "f".repeat(40);
    await garden.store.create(keys.logicReport(other), Buffer.from(JSON.stringify(first.report)));
    expect(await findReport(garden.store, other)).toBeUndefined();
  });

  test("does not give an agent's proposal the owner's exemption", async () => {
    const garden = await withVersion();
    const proposal = await change(garden, { diagram: drawn("a") });
    const asAgent = { ...proposal, source: { ...proposal.source, type: "agent" as const } };
    expect(await logicReportFor(garden, asAgent)).toBeUndefined();
    expect(await logicReportFor(garden, proposal)).toBeDefined();
  });

  test("reports added and removed tools, the static checks and the risk", async () => {
    const garden = await withVersion();
    const proposal = await change(garden, { diagram: drawn('create-proposal("propose-note")') });
    const { report } = (await logicReportFor(garden, proposal))!;
    expect(report.static.tools).toEqual({ added: ["create-proposal"], removed: ["read-notes"] });
    expect(report.static.rows.map(({ id, result }) => `${id} ${result}`)).toEqual([
      "diagram pass",
      "reachable pass",
      "loops pass",
      "tools-used pass",
      "outputs-used pass",
      "steps pass",
    ]);
    expect(report.static.riskLevel).toBe("high");
  });
});

describe("L-5 reading logic", () => {
  test("read-logic has the shape of source 000 §5.1 and never returns a part", async () => {
    const garden = await withVersion();
    const answer = await readLogic(garden, { slug: SLUG, maxTokens: 4000 });
    expect(answer).toMatchObject({
      agentId: SLUG,
      logicVersion: "v001",
      format: "pseudo",
      meta: { runsOnThisVersion: 0 },
    });
    expect(answer.content).toContain(procedure("x ← read-notes()"));
    expect((await readLogic(garden, { slug: SLUG, format: "drakon" })).content).toBe(drawn("x ← read-notes()"));
    await expect(readLogic(garden, { slug: SLUG, maxTokens: answer.tokenCount - 1 })).rejects.toMatchObject({
      details: { tokenCount: answer.tokenCount },
    });
    await expect(readLogic(garden, { slug: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("logic-diff compares versions and proposals, as lines and as a summary", async () => {
    const garden = await withVersion();
    const proposal = await change(garden, { diagram: drawn("x ← read-notes()", "перевірити x") });
    const diff = await logicDiff(garden, { slug: SLUG, from: "current", to: `proposed:${proposal.id}` });
    expect(diff.diff).toContain("+  перевірити x\n");
    expect({ summary: diff.summary.uk, riskLevel: diff.riskLevel }).toEqual({
      summary: expect.stringContaining("+1 рядок"),
      riskLevel: "low",
    });
    const asInTheSource = await logicDiff(garden, { slug: SLUG, from: "v001", to: "proposed" });
    expect(asInTheSource.diff).toMatch(/^--- v001\/current\.pseudo\.md\n\+\+\+ proposed\/current\.pseudo\.md\n@@ /);
    await approve(garden, proposal);
    const landed = await logicDiff(garden, { slug: SLUG, from: "v001", to: "v002" });
    expect(landed.diff.slice(landed.diff.indexOf("@@"))).toBe(diff.diff.slice(diff.diff.indexOf("@@")));
    expect(await logicDiff(garden, { slug: SLUG, from: "v002", to: "current" })).toMatchObject({ diff: "" });
    const unknown: unknown = await logicDiff(garden, { slug: SLUG, from: "v009", to: "current" }).catch(
      (error: Failure) => error.code,
    );
    expect(unknown).toBe("NOT_FOUND");
  });

  test("logic-performance counts the runs of each version, and versions are listed newest first", async () => {
    const garden = await withVersion();
    await finishedRun(garden, SLUG, RUN, { logic: "v001", tokens: 300 });
    await finishedRun(garden, SLUG, "run_2026-02-13_090000_abc123", { logic: "v001", failed: true, tokens: 100 });
    expect(await logicPerformance(garden, { slug: SLUG })).toMatchObject({
      agentId: SLUG,
      versions: { v001: { success_rate: 0.5, avg_tokens: 200, error_rate: 0.5, totalRuns: 2 } },
      trend: "unknown",
    });
    const [row] = await logicVersions(garden, SLUG);
    expect(row).toMatchObject({ version: "v001", current: true, entry: { version: "v001" } });
  });
});
