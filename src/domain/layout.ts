import { keySegment } from "./store-key.ts";

/**
 * Where everything is: every path of a garden and every ref name stands in this file, and nowhere else.
 *
 * The folder itself is an ordinary git work tree; the machine's part lies in `.bloom/`, which ignores itself.
 */
export const MAIN_BRANCH = "main";
export const MAIN_REF = `refs/heads/${MAIN_BRANCH}`;
export const TRACE_REF = "refs/notes/trace";
/** Moves with every apply that was given up: whoever planned before it cannot land after it. */
export const FENCE_REF = "refs/bloom/fence";

/** In the work tree, under git. */
export const tree = {
  config: "garden.yaml",
  notes: "notes",
  memory: "memory",
  logic: "logic",
} as const;

/** In the repository, by agent. */
export const memoryFolder = (slug: string): string => `${tree.memory}/${slug}`;
export const logicFolder = (slug: string): string => `${tree.logic}/${slug}`;

export const logicParts = { diagram: "drakon.json", pseudo: "pseudo.md", meta: "meta.json" } as const;
export type LogicPart = keyof typeof logicParts;
/** Source 000 §2.1. */
export const logicPath = {
  current: (slug: string, part: LogicPart): string => `${logicFolder(slug)}/current.${logicParts[part]}`,
  changelog: (slug: string): string => `${logicFolder(slug)}/changelog.md`,
  versions: (slug: string): string => `${logicFolder(slug)}/versions`,
  archived: (slug: string, version: string, part: LogicPart): string =>
    `${logicFolder(slug)}/versions/${version}.${logicParts[part]}`,
  rationale: (slug: string, version: string): string => `${logicFolder(slug)}/versions/${version}.rationale.md`,
} as const;

/** M-1. */
export const memoryPath = {
  file: (slug: string, name: string): string => `${memoryFolder(slug)}/${name}`,
  meta: (slug: string): string => `${memoryFolder(slug)}/meta.json`,
  timeline: (slug: string, day: string): string => `${memoryFolder(slug)}/timeline/${day}.md`,
  run: (slug: string, run: string): string => `${memoryFolder(slug)}/runs/${run}.md`,
} as const;

/** In the machine's folder, never under git. Names are relative to the garden. */
export const machine = {
  folder: ".bloom",
  ignore: ".bloom/.gitignore",
  /** There while `bloom init` is at work: what it set out to do. */
  making: ".bloom/making.json",
  store: ".bloom/store",
  storeLog: ".bloom/log",
  temporary: ".bloom/tmp",
  setAside: ".bloom/set-aside",
  lock: ".bloom/owner.lock",
  owner: ".bloom/owner.json",
  socket: ".bloom/owner.sock",
  followed: ".bloom/followed",
  /** Where the gateway is, while `bloom up` runs. */
  gateway: ".bloom/gateway.json",
  /** For the owner alone: what tokens are signed with, which tokens there are, and one-time sign-in codes by their hash. */
  keys: ".bloom/keys",
  signingKey: ".bloom/keys/signing-key",
  tokens: ".bloom/keys/tokens",
  signIn: ".bloom/keys/sign-in",
  backups: ".bloom/backups",
} as const;

/** First parts of store keys. Anything else in the store is nobody's. */
export const storeFolders = ["agents", "inbox", "proposals", "comments", "audit"] as const;
export const REGISTRY_KEY = "registry.json";

/** Keys of the store, by what they hold. Months are those of the id or of the record, in UTC. */
const monthOf = (at: string): string => at.slice(0, 7);

export const keys = {
  proposalEvent: (id: string, number: number): string => `proposals/log/${id}/${String(number).padStart(4, "0")}.json`,
  proposalLogs: "proposals/log/",
  proposalLog: (id: string): string => `proposals/log/${id}/`,
  /** Views: pending ones flat, all others by the month of the decision or result. */
  pendingProposal: (id: string): string => `proposals/pending/${id}.json`,
  proposalView: (folder: ProposalFolder, at: string, id: string): string =>
    `proposals/${folder}/${monthOf(at)}/${id}.json`,
  /** Which pending proposal has this effect: so that an identical one is refused, also in a race. */
  sameEffect: (effect: string): string => `proposals/effects/${effect}.json`,
  /** L-8: the report without which a logic change is not approved, by the digest that it is about. */
  logicReport: (digest: string): string => `proposals/reports/${digest}.json`,
  /** What recorded runs of an agent come to by one program; made again from them at any time. */
  counterfactuals: (slug: string, program: string): string => `views/counterfactuals/${slug}/${program}.json`,
  /** What was rejected of an agent's, with the reasons: for that agent to read (P-10). */
  rejectionOf: (slug: string, id: string): string => `views/rejections/${slug}/${id}.json`,
  rejectionsOf: (slug: string): string => `views/rejections/${slug}/`,
  /** Which reverts name a proposal (P-10b): put before the revert itself is made, so that none is missed. */
  takenBack: (id: string, by: string): string => `views/taken-back/${id}/${by}.json`,
  /** Says that all of these are there. Without it (somebody deleted the views) the proposals are walked through once. */
  takenBackWhole: "views/taken-back-whole.json",
  pendingEntry: (id: string): string => `inbox/pending/${id}.json`,
  processedEntry: (at: string, id: string): string => `inbox/processed/${monthOf(at)}/${id}.json`,
  rejectedEntry: (at: string, id: string): string => `inbox/rejected/${monthOf(at)}/${id}.json`,
  /** The first entry that came with this correlation id from this identity: `hash` is over both. */
  correlatedEntry: (hash: string): string => `inbox/correlated/${hash}.json`,
  /** A webhook's signature that was used, by its hash: so that nobody sends the same request again (A-3). */
  usedSignature: (day: string, hash: string): string => `inbox/signatures/${day}/${hash}.json`,
  usedSignatures: "inbox/signatures/",
  audit: (at: string, name: string): string => `audit/${at.slice(0, 7)}/${at.slice(8, 10)}/${name}.json`,
  agentFolder: (slug: string): string => `agents/${slug}/`,
  /** There while an agent is being deleted: what stands in its folder is on its way out. */
  agentDeletion: (slug: string): string => `agents/${slug}/_deleted.json`,
  pseudocode: (slug: string): string => `agents/${slug}/pseudocode.md`,
  diagram: (slug: string, file: string): string => `agents/${slug}/drakon/${file}`,
  diagrams: (slug: string): string => `agents/${slug}/drakon/`,
  observations: (slug: string): string => `agents/${slug}/memory/observations.jsonl`,
  decisions: (slug: string): string => `agents/${slug}/memory/decisions.jsonl`,
  /** Archives of the whole memory, and reports of runs that are too old for git: `memory/<slug>/runs/` as it was. */
  memorySnapshots: (slug: string): string => `agents/${slug}/memory/snapshots/`,
  memorySnapshot: (slug: string, id: string): string => `agents/${slug}/memory/snapshots/${id}.json`,
  runReports: (slug: string): string => `agents/${slug}/memory/runs/`,
  runReport: (slug: string, run: string): string => `agents/${slug}/memory/runs/${run}.md`,
  /** On which day each fact of an agent was last given to somebody (M-2a). */
  memoryUse: (slug: string): string => `views/memory-use/${slug}.json`,
  /** Which run a request with this name became: `hash` is over who asked and the name. */
  runAsked: (slug: string, hash: string): string => `agents/${slug}/asked/${hash}.json`,
  runsAsked: (slug: string): string => `agents/${slug}/asked/`,
  /** Of one run, or the folder of all runs. */
  runs: (slug: string): string => `agents/${slug}/runs/`,
  runManifest: (slug: string, run: string): string => `agents/${slug}/runs/${run}/manifest.json`,
  runStatus: (slug: string, run: string): string => `agents/${slug}/runs/${run}/status.json`,
  runSteps: (slug: string, run: string): string => `agents/${slug}/runs/${run}/steps/`,
  runStep: (slug: string, run: string, position: number, name: string): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.json`,
  /** What the run was asked for: the first record of its journal. */
  runRequest: (slug: string, run: string): string => `agents/${slug}/runs/${run}/steps/00-request.json`,
  /** Beside the record of a step: that an act which must not happen twice has begun, and attempts that failed. */
  stepBegun: (slug: string, run: string, position: number, name: string, nth = 1): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.begun${nth > 1 ? `-${nth}` : ""}.json`,
  stepFailed: (slug: string, run: string, position: number, name: string, attempt: number): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.failed-${attempt}.json`,
  runOutput: (slug: string, run: string, name: string): string => `agents/${slug}/runs/${run}/output/${name}`,
  /** The console trace, one JSON value per line: what is bound as an annotation to the commits that the run caused. */
  runTrace: (slug: string, run: string): string => `agents/${slug}/runs/${run}/output/trace.jsonl`,
  /** That somebody wants the run to stop; created once, read before each step. */
  runCancel: (slug: string, run: string): string => `agents/${slug}/runs/${run}/cancel.json`,
  /** What a held run asks a person, and the answer, which may come before anybody waits for it. */
  heldRequest: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/requests/${id}.json`,
  heldAnswer: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/answers/${id}.json`,
  /** Runs that are not over: put before the request, deleted after the manifest. */
  openRuns: "views/open-runs/",
  openRun: (run: string): string => `views/open-runs/${run}.json`,
  /** Says that `openRuns` is whole. Without it (somebody deleted the views) the runs themselves are walked through once. */
  openRunsWhole: "views/open-runs-whole.json",
  /** Events that have happened and have not yet reached every agent which waits for them. */
  pendingEvents: "views/events/",
  pendingEvent: (hash: string): string => `views/events/${hash}.json`,
  /** When an event with this id came first: by the hash of the id. */
  knownEvent: (hash: string): string => `views/known-events/${hash}.json`,
  /** Runs to be counted anew, by what happened to them: they ended, or somebody decided about what they proposed. */
  recounts: "views/recount/",
  recountsOf: (slug: string): string => `views/recount/${slug}/`,
  recount: (slug: string, run: string, cause: string): string => `views/recount/${slug}/${run}/${cause}.json`,
  /** What the runs of an agent come to, and as what each of them was counted. */
  tallyFolder: (slug: string): string => `views/tally/${slug}/`,
  tally: (slug: string): string => `views/tally/${slug}/sum.json`,
  talliedRuns: (slug: string): string => `views/tally/${slug}/runs/`,
  talliedRun: (slug: string, run: string): string => `views/tally/${slug}/runs/${run}.json`,
  /** Agents whose figures in git may be behind their tally. */
  unwritten: "views/unwritten-figures/",
  unwrittenFigures: (slug: string): string => `views/unwritten-figures/${slug}.json`,
  /** Agents whose newest version may have kept or broken its promise by now, and how often that was looked at. */
  duePromises: "views/due-promises/",
  duePromise: (slug: string): string => `views/due-promises/${slug}.json`,
  promiseLooks: (slug: string): string => `views/promise-looks/${slug}.json`,
  /** main when the figures in git were last compared with the tallies. */
  figuresSeen: "views/figures-seen.json",
  /** What somebody who looked at the logic of an agent found; created once per look. */
  logicAnalysis: (slug: string, name: string): string => `agents/${slug}/analyses/${name}.json`,
  /** Agents whose newest analysis is not in their `current.meta.json` yet. */
  unwrittenAnalyses: "views/unwritten-analyses/",
  unwrittenAnalysis: (slug: string): string => `views/unwritten-analyses/${slug}.json`,
  /** How far the schedule of an agent has been carried out. */
  schedule: (slug: string): string => `views/schedules/${slug}.json`,
  heldRequests: (slug: string, run: string): string => `agents/${slug}/runs/${run}/requests/`,
  /** Questions that wait for a person: a view, with the run that asked. */
  openRequests: "views/open-requests/",
  openRequest: (id: string): string => `views/open-requests/${id}.json`,
  /** Who works on something now. */
  lease: (name: string): string => `views/leases/${keySegment(name)}.json`,
  /** Timers, in the order in which they are due: by day, then by time of day. */
  timers: "views/timers/",
  timer: (due: string, name: string): string =>
    `views/timers/${due.slice(0, 10)}/${due.slice(11, 23).replaceAll(/[:.]/g, "")}-${keySegment(name)}.json`,
} as const;

export type ProposalFolder = "approved" | "rejected" | "applied" | "expired" | "failed";

/** Comments on a note, each made by one proposal: the parts of the path become legal segments. */
export const commentFolder = (note: string): string => `comments/${note.split("/").map(keySegment).join("/")}/`;
export const commentKey = (note: string, proposal: string): string => `${commentFolder(note)}${proposal}.json`;

/** A contract is the one kind of object that people edit in place. */
export const contractKey = (slug: string): string => `agents/${slug}/_agent.md`;

const VIEWS: readonly RegExp[] = [
  /^registry\.json$/,
  /^inbox\/(pending|processed|rejected)\//,
  /^proposals\/(pending|approved|rejected|applied|expired|failed|effects)\//,
  /^agents\/[^/]+\/runs\/[^/]+\/status\.json$/,
  /^views\//,
];

/**
 * Whether a key is a view: written after the truth, checked against it when read, and made again from it when it is
 * lost. Only views may be overwritten or deleted; all else is created once, or swapped against a known hash.
 */
export const isViewKey = (key: string): boolean => VIEWS.some((pattern) => pattern.test(key));
