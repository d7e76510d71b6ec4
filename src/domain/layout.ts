import { keySegment } from "./store-key.ts";

/**
 * Every path and ref name of a garden is defined in this file, and nowhere else.
 *
 * The garden is an ordinary git work tree; the program's files are in `.bloom/`, which has its own ignore file.
 */
export const MAIN_BRANCH = "main";
export const MAIN_REF = `refs/heads/${MAIN_BRANCH}`;
export const TRACE_REF = "refs/notes/trace";
/** Moves whenever an apply is given up, so that a process with the old plan cannot land it. */
export const FENCE_REF = "refs/bloom/fence";
/** The values of refs on the remote of `repo` at the last contact. Not in bundles and backups: a restored garden asks the remote anew. */
export const AUTHORITY_REFS = "refs/authority/";

/** S-2: refs of sessions. A branch and its dossier are created and deleted together. */
export const SESSION_BRANCHES = "refs/heads/agents/";
export const sessionBranch = (name: string): string => `${SESSION_BRANCHES}${name}`;
export const SESSION_DOSSIERS = "refs/agentic/agents/";
export const sessionDossier = (name: string): string => `${SESSION_DOSSIERS}${name}`;
/** Sessions that were put away: `<name>/<first digits of a commit>/head` and `/dossier`. A name can be put away more than once. */
export const SESSION_ARCHIVE = "refs/agentic/archive/";
export const archivedSession = (name: string, at: string, part: "head" | "dossier"): string =>
  `${SESSION_ARCHIVE}${name}/${at.slice(0, 12)}/${part}`;
/** S-4: one commit per event. */
export const EDGES_REF = "refs/agentic/edges";
/** S-1, S-9b: kinds registered at run time, and the behaviours that this garden publishes. Everything in it may be announced. */
export const LIBRARY_REF = "refs/agentic/library";
export const kindFile = (name: string): string => `kinds/${name}.json`;
export const PUBLISHED_BEHAVIOURS = "behaviours";
export const behaviourFolder = (behaviour: string): string => `${PUBLISHED_BEHAVIOURS}/${behaviour}`;
/** S-9b: names of own behaviours, and behaviours that came in a file. Never announced. */
export const SHELF_REF = "refs/agentic/shelf";
export const behaviourNameFile = (behaviour: string): string => `names/${behaviour}.json`;
export const IMPORTED_BEHAVIOURS = "imported";
/** S-10: grants to other gardens, one file per object, named by its id. */
export const CAPABILITIES_REF = "refs/agentic/caps";
export const capabilityFile = (id: string): string => `${id}.json`;
/** S-10: the other gardens that this one follows, one file each. */
export const PEER_BOOK_REF = "refs/agentic/peer-book";
export const peerFile = (name: string): string => `${name}.json`;
/** S-10: the chain of this garden's own announcements. */
export const ANNOUNCE_REF = "refs/agentic/announce";
/** S-10: the traces of published sessions as others get them, beside those of all sessions in `TRACE_REF`. */
export const SHARED_TRACES_REF = "refs/agentic/shared-traces";
export const PEER_REFS = "refs/agentic/peers/";
/** S-10: what is known of another garden. Nothing here writes to these refs but the acceptance of its announcements. */
export const peerRefs = (peer: string) => ({
  announce: `${PEER_REFS}${peer}/announce`,
  branches: `refs/remotes/${peer}/agents/`,
  dossiers: `${PEER_REFS}${peer}/agents/`,
  traces: `refs/notes/remotes/${peer}/trace`,
  library: `refs/remotes/${peer}/library`,
});
/** In an audit bundle: the records behind the commits, under their keys, and the range that they are about. */
export const AUDIT_RECORDS_REF = "refs/audit/records";
export const AUDIT_RANGE_FILE = "range.json";
/** The keys that signed something in the bundle, as `git verify-commit` wants them. */
export const AUDIT_SIGNERS_FILE = "allowed_signers";
export const auditRecordFile = (key: string): string => `store/${key}`;
export const BRIEFING_FILE = "briefing.json";
/** S-6: long texts of traces, beside the annotations in the tree of the notes ref: a text that occurs twice is stored once. */
export const TRACE_TEXTS = "texts/";
export const traceTextFile = (id: string): string => `${TRACE_TEXTS}${id.slice(0, 2)}/${id.slice(2)}`;

/** In the work tree, tracked by git. */
export const tree = {
  config: "garden.yaml",
  notes: "notes",
  /** Default of `agents_root`. */
  agents: "agents",
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
  /** Git's rules for merging the files of all agents. */
  attributes: `${tree.logic}/.gitattributes`,
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

/** In the program's folder, never tracked by git. Paths are relative to the garden. */
export const machine = {
  folder: ".bloom",
  ignore: ".bloom/.gitignore",
  /** Exists while `bloom init` is in progress: its plan. */
  making: ".bloom/making.json",
  store: ".bloom/store",
  storeLog: ".bloom/log",
  temporary: ".bloom/tmp",
  setAside: ".bloom/set-aside",
  lock: ".bloom/owner.lock",
  owner: ".bloom/owner.json",
  socket: ".bloom/owner.sock",
  followed: ".bloom/followed",
  /** The search index of the notes: a cache that can be deleted at any time. */
  search: ".bloom/search",
  /** The gateway's address, while `bloom up` runs. */
  gateway: ".bloom/gateway.json",
  /** Private to the owner: signing keys, the list of tokens, and hashes of one-time sign-in codes. */
  keys: ".bloom/keys",
  signingKey: ".bloom/keys/signing-key",
  /** S-10: the key of the garden itself, in the format of OpenSSH. */
  gardenKey: ".bloom/keys/garden",
  /** A new key, while it takes the place of the old one. */
  nextGardenKey: ".bloom/keys/garden.next",
  /** S-10: the bare repository that the gateway serves to other gardens: exactly what is announced. */
  publicSpace: ".bloom/public.git",
  publicSpaceLock: ".bloom/public.lock",
  tokens: ".bloom/keys/tokens",
  signIn: ".bloom/keys/sign-in",
  pushKey: ".bloom/keys/push-key",
  pushDevices: ".bloom/keys/push-devices",
  backups: ".bloom/backups",
  /** Exists while `bloom move` is in progress: from where to where. */
  moving: ".bloom/moving.json",
  /** Stores of the directory that were moved elsewhere, by time. The owner may delete them. */
  movedStores: ".bloom/moved-stores",
  /** S-6: what sessions recorded since their last commit. */
  traceBuffer: (session: string): string => `.bloom/traces/${session}.jsonl`,
  /** Up to where a buffer was drained into commits. */
  traceCursor: (session: string): string => `.bloom/traces/${session}.cursor.json`,
  /** Copies of sessions' files in which programs of the owner work, each with its state and its lock. */
  programs: ".bloom/programs",
  programCopy: (session: string): string => `.bloom/programs/${session}`,
  programState: (session: string): string => `.bloom/programs/${session}/state.json`,
  programLock: (session: string): string => `.bloom/programs/${session}.lock`,
  /** Result of the last self-test of the bucket's server; can be deleted at any time. */
  storeProof: ".bloom/store-proof.json",
} as const;

/** First segments of store keys, besides `views/` and `registry.json`. */
export const storeFolders = ["agents", "inbox", "proposals", "comments", "audit", "legacy", "library"] as const;
export const REGISTRY_KEY = "registry.json";

/** Store keys by content. Months are those of the id or of the record, in UTC. */
const monthOf = (at: string): string => at.slice(0, 7);

export const keys = {
  proposalEvent: (id: string, number: number): string => `proposals/log/${id}/${String(number).padStart(4, "0")}.json`,
  proposalLogs: "proposals/log/",
  proposalLog: (id: string): string => `proposals/log/${id}/`,
  /** Views: pending ones flat, all others by the month of the decision or result. */
  pendingProposal: (id: string): string => `proposals/pending/${id}.json`,
  proposalView: (folder: ProposalFolder, at: string, id: string): string =>
    `proposals/${folder}/${monthOf(at)}/${id}.json`,
  /** Cards of pending views that were checked, for all processes; can be deleted at any time. */
  pendingCards: "views/pending-cards.json",
  /** The pending proposal with this effect: an identical one is refused, also in a race. */
  sameEffect: (effect: string): string => `proposals/effects/${effect}.json`,
  /** L-8: the report required to approve a logic change, by the digest that it covers. */
  logicReport: (digest: string): string => `proposals/reports/${digest}.json`,
  /** Cached results of replaying an agent's recorded runs on one program; can be rebuilt. */
  counterfactuals: (slug: string, program: string): string => `views/counterfactuals/${slug}/${program}.json`,
  /** S-9b: the result of replaying a behaviour of the library on the recorded runs of an agent; can be made again. */
  libraryReplay: (entry: string, slug: string): string => `views/library/${entry}/${slug}.json`,
  libraryReplays: "views/library/",
  /** S-9b: suggestions that the owner does not want, by the id of the suggestion; created once. */
  dismissedSuggestions: "library/dismissed/",
  dismissedSuggestion: (id: string): string => `library/dismissed/${id}.json`,
  /** Rejections with their reasons, for the agent that proposed (P-10). */
  rejectionOf: (slug: string, id: string): string => `views/rejections/${slug}/${id}.json`,
  rejectionsOf: (slug: string): string => `views/rejections/${slug}/`,
  /** Reverts that name a proposal (P-10b): put before the revert is created, so that none is missed. */
  takenBack: (id: string, by: string): string => `views/taken-back/${id}/${by}.json`,
  /** Marks `takenBack` as complete. If the views were deleted, all proposals are scanned once. */
  takenBackWhole: "views/taken-back-whole.json",
  /** P-10c: remarks on a proposal, each created once. */
  remarks: (id: string): string => `proposals/remarks/${id}/`,
  remark: (id: string, number: number): string => `proposals/remarks/${id}/${String(number).padStart(4, "0")}.json`,
  /** P-11: the owner's reason to keep a commit that does not match its proposal; created once. */
  keptWords: (id: string, commit: string): string => `proposals/kept/${id}/${commit}.json`,
  /** Proposals that are being sent back: put before the decision, deleted after the request of the run. */
  openRevisions: "views/open-revisions/",
  openRevision: (id: string): string => `views/open-revisions/${id}.json`,
  pendingEntry: (id: string): string => `inbox/pending/${id}.json`,
  processedEntry: (at: string, id: string): string => `inbox/processed/${monthOf(at)}/${id}.json`,
  rejectedEntry: (at: string, id: string): string => `inbox/rejected/${monthOf(at)}/${id}.json`,
  /** The first entry with this correlation id from this identity: `hash` covers both. */
  correlatedEntry: (hash: string): string => `inbox/correlated/${hash}.json`,
  /** A used webhook signature, by its hash: prevents replay of a request (A-3). */
  usedSignature: (day: string, hash: string): string => `inbox/signatures/${day}/${hash}.json`,
  usedSignatures: "inbox/signatures/",
  audit: (at: string, name: string): string => `audit/${at.slice(0, 7)}/${at.slice(8, 10)}/${name}.json`,
  /** I-2: records of the earlier system, each pinned once; their texts are removed when the parallel reading ends. */
  legacyRecords: "legacy/kv/",
  legacyRecord: (kind: "proposals" | "zones", id: string): string => `legacy/kv/${kind}/${keySegment(id)}.json`,
  agentFolder: (slug: string): string => `agents/${slug}/`,
  /** Exists while an agent is being deleted: its folder is being removed. */
  agentDeletion: (slug: string): string => `agents/${slug}/_deleted.json`,
  /** Changes of agents' files by the program that no commit has yet (G-1a). */
  agentChanges: "views/agent-changes/",
  agentChangesOf: (slug: string): string => `views/agent-changes/${slug}/`,
  agentChange: (slug: string, id: string): string => `views/agent-changes/${slug}/${id}.json`,
  pseudocode: (slug: string): string => `agents/${slug}/pseudocode.md`,
  diagram: (slug: string, file: string): string => `agents/${slug}/drakon/${file}`,
  diagrams: (slug: string): string => `agents/${slug}/drakon/`,
  observations: (slug: string): string => `agents/${slug}/memory/observations.jsonl`,
  decisions: (slug: string): string => `agents/${slug}/memory/decisions.jsonl`,
  /** Archives of the whole memory, and reports of runs that are too old for git (`memory/<slug>/runs/` as it was). */
  memorySnapshots: (slug: string): string => `agents/${slug}/memory/snapshots/`,
  memorySnapshot: (slug: string, id: string): string => `agents/${slug}/memory/snapshots/${id}.json`,
  runReports: (slug: string): string => `agents/${slug}/memory/runs/`,
  runReport: (slug: string, run: string): string => `agents/${slug}/memory/runs/${run}.md`,
  /** The last day on which each fact of an agent was read (M-2a). */
  memoryUse: (slug: string): string => `views/memory-use/${slug}.json`,
  /** The run created for a request: `hash` covers the requester and the request's name. */
  runAsked: (slug: string, hash: string): string => `agents/${slug}/asked/${hash}.json`,
  runsAsked: (slug: string): string => `agents/${slug}/asked/`,
  /** All runs of an agent; a run's own folder is below. */
  runs: (slug: string): string => `agents/${slug}/runs/`,
  runFolder: (slug: string, run: string): string => `agents/${slug}/runs/${run}/`,
  runManifest: (slug: string, run: string): string => `agents/${slug}/runs/${run}/manifest.json`,
  runStatus: (slug: string, run: string): string => `agents/${slug}/runs/${run}/status.json`,
  runSteps: (slug: string, run: string): string => `agents/${slug}/runs/${run}/steps/`,
  runStep: (slug: string, run: string, position: number, name: string): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.json`,
  /** The run's request: the first record of its journal. */
  runRequest: (slug: string, run: string): string => `agents/${slug}/runs/${run}/steps/00-request.json`,
  /** Beside the record of a step: the mark that a call which must not be repeated has begun, and failed attempts. */
  stepBegun: (slug: string, run: string, position: number, name: string, nth = 1): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.begun${nth > 1 ? `-${nth}` : ""}.json`,
  stepFailed: (slug: string, run: string, position: number, name: string, attempt: number): string =>
    `agents/${slug}/runs/${run}/steps/${String(position).padStart(2, "0")}-${name}.failed-${attempt}.json`,
  runOutput: (slug: string, run: string, name: string): string => `agents/${slug}/runs/${run}/output/${name}`,
  /** The console trace, one JSON value per line; annotated on the commits that the run caused. */
  runTrace: (slug: string, run: string): string => `agents/${slug}/runs/${run}/output/trace.jsonl`,
  /** A request to cancel the run; created once, read by its worker (`cancelRun`). */
  runCancel: (slug: string, run: string): string => `agents/${slug}/runs/${run}/cancel.json`,
  /** Work on a run that an earlier process left open (`run-attempt.ts`). */
  runAttempts: (slug: string, run: string): string => `agents/${slug}/runs/${run}/attempts/`,
  runAttempt: (slug: string, run: string, attempt: number, part: string): string =>
    `agents/${slug}/runs/${run}/attempts/${String(attempt).padStart(2, "0")}-${part}.json`,
  /** The request of a held run, and the answer, which may arrive before the run waits for it. */
  heldRequest: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/requests/${id}.json`,
  heldAnswer: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/answers/${id}.json`,
  /** The sub-agents that a run asked for. */
  subRun: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/sub-runs/${id}.json`,
  subRuns: (slug: string, run: string): string => `agents/${slug}/runs/${run}/sub-runs/`,
  /** Unfinished runs: put before the request, deleted after the manifest. */
  openRuns: "views/open-runs/",
  openRun: (run: string): string => `views/open-runs/${run}.json`,
  /** Marks `openRuns` as complete. If the views were deleted, all runs are scanned once. */
  openRunsWhole: "views/open-runs-whole.json",
  /** Events not yet delivered to every agent that waits for them. */
  pendingEvents: "views/events/",
  pendingEvent: (hash: string): string => `views/events/${hash}.json`,
  /** The first arrival of an event with this id, by the hash of the id. */
  knownEvents: "views/known-events/",
  knownEvent: (hash: string): string => `views/known-events/${hash}.json`,
  /** Runs to be counted again, because they ended or their proposals were decided. */
  recounts: "views/recount/",
  recountsOf: (slug: string): string => `views/recount/${slug}/`,
  recount: (slug: string, run: string, cause: string): string => `views/recount/${slug}/${run}/${cause}.json`,
  /** The sums over an agent's runs, and how each run was counted. */
  tallyFolder: (slug: string): string => `views/tally/${slug}/`,
  tally: (slug: string): string => `views/tally/${slug}/sum.json`,
  talliedRuns: (slug: string): string => `views/tally/${slug}/runs/`,
  talliedRun: (slug: string, run: string): string => `views/tally/${slug}/runs/${run}.json`,
  /** Agents whose figures in git may be older than their tally. */
  unwritten: "views/unwritten-figures/",
  unwrittenFigures: (slug: string): string => `views/unwritten-figures/${slug}.json`,
  /** Agents whose newest version is due for a check of its promise, with the number of checks so far. */
  duePromises: "views/due-promises/",
  duePromise: (slug: string): string => `views/due-promises/${slug}.json`,
  promiseLooks: (slug: string): string => `views/promise-looks/${slug}.json`,
  /** main at the last comparison of the figures in git with the tallies. */
  figuresSeen: "views/figures-seen.json",
  /** Result of one analysis of an agent's logic; created once per analysis. */
  logicAnalysis: (slug: string, name: string): string => `agents/${slug}/analyses/${name}.json`,
  /** Agents whose newest analysis is not yet in their `current.meta.json`. */
  unwrittenAnalyses: "views/unwritten-analyses/",
  unwrittenAnalysis: (slug: string): string => `views/unwritten-analyses/${slug}.json`,
  /** The last slot carried out of an agent's schedule. */
  schedule: (slug: string): string => `views/schedules/${slug}.json`,
  /** When a contract was first found without a readable status; deleted when it can be read again. */
  unreadableContract: (slug: string): string => `views/unreadable-contracts/${slug}.json`,
  /** P-12a: since when a destination is told, its last digest, and its messages with the state of their delivery. */
  notifyState: (name: string): string => `views/notify/${name}/state.json`,
  notifyMessages: (name: string): string => `views/notify/${name}/messages/`,
  notifyMessage: (name: string, id: string): string => `views/notify/${name}/messages/${id}.json`,
  sandboxEntries: (slug: string, run: string): string => `agents/${slug}/runs/${run}/sandbox/`,
  sandboxEntry: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/sandbox/${id}.json`,
  sandboxEnd: (slug: string, run: string, id: string): string => `agents/${slug}/runs/${run}/sandbox/${id}.end.json`,
  /** Entries that nobody has promoted or discarded. */
  openSandbox: "views/sandbox/",
  openSandboxEntry: (id: string): string => `views/sandbox/${id}.json`,
  heldRequests: (slug: string, run: string): string => `agents/${slug}/runs/${run}/requests/`,
  heldAnswers: (slug: string, run: string): string => `agents/${slug}/runs/${run}/answers/`,
  /** Open requests to people: a view, with the run that asked. */
  openRequests: "views/open-requests/",
  openRequest: (id: string): string => `views/open-requests/${id}.json`,
  /** Processes that serve the garden (O-10): put every ten seconds, deleted at the end of the process. */
  peers: "views/peers/",
  peer: (id: string): string => `views/peers/${id}.json`,
  /** S-10: the newest announcement whose content the owner has seen and published: the public space holds this one. */
  releasedAnnouncement: "views/released-announcement.json",
  /** S-10: the last look at each garden that is followed, what it cost within the hour, and news of it that nobody has looked at. */
  gardenLook: (name: string): string => `views/gardens/looks/${name}.json`,
  gardenQuota: (name: string): string => `views/gardens/quotas/${name}.json`,
  gardenNews: "views/gardens/news/",
  gardenNewsOf: (name: string): string => `views/gardens/news/${name}.json`,
  /** Gardens that are still to be told of this one's newest announcement. */
  unsentNews: "views/gardens/unsent/",
  unsentNewsOf: (name: string): string => `views/gardens/unsent/${name}.json`,
  leases: "views/leases/",
  /** In a bucket whose garden was moved elsewhere: processes with older settings must not go on there. */
  movedTo: "views/moved-to.json",
  /** The `init` that took this place of a bucket. It is needed until the first other object is written. */
  claim: "views/claim.json",
  /** The bucket of a sender's rate limit, where several processes serve the garden; the hash names the sender. */
  rate: (hash: string): string => `views/rates/${hash}.json`,
  /** The current holder of a lease. */
  lease: (name: string): string => `views/leases/${keySegment(name)}.json`,
} as const;

export type ProposalFolder = "approved" | "rejected" | "applied" | "expired" | "failed";

/** Comments on a note, each made by one proposal; the parts of the note's path become legal segments. */
export const commentFolder = (note: string): string => `comments/${note.split("/").map(keySegment).join("/")}/`;
export const commentKey = (note: string, proposal: string): string => `${commentFolder(note)}${proposal}.json`;

export const contractKey = (slug: string): string => `agents/${slug}/_agent.md`;

/** Names in an agent's folder that people write (G-1a). Everything else of an agent is the program's. */
export const agentParts = { files: ["_agent.md", "pseudocode.md"], folders: ["drakon", "sources"] } as const;

const AGENT_FILE = new RegExp(
  `^agents/([^/]+)/(?:(?:${agentParts.files.join("|").replaceAll(".", "\\.")})$|(?:${agentParts.folders.join("|")})/.)`,
);

/** True for the files of an agent that people write: the only objects that are edited in place. */
export const isAgentFileKey = (key: string): boolean => AGENT_FILE.test(key);

/** The path in the work tree of an agent's file (G-1a), and the reverse; undefined for other keys and paths. */
export const agentFilePath = (agentsRoot: string, key: string): string | undefined =>
  isAgentFileKey(key) ? `${agentsRoot}/${key.slice("agents/".length)}` : undefined;
export function agentFileKey(agentsRoot: string, path: string): string | undefined {
  const key = path.startsWith(`${agentsRoot}/`) ? `agents/${path.slice(agentsRoot.length + 1)}` : "";
  return isAgentFileKey(key) ? key : undefined;
}

const VIEWS: readonly RegExp[] = [
  /^registry\.json$/,
  /^inbox\/(pending|processed|rejected)\//,
  /^proposals\/(pending|approved|rejected|applied|expired|failed|effects)\//,
  /^agents\/[^/]+\/runs\/[^/]+\/status\.json$/,
  /^views\//,
];

/**
 * True for keys that may be overwritten or deleted: views, which are derived from the records and rebuilt when lost, and work in
 * progress (inbox entries, leases, undelivered events, changes of agents without their commit), which is needed until that work is
 * done. Every other object is created once, or swapped against a known hash.
 */
export const isViewKey = (key: string): boolean => VIEWS.some((pattern) => pattern.test(key));

const CREATE_ONLY: readonly RegExp[] = [
  /^proposals\/(?:log|remarks|reports)\//,
  /^agents\/[^/]+\/runs\/[^/]+\/(?:manifest\.json$|(?:steps|attempts|requests|answers)\/)/,
  /^audit\//,
];

/** True for records that are created once and never replaced, so a copy of one stays true until it is removed with its agent. */
export const isCreateOnlyKey = (key: string): boolean => CREATE_ONLY.some((pattern) => pattern.test(key));

/**
 * True if the last segment of a key has one of the program's extensions and no other segment has a dot, as in nearly all keys of this
 * file: of two such keys, none can be a folder of the other.
 */
export const isPlainlyNamedKey = (key: string): boolean => /^(?:[^/.]+\/)*[^/]+\.(?:json|jsonl|md)$/.test(key);
