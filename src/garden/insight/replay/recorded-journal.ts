import { createHash } from "node:crypto";
import type { Json } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { keys } from "../../../domain/layout.ts";
import { type RunRequest, runRequest } from "../../../domain/run/run.ts";
import { journalId, LOAD_CONTEXT, type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import { type StepRecord, stepKeyParts } from "../../../domain/run/run-step.ts";
import { type ArgumentNames, argumentNamesFor } from "../../../drakon/expression/argument-names.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { everyKey } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { contractIn, type RunBrief, runBrief } from "../../runs/brief.ts";
import { argumentFields } from "../../runs/execute/argument-fields.ts";
import { contextNames } from "../../runs/execute/instructions.ts";
import { type AgentProcedure, type ProcedureReading, readProcedure } from "../../runs/execute/procedure.ts";
import { toolsFor } from "../../runs/tools/tools.ts";

/** The recording of an ended run: its contract and procedure, and every call in order. */
export interface RecordedJournal {
  readonly manifest: RunManifest;
  readonly request: RunRequest;
  readonly brief: RunBrief;
  readonly contract: Contract;
  readonly procedure: AgentProcedure;
  /** Initial values of the walk. */
  readonly input: { readonly [name: string]: Json };
  /** Model calls, tool calls, and readings of clock and random numbers, in order. */
  readonly calls: readonly StepRecord[];
  /** Argument names of a tool: from its schema, or for outside tools from the recorded inputs. */
  readonly fieldsOf: (tool: string) => readonly string[];
  readonly argumentNames: ArgumentNames;
  /** The contract allows this tool. */
  readonly granted: (tool: string) => boolean;
}

export type JournalReading =
  | { readonly kind: "journal"; readonly journal: RecordedJournal }
  | { readonly kind: "unreadable"; readonly why: Text };

const unreadable = (en: string, uk: string): JournalReading => ({ kind: "unreadable", why: { en, uk } });

/**
 * Reads the recording of a run. The manifest contains the id of the journal (O-9), so matching records need no further validation.
 * `unreadable` with the reason if they do not match.
 */
export async function readRecordedJournal(
  garden: Garden,
  place: RunPlace,
  steps?: readonly string[],
): Promise<JournalReading> {
  const { slug, run } = place;
  const stored = await garden.store.get(keys.runManifest(slug, run));
  if (!stored) return unreadable("it has not ended or was deleted", "він ще не завершився, або його видалено");
  const manifest = runManifest.safeParse(jsonIn(stored.bytes)).data;
  if (!manifest) return unreadable("its manifest is damaged", "його маніфест пошкоджено");
  const objects = await objectsOf(garden, steps ?? (await stepsOf(garden, place)));
  if (journalId(objects) !== manifest.journal)
    return unreadable(
      "its records were changed, added to or deleted after the run",
      "його записи не ті, які він зробив: щось із них відтоді змінено, додано чи видалено",
    );
  return recordingIn(garden, place, objects, manifest);
}

/** Reads the recording of a run that is held: the same as if it were cancelled now. */
export async function readHeldJournal(garden: Garden, place: RunPlace): Promise<JournalReading> {
  return recordingIn(garden, place, await objectsOf(garden, await stepsOf(garden, place)));
}

/** Without a manifest the run has not ended. */
function recordingIn(
  garden: Garden,
  place: RunPlace,
  objects: readonly StoredObject[],
  manifest?: RunManifest,
): JournalReading {
  const { slug, run } = place;
  const records = objects
    .filter(({ key }) => key !== keys.runRequest(slug, run) && stepKeyParts(key)?.part === "record")
    .map(({ bytes }) => jsonIn(bytes) as StepRecord)
    .toSorted((a, b) => a.position - b.position);
  const request = runRequest.safeParse(
    jsonIn(objects.find(({ key }) => key === keys.runRequest(slug, run))?.bytes),
  ).data;
  const loaded = records.find(({ name }) => name === LOAD_CONTEXT);
  const brief = runBrief.safeParse(loaded?.output).data;
  if (!request || !brief)
    return unreadable(
      "its starting context was not recorded, or in another format",
      "з чого він почався, не записано або записано в іншій формі",
    );
  const calls = records.filter(({ kind, name }) => kind !== "step" || ASIDE.has(name));
  const recorded = { request, calls, manifest: manifest ?? manifestSoFar(request, brief, records, objects) };
  return recordingUnder(garden, place, recorded, brief);
}

/** A recording with the contract and the procedure of a briefing: those that the run is pinned to, or the current ones (O-3a). */
export function recordingUnder(
  garden: Garden,
  place: RunPlace,
  { request, calls, manifest }: Pick<RecordedJournal, "request" | "calls" | "manifest">,
  brief: RunBrief,
): JournalReading {
  const held = heldTo(garden, place, brief, request);
  if (held.kind === "unreadable") return held;
  const { procedure, contract, fields } = held;
  const outside = outsideFields(fields, calls);
  return {
    kind: "journal",
    journal: {
      manifest,
      request,
      brief,
      contract,
      procedure,
      input: { ...contextNames(contract), ...inputOf(request) },
      calls,
      fieldsOf: (tool) => outside.get(tool) ?? [],
      granted: (tool) => outside.has(tool) || contract.mcp.some(({ tools }) => tools.includes(tool)),
      argumentNames: argumentNamesFor([...outside].map(([name, of]) => ({ name, fields: of }))),
    },
  };
}

/** The manifest that the run would get if it were cancelled now. */
function manifestSoFar(
  request: RunRequest,
  { agent_version, contract_hash, logic_version, behaviour_id, garden_commit }: RunBrief,
  records: readonly StepRecord[],
  objects: readonly StoredObject[],
): RunManifest {
  const total = (side: "input" | "output"): number =>
    records.reduce((sum, { tokens }) => sum + (tokens?.[side] ?? 0), 0);
  return {
    run_id: request.run_id,
    agent_slug: request.agent_slug,
    agent_version,
    contract_hash,
    logic_version,
    behaviour_id,
    garden_commit,
    trigger: request.trigger,
    started_at: records[0]!.started_at,
    finished_at: records.at(-1)!.finished_at,
    status: "cancelled",
    steps_count: records.length,
    proposals_created: records.flatMap(({ proposals }) => proposals).length,
    model_used: "?",
    tokens_used: { input: total("input"), output: total("output") },
    error: null,
    outcome: null,
    engine: "?",
    forked_from: null,
    error_details: null,
    journal: journalId(objects),
  };
}

/** Steps of a walk that are not calls. */
const ASIDE: ReadonlySet<string> = new Set(["clock", "chance", "sleep"]);

interface StoredObject {
  readonly key: string;
  readonly hash: string;
  readonly bytes: Uint8Array;
}

async function stepsOf({ store }: Garden, { slug, run }: RunPlace): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, keys.runSteps(slug, run))) found.push(key);
  return found;
}

async function objectsOf({ store }: Garden, found: readonly string[]): Promise<StoredObject[]> {
  const read = await Promise.all(found.map(async (key) => ({ key, stored: await store.get(key) })));
  return read.flatMap(({ key, stored }) => (stored ? [{ key, hash: stored.hash, bytes: stored.bytes }] : []));
}

function jsonIn(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

function inputOf({ input }: RunRequest): RecordedJournal["input"] {
  if (input === undefined || input === null) return {};
  return typeof input === "object" && !Array.isArray(input) ? input : { input };
}

type Held =
  | {
      readonly kind: "held";
      readonly contract: Contract;
      readonly procedure: AgentProcedure;
      readonly fields: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: "unreadable"; readonly why: Text };

/** LRU cache by content: runs of one version have the same contract and diagrams. */
const remembered = new Map<string, Held>();
const MOST_REMEMBERED = 64;

function heldTo(garden: Garden, place: RunPlace, brief: RunBrief, request: RunRequest): Held {
  const hash = createHash("sha1").update(`${brief.contract}\0${JSON.stringify(request.ceiling ?? null)}`);
  for (const { file, text } of brief.diagrams) hash.update(`\0${file}\0${text}`);
  const id = hash.digest("hex");
  const known = remembered.get(id) ?? workedOut(garden, place, brief, request);
  remembered.delete(id);
  remembered.set(id, known);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return known;
}

function workedOut(garden: Garden, { slug, run }: RunPlace, brief: RunBrief, request: RunRequest): Held {
  const failed = (en: string, uk: string): Held => ({ kind: "unreadable", why: { en, uk } });
  let read: ReturnType<typeof contractIn>;
  try {
    read = contractIn(brief, request);
  } catch {
    return failed("the contract that it ran under cannot be read", "контракт, за яким він ішов, не читається");
  }
  const { contract, body } = read;
  const reading: ProcedureReading = readProcedure(contract, body, brief.diagrams);
  if (reading.kind === "none")
    return failed("it followed prose, not a procedure", "він ішов не за процедурою, а за самими словами");
  if (reading.kind === "unreadable") {
    const { line, message } = reading.finding;
    return failed(
      `the procedure that it was given cannot be read: line ${line}: ${message.en}`,
      `процедура, яку йому дали, не читається: рядок ${line}: ${message.uk}`,
    );
  }
  const tools: readonly RunTool[] = toolsFor({
    garden,
    slug,
    run,
    contract,
    commit: brief.garden_commit,
    logicVersion: brief.logic_version,
    // No tool is called: only the names of their arguments are used.
    reader: { name: "none", ask: nothingAsked, health: async () => NO_READER },
    insight: { inspectLogic: nothingAsked, logicPerformance: nothingAsked },
    identity: { type: "agent", slug, run },
    language: brief.language,
  });
  return {
    kind: "held",
    contract,
    procedure: reading.procedure,
    fields: new Map(tools.map((tool) => [tool.name, argumentFields(tool)])),
  };
}

const nothingAsked = (): Promise<never> => Promise.reject(new Error("nothing is asked"));
const NO_READER = { ok: false, place: "none" } as const;

/** Outside tools have no schema here: their argument names are taken from the recorded inputs. */
function outsideFields(
  own: ReadonlyMap<string, readonly string[]>,
  calls: readonly StepRecord[],
): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>(own);
  for (const { kind, name, input } of calls) {
    if (kind !== "tool" || own.has(name) || typeof input !== "object" || input === null || Array.isArray(input))
      continue;
    fields.set(name, [...new Set([...(fields.get(name) ?? []), ...Object.keys(input)])]);
  }
  return fields;
}
