import type { Text } from "../../../base/text.ts";
import { fingerprint } from "../../../domain/federation/ssh-key.ts";
import { behaviourRefusals } from "../../../domain/library/behaviour-refusals.ts";
import type { BehaviourStatistics } from "../../../domain/library/evidence-record.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { learningSettings } from "../../insight/learning/logic-performance.ts";
import { findLogic, logicOfVersion } from "../../records/logic/logic-state.ts";
import { evidenceReport, procedureText } from "./checked-behaviour.ts";
import { noSuchBehaviour, severalBehaviours } from "./failures.ts";
import { type LibraryFigures, libraryFigures, type OwnBehaviour, ownBehaviours } from "./own-behaviours.ts";
import {
  type LibraryEntry,
  type LibrarySource,
  type NamedBehaviour,
  namedBehaviours,
  readLibrary,
} from "./read-library.ts";
import { type BehaviourReplay, recordedReplays } from "./recorded-replays.ts";

/** One behaviour of the library as lists show it. */
export interface LibraryRow {
  readonly id: string;
  readonly behaviour: string;
  readonly name: string;
  readonly kind: "session-flow" | "prompt" | null;
  readonly version: string | null;
  /** `kept`: an own one with a name that is not published. */
  readonly source: LibrarySource["kind"] | "kept";
  /** The followed garden that it is from. */
  readonly garden: string | null;
  /** The fingerprint of the key that signed it. */
  readonly key: string | null;
  /** `lying`: its evidence contradicts its figures or its diagram. `refused`: it is damaged or not signed by its garden. */
  readonly state: "sound" | "lying" | "refused";
  readonly problems: readonly Text[];
  /** The figures that it travels with, by model too; null for one that is kept. */
  readonly sent: (LibraryFigures & { readonly models: BehaviourStatistics["models"] }) | null;
  /** The figures of all runs here that followed the same behaviour; null if there are none. */
  readonly here: LibraryFigures | null;
  /** Our agents and versions with this behaviour. */
  readonly agents: OwnBehaviour["versions"];
  /** Replays on recorded runs of our agents, newest first. */
  readonly replays: readonly BehaviourReplay[];
}

/** S-9b: the library: own behaviours with a name, those of followed gardens, and those from files. */
export async function libraryRows(garden: Garden): Promise<readonly LibraryRow[]> {
  const [entries, names] = [await readLibrary(garden.repo), await namedBehaviours(garden.repo)];
  const ground = await rowGround(garden);
  const published = new Set(entries.flatMap(({ source, behaviour }) => (source.kind === "own" ? [behaviour] : [])));
  return [
    ...(await Promise.all(entries.map((entry) => entryRow(garden, ground, entry)))),
    ...[...names]
      .filter(([behaviour]) => !published.has(behaviour))
      .map(([behaviour, named]) => keptRow(ground, behaviour, named)),
  ];
}

interface RowGround {
  readonly own: ReadonlyMap<string, OwnBehaviour>;
  readonly confidence: number;
}

const rowGround = async (garden: Garden): Promise<RowGround> => ({
  own: await ownBehaviours(garden),
  confidence: learningSettings(garden).confidence,
});

async function entryRow(garden: Garden, ground: RowGround, entry: LibraryEntry): Promise<LibraryRow> {
  const { id, behaviour, source, reading } = entry;
  const base = {
    id,
    behaviour,
    source: source.kind,
    garden: source.kind === "own" ? null : (source.name ?? null),
    ...hereOf(ground, behaviour),
    replays: await recordedReplays(garden.store, id),
  };
  if (reading.kind === "refused")
    return {
      ...base,
      name: "",
      kind: null,
      version: null,
      key: null,
      state: "refused",
      problems: [behaviourRefusals[reading.why]],
      sent: null,
    };
  const { head, signer } = reading.value;
  const { lies } = evidenceReport(reading.value);
  return {
    ...base,
    name: head.name,
    kind: head.kind,
    version: head.version,
    key: fingerprint(signer),
    state: lies.length > 0 ? "lying" : "sound",
    problems: lies,
    sent: { ...libraryFigures(head.statistics, ground.confidence), models: head.statistics.models },
  };
}

const keptRow = (ground: RowGround, behaviour: string, { name, version }: NamedBehaviour): LibraryRow => ({
  id: behaviour,
  behaviour,
  name,
  kind: null,
  version,
  source: "kept",
  garden: null,
  key: null,
  state: "sound",
  problems: [],
  sent: null,
  ...hereOf(ground, behaviour),
  replays: [],
});

function hereOf({ own, confidence }: RowGround, behaviour: string): Pick<LibraryRow, "here" | "agents"> {
  const found = own.get(behaviour);
  return {
    here: found && found.sum.runs > 0 ? libraryFigures(found.sum, confidence) : null,
    agents: found?.versions ?? [],
  };
}

/** The entry with this id, behaviour id (or its beginning) or name. Throws NOT_FOUND, or VALIDATION_FAILED if several fit. */
export async function findLibraryEntry({ repo }: Pick<Garden, "repo">, wanted: string): Promise<LibraryEntry> {
  const entries = await readLibrary(repo);
  const exact = entries.find(({ id }) => id === wanted);
  if (exact) return exact;
  const isPrefix = /^[0-9a-f]{6,40}$/.test(wanted);
  const found = entries.filter(
    ({ id, behaviour, reading }) =>
      (isPrefix && behaviour.startsWith(wanted)) ||
      (wanted.length > 6 && id.startsWith(wanted)) ||
      (reading.kind === "behaviour" && reading.value.head.name === wanted),
  );
  if (found.length > 1)
    throw severalBehaviours(
      wanted,
      found.map(({ id }) => id),
    );
  if (!found[0]) throw noSuchBehaviour(wanted);
  return found[0];
}

export interface LibraryDetail extends LibraryRow {
  /** The pseudocode of its main diagram, or the prompt. It is text of another garden: no model gets it before it is adopted. */
  readonly procedure: string;
  /** The diagram file with the diagrams that it calls inside; null for a prompt. */
  readonly diagram: string | null;
  readonly evidence: readonly {
    readonly verdict: "good" | "bad" | "open";
    readonly model: string;
    readonly temperature: number | null;
    readonly outcome: "agrees" | "verdict-only" | "differs";
    readonly why?: Text;
  }[];
}

/** One behaviour with its logic and its evidence, each record replayed here. */
export async function libraryDetail(garden: Garden, wanted: string): Promise<LibraryDetail> {
  const kept = await keptDetail(garden, wanted);
  if (kept) return kept;
  const entry = await findLibraryEntry(garden, wanted);
  const row = await entryRow(garden, await rowGround(garden), entry);
  if (entry.reading.kind === "refused") return { ...row, procedure: "", diagram: null, evidence: [] };
  const { value } = entry.reading;
  const { outcomes } = evidenceReport(value);
  return {
    ...row,
    procedure: procedureText(value),
    diagram: value.head.kind === "prompt" ? null : value.logic,
    evidence: value.records.map(({ verdict, model, temperature }, index) => {
      const outcome = outcomes[index]!;
      return {
        verdict,
        model,
        temperature,
        outcome: outcome.kind,
        ...(outcome.kind === "differs" && { why: outcome.why }),
      };
    }),
  };
}

/** An own behaviour with a name that is not published: its logic is that of the agent's version. */
async function keptDetail(garden: Garden, wanted: string): Promise<LibraryDetail | undefined> {
  const named = [...(await namedBehaviours(garden.repo))].find(([id, { name }]) => id === wanted || name === wanted);
  if (!named || (await readLibrary(garden.repo)).some(({ id }) => id === named[0])) return undefined;
  const [behaviour, { agent, version }] = named;
  const at = await headOf(garden.repo);
  const state = await findLogic(garden.repo, at, agent);
  const logic = state && (await logicOfVersion(garden.repo, at, state, version));
  const row = keptRow(await rowGround(garden), behaviour, named[1]);
  return { ...row, procedure: logic?.procedure ?? "", diagram: logic?.diagram ?? null, evidence: [] };
}
