import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel } from "../../../../adapters/runtime/testing/scripted-model.ts";
import { realWorld } from "../../../../base/world.ts";
import { receive } from "../../../changes/inbox/receive.ts";
import { note, owner } from "../../../changes/inbox/testing/people.ts";
import { approve, reject } from "../../../changes/proposals/testing/decisions.ts";
import { recoverChanges } from "../../../changes/recover-changes.ts";
import { realPause } from "../../../core/flow/pause.ts";
import { closeFound, type FoundGarden, findGarden, type Garden } from "../../../core/garden.ts";
import { settleEndedRun } from "../../../runs/end-run.ts";
import { activeAgent, ENDING, live, portsWith, requestedRun } from "../../../runs/testing/agent-ground.ts";
import { gardenWith, testPorts } from "../../../testing/scratch.ts";
import { recordStatistics } from "../../learning/statistics.ts";
import { repairFindings } from "../repair.ts";
import { checks, lookOnce, verifyGarden } from "../verify.ts";

const SLUG = "archivist";
const PAUSE_MS = 200;

export interface BusyReport {
  readonly proposals: number;
  readonly runs: number;
  readonly looks: number;
  readonly repairs: number;
  /** Findings told although nothing is damaged, and proposals that are in no list afterwards. */
  readonly broken: readonly string[];
}

/**
 * A garden at work: proposals are made, rejected and applied, and runs end, without a pause, while another opening of the same garden
 * verifies and repairs it again and again. Ends when this many proposals were made and each of both was done this often.
 */
export async function verifyBesideWork(least: { proposals: number; looks: number }): Promise<BusyReport> {
  const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" }, testPorts(realWorld));
  appendFileSync(join(dir, "garden.yaml"), "limits:\n  owner_per_minute: 1000000\n");
  await activeAgent(garden, SLUG, { model: "claude-sonnet-4-5-20250929" });
  const done = { proposals: 0, runs: 0, looks: 0, repairs: 0 };
  const broken: string[] = [];
  const waiting = new Set<string>();
  const over = new AbortController();
  /** The garden grows with the looks: each takes longer the more there is, and it would grow without end while they are counted. */
  const mostProposals = (): number => (least.proposals / least.looks) * (done.looks + 1);
  const asLongAs = async (work: () => Promise<unknown>): Promise<void> => {
    for (; !over.signal.aborted; await realPause(PAUSE_MS)) await work();
  };
  const lane = (name: string) =>
    asLongAs(async () => {
      if (done.proposals >= mostProposals()) return;
      const number = done.proposals++;
      const wish = { identity: owner, ...note(`notes/${name}-${number}.md`, `${name} ${number}\n`) };
      const received = await receive(garden, wish);
      if (received.kind === "refused") throw received.failure;
      const { id } = received.proposal;
      if (number % 4 === 0) waiting.add(id);
      else await (number % 2 === 0 ? approve(garden, id) : reject(garden, id, "no"));
    });
  const runs = asLongAs(async () => {
    if (done.runs >= done.proposals) return;
    const place = await requestedRun(garden, SLUG);
    await live(garden, place, portsWith(scriptedModel([{ text: "NOOP: nothing new" }])));
    await settleEndedRun({ ...ENDING, garden }, place);
    done.runs++;
  });
  const upkeep = asLongAs(async () => {
    await recordStatistics(garden);
    await recoverChanges(garden);
  });
  const looking = async (): Promise<void> => {
    while (done.looks < least.looks || done.proposals < least.proposals) {
      const found = await findGarden(testPorts(realWorld), dir);
      try {
        // Repairs of a single look, which is full of false findings: each of them must see that there is nothing to repair.
        done.repairs += (await repairFindings(await lookOnce(found, checks))).length;
        broken.push(...(await findingsOf(found)));
        done.looks++;
      } finally {
        await closeFound(found);
      }
    }
    over.abort();
  };
  const stop = (error: unknown): never => {
    over.abort();
    throw error;
  };
  await Promise.all([
    lane("one").catch(stop),
    lane("two").catch(stop),
    runs.catch(stop),
    upkeep,
    looking().catch(stop),
  ]);
  await recoverChanges(garden);
  const atRest = await findGarden(testPorts(realWorld), dir);
  broken.push(...(await findingsOf(atRest)), ...(await unlisted(garden, waiting)));
  await closeFound(atRest);
  return { ...done, broken };
}

const findingsOf = async (found: FoundGarden): Promise<string[]> =>
  (await verifyGarden(found)).map(({ check, where, what }) => `${check} ${where}: ${what.en}`);

async function unlisted({ store }: Garden, waiting: ReadonlySet<string>): Promise<string[]> {
  const lost: string[] = [];
  for (const id of waiting) if (!(await store.get(`proposals/pending/${id}.json`))) lost.push(`${id} is in no list`);
  return lost;
}
