import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { contractKey, isAgentFileKey, keys, REGISTRY_KEY } from "../../../domain/layout.ts";
import { closeFound, closeGarden, findGarden, openGarden } from "../../core/garden.ts";
import { viewKey } from "../../records/proposals/proposal-log.ts";
import { git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { recordStatistics } from "../learning/statistics.ts";
import { repairFindings } from "./repair.ts";
import { verifyGarden } from "./verify.ts";

const made = tendedCopies();

/** Each finding, with its consequences indented below. */
async function told(dir: string, repair = false): Promise<string[]> {
  const garden = await findGarden(testPorts(), dir);
  try {
    const findings = await verifyGarden(garden);
    if (repair) await repairFindings(findings);
    return findings.flatMap(({ check, where, consequences }) => [
      `${check} ${where}`,
      ...consequences.map((after) => `  ${after.check} ${after.where}`),
    ]);
  } finally {
    await closeFound(garden);
  }
}

const inStore = (dir: string, key: string): string => join(dir, isAgentFileKey(key) ? key : `.bloom/store/${key}`);
const lose = (dir: string, key: string): void => rmSync(inStore(dir, key), { recursive: true });
const cut = (dir: string, key: string): void => writeFileSync(inStore(dir, key), '{"a');
const lastEvent = (dir: string, id: string): string =>
  `${keys.proposalLog(id)}${readdirSync(inStore(dir, keys.proposalLog(id)))
    .toSorted()
    .at(-1)!}`;

type Row = [damage: string, told: (dir: string) => string[]];

const rows: Row[] = [
  [
    "the manifest of a counted run is removed",
    (dir) => {
      const { agent, run } = made.tended;
      lose(dir, keys.runManifest(agent, run.run));
      return [`run-status store:${keys.runStatus(agent, run.run)}`, `  statistics store:${keys.runs(agent)}${run.run}`];
    },
  ],
  [
    "a counted run is removed that made a proposal",
    (dir) => {
      const { agent, run, proposals } = made.tended;
      lose(dir, `${keys.runs(agent)}${run.run}`);
      return [
        `proposal-results store:${keys.proposalLog(proposals.byAgent.id)}`,
        `  statistics store:${keys.runs(agent)}${run.run}`,
      ];
    },
  ],
  [
    "the last step of a run is removed",
    (dir) => {
      const { agent, run } = made.tended;
      const steps = keys.runSteps(agent, run.run);
      lose(dir, `${steps}${readdirSync(inStore(dir, steps)).toSorted().at(-1)!}`);
      return [
        `run-ends store:${keys.runManifest(agent, run.run)}`,
        `  run-status store:${keys.runStatus(agent, run.run)}`,
      ];
    },
  ],
  [
    "the records of an applied proposal are removed",
    (dir) => {
      const { note } = made.tended.proposals;
      lose(dir, keys.proposalLog(note.id));
      return [
        `proposal-records store:${keys.proposalLog(note.id)}`,
        `  commits ${note.apply_result!.git_commit!}`,
        `  proposal-views store:${viewKey(note)!}`,
      ];
    },
  ],
  [
    "the records of an applied comment are removed",
    (dir) => {
      const { comment } = made.tended.proposals;
      lose(dir, keys.proposalLog(comment.id));
      return [
        `proposal-records store:${keys.proposalLog(comment.id)}`,
        `  proposal-views store:${viewKey(comment)!}`,
        `  store-changes store:${comment.apply_result!.object_path!}`,
      ];
    },
  ],
  [
    "the last event of an applied proposal is removed",
    (dir) => {
      const { note } = made.tended.proposals;
      lose(dir, lastEvent(dir, note.id));
      return [
        `proposal-records store:${keys.proposalLog(note.id)}`,
        `  proposal-views store:proposals/approved/2026-02/${note.id}.json`,
        `  proposal-views store:${viewKey(note)!}`,
      ];
    },
  ],
  [
    "the decision on a rejected proposal is removed",
    (dir) => {
      const { rejected } = made.tended.proposals;
      lose(dir, lastEvent(dir, rejected.id));
      return [
        `proposal-records store:${keys.proposalLog(rejected.id)}`,
        `  proposal-views store:${keys.pendingProposal(rejected.id)}`,
        `  proposal-views store:${viewKey(rejected)!}`,
        `  proposal-claims store:${keys.sameEffect(rejected.effect)}`,
      ];
    },
  ],
  [
    "the records of a pending proposal are removed",
    (dir) => {
      const { pending } = made.tended.proposals;
      lose(dir, keys.proposalLog(pending.id));
      return [
        `proposal-views store:${keys.pendingProposal(pending.id)}`,
        `  proposal-claims store:${keys.sameEffect(pending.effect)}`,
      ];
    },
  ],
  [
    "main is set back behind several proposals",
    (dir) => {
      const { note, edit, tag, memory, byAgent } = made.tended.proposals;
      git(dir, "reset", "-q", "--hard", `${note.apply_result!.git_commit!}~1`);
      const lost = [note, edit, tag, memory, byAgent].map(({ id }) => `proposal-results store:${keys.proposalLog(id)}`);
      return lost.map((line, index) => (index === 0 ? line : `  ${line}`));
    },
  ],
  [
    "the diagram of a contract is removed",
    (dir) => {
      const key = keys.diagram(made.tended.agent, "main-flow.drakon.json");
      lose(dir, key);
      return [`drift ${key}`];
    },
  ],
  [
    "the diagram of a contract is cut short",
    (dir) => {
      const { agent } = made.tended;
      const key = keys.diagram(agent, "main-flow.drakon.json");
      cut(dir, key);
      const drifts = [keys.pseudocode(agent), contractKey(agent)].map((each) => `  drift ${each}`);
      return [`store-objects ${key}`, ...drifts];
    },
  ],
  [
    "a contract is cut short",
    (dir) => {
      cut(dir, contractKey(made.tended.agent));
      return [`contracts ${contractKey(made.tended.agent)}`, `  registry store:${REGISTRY_KEY}`];
    },
  ],
  [
    "the registry is cut short",
    (dir) => {
      cut(dir, REGISTRY_KEY);
      return [`store-objects store:${REGISTRY_KEY}`, `  registry store:${REGISTRY_KEY}`];
    },
  ],
  [
    "the report of a logic change is cut short",
    (dir) => {
      const [name] = readdirSync(inStore(dir, "proposals/reports"));
      cut(dir, `proposals/reports/${name!}`);
      return [`store-objects store:proposals/reports/${name!}`, expect.stringMatching(/^ {2}logic-reports /) as string];
    },
  ],
];

/** The garden with its figures counted, as a running one has them. */
async function counted(): Promise<string> {
  const dir = made.copy();
  const garden = await openGarden(testPorts(fixedWorld("2026-02-14T12:00:00Z", 1000)), dir);
  await recordStatistics(garden);
  await closeGarden(garden);
  return dir;
}

test.each(rows)("SPEC §14 one damage is one finding, with its consequences below: %s", async (_, damage) => {
  const dir = await counted();
  const expected = damage(dir);
  expect(await told(dir)).toEqual(expected);
});

test("G-3 a repair of the consequences of a lost record follows the records that are left", async () => {
  const dir = made.copy();
  lose(dir, lastEvent(dir, made.tended.proposals.rejected.id));
  expect(await told(dir, true)).toHaveLength(4);
  expect(await told(dir)).toEqual([]);
});
