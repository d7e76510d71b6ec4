/**
 * Where everything is: every path of a garden and every ref name stands in this file, and nowhere else.
 *
 * The folder itself is an ordinary git work tree; the machine's part lies in `.bloom/`, which ignores itself.
 */
export const MAIN_BRANCH = "main";
export const MAIN_REF = `refs/heads/${MAIN_BRANCH}`;
export const TRACE_REF = "refs/notes/trace";

/** In the work tree, under git. */
export const tree = {
  config: "garden.yaml",
  notes: "notes",
  memory: "memory",
  logic: "logic",
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
  keys: ".bloom/keys",
  backups: ".bloom/backups",
} as const;

/** First parts of store keys. Anything else in the store is nobody's. */
export const storeFolders = ["agents", "inbox", "proposals", "comments", "audit"] as const;
export const REGISTRY_KEY = "registry.json";

/** A contract is the one kind of object that people edit in place. */
export const contractKey = (slug: string): string => `agents/${slug}/_agent.md`;

const VIEWS: readonly RegExp[] = [
  /^registry\.json$/,
  /^inbox\/(pending|processed|rejected)\//,
  /^proposals\/(pending|approved|rejected|applied|expired|failed)\//,
  /^agents\/[^/]+\/runs\/[^/]+\/status\.json$/,
  /^views\//,
];

/**
 * Whether a key is a view: written after the truth, checked against it when read, and made again from it when it is
 * lost. Only views may be overwritten or deleted; all else is created once, or swapped against a known hash.
 */
export const isViewKey = (key: string): boolean => VIEWS.some((pattern) => pattern.test(key));
