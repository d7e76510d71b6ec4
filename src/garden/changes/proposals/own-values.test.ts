import { expect, test } from "vitest";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { setOwnValuesRule } from "../../core/access/own-values.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { accepted, archivist, audited, withAgent } from "../inbox/testing/people.ts";

const proposed = async (garden: Garden, values: object, text = ""): Promise<Proposal> => {
  const operations = [{ op: "observe", text, values }];
  const payload = { agent: "archivist", operations, expectedVersion: 0, priority: "normal" };
  return accepted(garden, { identity: archivist, action: "memory-update", payload });
};
const update = async (garden: Garden, values: object, text?: string): Promise<string> =>
  (await proposed(garden, values, text)).status;

test("P-9 P-10d an owner's rule approves an agent's own values, is named in the commit and the audit, and can be revoked", async () => {
  const { garden, dir } = await gardenWith();
  await withAgent(garden, "archivist", { safe_outputs: "[memory-update]", tools: "[write-memory]" });
  const asked = await proposed(garden, { first: 1 });
  const made = await setOwnValuesRule(garden, { slug: "archivist", approve: true, by });
  const again = await setOwnValuesRule(garden, { slug: "archivist", approve: true, by });
  const approved = await update(garden, { first: 2 });
  const replaced = await readProposal(garden.store, asked.id);
  const trailer = git(dir, "log", "-1", "--format=%(trailers:key=Approved-by,valueonly)", "main").trim();
  const observed = await update(garden, { third: 3 }, "It rained");
  await setOwnValuesRule(garden, { slug: "archivist", approve: false, by });
  const revoked = await update(garden, { fourth: 4 });
  expect({
    asked: [asked.status, replaced.status],
    made: made !== undefined,
    again,
    approved,
    trailer,
    observed,
    revoked,
  }).toEqual({
    asked: ["pending", "rejected"], // replaced by the newer value, without asking anybody
    made: true,
    again: undefined,
    approved: "applied",
    trailer: "rule:values-of-archivist",
    observed: "pending",
    revoked: "pending",
  });
  expect(await audited(garden.store)).toContain("decided rule:values-of-archivist");
});
