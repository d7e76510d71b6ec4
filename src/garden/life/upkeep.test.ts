import { expect, test } from "vitest";
import { Failure } from "../../base/failure.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import { makeToken } from "../agents/access/tokens.ts";
import { contractText } from "../agents/testing/contract-text.ts";
import { receive } from "../changes/inbox/receive.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { runIdForCorrelation } from "../runs/run-correlation.ts";
import { gardenWith, testPorts } from "../testing/scratch.ts";
import { startUpkeep } from "./upkeep.ts";

const DAY = 86_400_000;

async function ground() {
  let now = Date.parse("2026-02-14T08:00:00Z");
  let drawn = 0;
  const made = await gardenWith(
    undefined,
    testPorts({
      now: () => now,
      random: (count) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
    }),
  );
  return { ...made, wait: (ms: number) => (now += ms) };
}

test("P-10 a proposal that was not decided in time expires when the garden is served again", async () => {
  const { garden, wait } = await ground();
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: "propose-comment",
    payload: { note: "notes/a.md", text: "x" },
  });
  if (received.kind === "refused") throw received.failure;
  wait(4 * DAY);
  const told: string[] = [];
  await startUpkeep(garden, (chore) => told.push(chore)).stop();
  expect({ status: (await readProposal(garden.store, received.proposal.id)).status, told }).toEqual({
    status: "expired",
    told: [],
  });
});

test("A-6 a chore whose part is unavailable is reported by name, and the others continue", async () => {
  const { garden, wait } = await ground();
  const { id } = await makeToken(garden, { kind: "owner", name: "old" }, "owner", 60);
  wait(8 * DAY);
  const away = (): Promise<never> => Promise.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає" }));
  const told: string[] = [];
  const broken = { ...garden, store: { ...garden.store, list: away, get: away } };
  await startUpkeep(broken, (chore, { code }) => told.push(`${chore} ${code}`)).stop();
  expect({ told: told.toSorted(), token: await garden.folder.stat(`.bloom/keys/tokens/${id}.json`) }).toEqual({
    told: [
      "apply-after-grace",
      "commit-agent-files",
      "expire-proposals",
      "forget-correlations",
      "forget-signatures",
      "legacy-records",
      "look-at-gardens",
      "make-reports",
      "record-statistics",
      "recover-inbox",
      "resume-applying",
      "settle-decisions",
      "stop-broken-agents",
      "update-registry",
      "watch-versions",
      "write-analyses",
    ].map((name) => `${name} UPSTREAM_UNAVAILABLE`),
    token: { kind: "missing" },
  });
});

test("P-3 a repeated request returns the same run for a month, then starts a new one", async () => {
  const { garden, wait } = await ground();
  await garden.store.create(contractKey("rose"), Buffer.from(contractText("rose", { status: "active" })));
  const ask = () => runIdForCorrelation(garden, { slug: "rose", by: "owner", correlation: "one", what: { input: {} } });
  const first = await ask();
  wait(29 * DAY);
  await startUpkeep(garden, () => undefined).stop();
  const second = await ask();
  wait(2 * DAY);
  await startUpkeep(garden, () => undefined).stop();
  expect({ repeatsRun: second === first, repeatsLater: (await ask()) === first }).toEqual({
    repeatsRun: true,
    repeatsLater: false,
  });
});
