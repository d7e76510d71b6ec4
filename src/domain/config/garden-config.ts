import { z } from "zod";
import { languages, type Text } from "../../base/text.ts";
import { isSlug } from "../contract/slug.ts";
import { repoPathProblem } from "../git/git-names.ts";
import { tree } from "../layout.ts";
import { notifyKinds } from "../notification.ts";
import { actions, ruleActions } from "../proposal/action.ts";
import { type CheckedYaml, checkYaml, group, parseYaml } from "../text/checked-yaml.ts";
import { engineConfig, engineSecrets } from "./engine-config.ts";
import { federationConfig } from "./federation-config.ts";
import { expectations } from "./garden-config-words.ts";
import { remoteUrl, repoSettings } from "./repo-settings.ts";
import { storeConfig } from "./store-config.ts";
import { telemetryConfig } from "./telemetry-config.ts";

/**
 * `garden.yaml` (G-7): the owner's settings. Unknown keys are errors, and so is a setting of a part that this version does not
 * have: every accepted setting does something.
 */
export const FORMAT_VERSION = 2;
export const MAX_CONFIG_BYTES = 64 * 1024;

/** P-6a: seconds between an approval in the browser and its commit. */
export const DEFAULT_GRACE_S = 8;
export const MAX_GRACE_S = 60;

const line = z.string("line").regex(/^[^\u0000-\u001f\u007f]{1,200}$/, "line");
const count = z.int("count").positive("count");
const name = z.string("slug").refine(isSlug, "slug");
const rate = z.number("rate").min(0, "rate").max(1, "rate");
const price = z.number("price").min(0, "price").max(1_000_000, "price");
const confidence = z.number("confidence").min(0.5, "confidence").max(0.9999, "confidence");
const variable = z.string("variable").regex(/^[A-Z][A-Z0-9_]{0,99}$/, "variable");
const url = z.url({ protocol: /^https?$/, error: "url" });
const folder = z.string("folder").refine((path) => repoPathProblem(path) === undefined, "folder");
const list = <T extends z.ZodType>(item: T) => z.array(item, "list").max(1000, "list");
const named = <T extends z.ZodType>(item: T) => z.record(name, item, "named");

const notesRoot = z.string("notes_root").refine(isNotesRoot, "notes_root");
const agentsRoot = z.string("agents_root").refine(isAgentsRoot, "agents_root");

/** P-9: actions that always need a person are not in this list. */
const action = z.enum(ruleActions, "action");
const sources = z.enum(["owner", "agent", "webhook", "guest"], "source");

const timeOfDay = z.string("time").regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "time");

/** P-12a: a signed webhook, a program that gets the message on standard input, or the owner's devices by Web Push. */
const destination = group({
  name,
  webhook: url.optional(),
  secret_env: variable.optional(),
  command: z.array(line, "command").min(1, "command").max(50, "command").optional(),
  /** Hosts of the push services through which devices are told, as their subscriptions name them. */
  push: list(z.string("host").regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, "host"))
    .min(1, "list")
    .optional(),
  /** Web Push says only what kind of thing happened, not what it is about. */
  brief: z.boolean("flag").optional(),
  /** Whom a push service may tell about trouble (RFC 8292). Without it, the `user.email` of git. */
  contact: z
    .string("contact")
    .max(300, "contact")
    .regex(/^(?:mailto:[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|https:\/\/[^\s<>]+)$/, "contact")
    .optional(),
  kinds: list(z.enum(notifyKinds, "notifyKind"))
    .min(1, "list")
    .default([...notifyKinds]),
  /** Once a day at this time of the garden's zone, instead of at once. */
  digest: timeOfDay.optional(),
  /** No message is sent between these times; what happens then is sent afterwards. */
  quiet: group({ from: timeOfDay, to: timeOfDay }).optional(),
}).refine(
  ({ webhook, secret_env, command, push, brief, contact }) =>
    [webhook, command, push].filter((each) => each !== undefined).length === 1 &&
    (webhook === undefined) === (secret_env === undefined) &&
    ((brief === undefined && contact === undefined) || push !== undefined),
  "destination",
);

const timezone = z.string("timezone").refine(isTimeZone, "timezone");

export const gardenConfig = group({
  version: z.literal(FORMAT_VERSION, "version"),
  name: line,
  language: z.enum(languages, "language").optional(),
  notes_root: notesRoot.default(tree.notes),
  /** G-1a: the folder of the agents' own files. Never part of the notes. */
  agents_root: agentsRoot.default(tree.agents),
  store: storeConfig,
  engine: engineConfig,
  telemetry: telemetryConfig,
  /** The loop of a run with a language model. Without this setting: Mastra where it is installed, else the light loop. */
  runtime: z
    .discriminatedUnion("kind", [group({ kind: z.literal("mastra") }), group({ kind: z.literal("ai-sdk") })], "runtime")
    .optional(),
  models: named(group({ url, key_env: variable.optional() })).default({}),
  /** Prices per million tokens. Without a price, runs report tokens only. */
  prices: group({
    currency: z
      .string("currency")
      .regex(/^[A-Z]{3}$/, "currency")
      .default("USD"),
    models: z.record(line, group({ input: price, output: price }), "named").default({}),
  }).default({ currency: "USD", models: {} }),
  reader: z
    .discriminatedUnion(
      "kind",
      [
        group({ kind: z.literal("local") }),
        group({ kind: z.literal("notebooklm"), url, key_env: variable.optional() }),
      ],
      "reader",
    )
    .default({ kind: "local" }),
  auto_approve: list(
    group({
      /** Records and commits call it `rule:<name>` (P-10d); without a name, by its number. */
      name: name.optional(),
      source: sources,
      identity: line.optional(),
      actions: list(action),
      folder: folder.optional(),
      /** `own-values`: of memory updates only those that set an agent's own named values and nothing else. */
      only: z.literal("own-values", "only").optional(),
    }),
  ).default([]),
  /** Further agents whose folders an agent may propose to change (an optimizer proposes logic of others). */
  grants: list(group({ agent: name, actions: list(z.enum(actions, "anyAction")), on: list(name) })).default([]),
  notify: list(destination)
    .refine((all) => new Set(all.map((each) => each.name)).size === all.length, "distinctNames")
    .default([]),
  webhooks: list(group({ name, secret_env: variable, actions: list(action) })).default([]),
  zones: list(
    group({
      name,
      folders: list(folder),
      actions: list(action).default([]),
      expires: z.iso.date("date").optional(),
    }),
  ).default([]),
  limits: group({
    owner_per_minute: count.optional(),
    agent_per_minute: count.optional(),
    webhook_per_minute: count.optional(),
    guest_per_minute: count.optional(),
    body_bytes: count.optional(),
    note_bytes: count.optional(),
    artifact_bytes: count.optional(),
    proposal_hours: count.optional(),
    /** P-6a: an approval in the browser is applied after so many seconds, and can be withdrawn until then. Default 8; 0 applies at once. */
    approval_grace_seconds: z.int("grace").min(0, "grace").max(MAX_GRACE_S, "grace").optional(),
    /**
     * Maximum percentage of an agent's layer 1 that a rule may let one update replace or remove; more needs a person. Default 50.
     */
    memory_change_percent: count.max(100, "percent").optional(),
  }).default({}),
  egress: list(z.string("host").regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, "host")).default([]),
  retention: group({
    /** Backups kept in `.bloom/backups`, the newest ones. Default: all. */
    backups: count.optional(),
    /** Reports of runs in `memory/<agent>/runs/` move from git to the store after so many days. Default 90. */
    reports_days: count.optional(),
    /** Sessions whose work another branch has go to the archive so many days after their last commit. Default 30. */
    merged_sessions_days: count.optional(),
    /** The same for sessions that nobody works on. Default 180. */
    idle_sessions_days: count.optional(),
  }).default({}),
  /** Z-6: figures that make an optimizer analyse an agent; L-5a: number of runs needed for any claim. */
  learning: group({
    success_below: rate.default(0.9),
    tokens_above: count.default(5000),
    enough_runs: count.default(30),
    /** Confidence of a claim of better or worse: its interval must exclude zero. */
    confidence: confidence.default(0.95),
    /** L-8: number of newest runs that a proposed change of logic is replayed against. */
    counterfactual_runs: count.default(200),
  }).default({
    success_below: 0.9,
    tokens_above: 5000,
    enough_runs: 30,
    confidence: 0.95,
    counterfactual_runs: 200,
  }),
  schedule: group({
    timezone: timezone.default("UTC"),
    missed: z.enum(["skip", "once", "all"], "missed").default("once"),
  }).default({ timezone: "UTC", missed: "once" }),
  remotes: named(group({ url: remoteUrl })).default({}),
  repo: repoSettings,
  federation: federationConfig,
})
  .refine(({ federation, remotes }) => !(federation.public && Object.hasOwn(remotes, "public")), {
    error: "publicRemote",
    path: ["remotes", "public"],
  })
  .refine((config) => config.notes_root.split("/")[0]!.toLowerCase() !== config.agents_root.toLowerCase(), {
    error: "agents_root",
    path: ["agents_root"],
  });
export type NotifyDestination = GardenConfig["notify"][number];
export type GardenConfig = z.infer<typeof gardenConfig>;

export type ConfigReading =
  | CheckedYaml<GardenConfig>
  /** Written by another format version; 0 is a file without a version. */
  | { readonly kind: "older"; readonly version: number }
  | { readonly kind: "newer"; readonly version: number };

export function readGardenConfig(bytes: Uint8Array): ConfigReading {
  if (bytes.length > MAX_CONFIG_BYTES) return wholeFile("tooLarge", bytes.length);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return wholeFile("notText");
  }
  const version = formatVersionOf(text);
  if (version !== undefined && version !== FORMAT_VERSION) {
    return { kind: version > FORMAT_VERSION ? "newer" : "older", version };
  }
  return checkYaml<GardenConfig>(text, gardenConfig, expectations);
}

/** The format version in a file; 0 if it is a map without one, undefined if it cannot be read. */
export function formatVersionOf(text: string): number | undefined {
  const parsed = parseYaml(text);
  if (parsed.kind === "problems" || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  const version: unknown = "version" in parsed.value ? parsed.value.version : 0;
  return typeof version === "number" && Number.isInteger(version) && version >= 0 ? version : undefined;
}

function wholeFile(which: "tooLarge" | "notText", found?: number): ConfigReading {
  const text: Record<typeof which, Text> = {
    tooLarge: { en: `the file has ${found} bytes`, uk: `у файлі ${found} байтів` },
    notText: { en: "this is not text in UTF-8", uk: "це не текст у UTF-8" },
  };
  return { kind: "problems", problems: [{ line: 1, field: "", found: text[which], expected: expectations[which] }] };
}

export function isNotesRoot(path: string): boolean {
  if (path === ".") return true;
  const first = path.split("/")[0]!.toLowerCase();
  return repoPathProblem(path) === undefined && first !== tree.memory && first !== tree.logic;
}

/** One folder at the top of the garden, hidden or not: a nested one would make the folder of a note a folder of agents. */
export function isAgentsRoot(path: string): boolean {
  const taken: readonly string[] = [tree.memory, tree.logic, ".git", ".bloom"];
  return repoPathProblem(path) === undefined && !path.includes("/") && !taken.includes(path.toLowerCase());
}

export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The environment variables that hold secrets: keys of models, reader, bucket and engine, secrets of webhooks. */
export const secretVariables = ({
  models,
  reader,
  webhooks,
  notify,
  store,
  engine,
  telemetry,
}: GardenConfig): readonly string[] =>
  [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    ...Object.values(models).map(({ key_env }) => key_env),
    ...("key_env" in reader ? [reader.key_env] : []),
    ...("secret_env" in store ? [store.secret_env] : []),
    ...[...webhooks, ...notify].map(({ secret_env }) => secret_env),
    ...engineSecrets(engine),
    telemetry?.headers_env,
  ].filter((given) => given !== undefined);
