import { Failure } from "../../../base/failure.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { applyRound } from "./apply-round.ts";
import type { Job } from "./job.ts";

/**
 * Who comes while a round is under way waits for the next one, and lands together with all others that came: one move of
 * main and shared syncs for as many as there are. Nobody waits for company: one alone starts at once.
 */
interface Queue {
  readonly waiting: Job[];
  working: boolean;
  /** How many go together. Halved when other processes are in the way, so that a round is short enough to get through. */
  width: number;
}

const WIDEST = 64;
const MAX_ROUNDS = 200;

/** One queue for each open store in this process. Queues of different processes race, and the numbers of events decide. */
const queues = new WeakMap<Store, Queue>();

export function enqueue(garden: Garden, id: string, by: string, { retry }: { retry: boolean }): Promise<Proposal> {
  let queue = queues.get(garden.store);
  if (!queue) queues.set(garden.store, (queue = { waiting: [], working: false, width: WIDEST }));
  const { promise, resolve, reject } = Promise.withResolvers<Proposal>();
  queue.waiting.push({ id, by, retry, alone: false, rounds: 0, done: resolve, failed: reject });
  if (!queue.working) void work(garden, queue);
  return promise;
}

async function work(garden: Garden, queue: Queue): Promise<void> {
  queue.working = true;
  try {
    while (queue.waiting.length > 0) await oneRound(garden, queue);
  } finally {
    queue.working = false;
  }
}

async function oneRound(garden: Garden, queue: Queue): Promise<void> {
  const jobs = taken(queue);
  try {
    const { again, crowded } = await applyRound(garden, jobs);
    queue.width = crowded ? Math.max(1, queue.width >> 1) : Math.min(WIDEST, queue.width * 2);
    queue.waiting.unshift(...again.filter(hasPatience));
  } catch (error) {
    for (const job of jobs) job.failed(error); // those that are done already do not mind
  }
}

/** The next ones that may go together: one that must go alone does, and one proposal is there once. */
function taken({ waiting, width }: Queue): Job[] {
  const jobs: Job[] = [];
  while (jobs.length < width && waiting.length > 0) {
    const next = waiting[0]!;
    if (jobs.length > 0 && (next.alone || jobs.some(({ id }) => id === next.id))) break;
    jobs.push(waiting.shift()!);
    if (next.alone) break;
  }
  return jobs;
}

function hasPatience(job: Job): boolean {
  job.rounds++;
  if (job.rounds < MAX_ROUNDS) return true;
  job.failed(
    new Failure("CONCURRENT_MODIFICATION", {
      en: `${job.id} could not be applied: main and the proposal kept changing under it`,
      uk: `${job.id} не вдалося застосувати: main і пропозиція весь час змінювалися`,
    }),
  );
  return false;
}
