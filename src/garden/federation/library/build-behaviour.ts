import type { Text } from "../../../base/text.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import { keys } from "../../../domain/layout.ts";
import {
  type EvidenceRecord,
  evidenceRecord,
  MOST_RECORDS,
  MOST_WALKS,
} from "../../../domain/library/evidence-record.ts";
import type { BehaviourHead } from "../../../domain/library/travelling-behaviour.ts";
import { isLogicVersion } from "../../../domain/logic/logic-version.ts";
import { LOAD_CONTEXT, loadedContext, runManifest } from "../../../domain/run/run-manifest.ts";
import { countOf } from "../../../domain/run/run-tally.ts";
import { redact } from "../../../domain/text/redact.ts";
import { bareDiagram } from "../../../drakon/diagram/bare-diagram.ts";
import type { Program } from "../../../drakon/walk/frame.ts";
import { type RunPlace, readJournal } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { headOf } from "../../core/main-head.ts";
import { fatesOf } from "../../insight/learning/proposal-fates.ts";
import { endedRuns, readRecordedRun } from "../../insight/replay/recorded-run.ts";
import { logicOfVersion, readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { languageOf, logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { cannotStrip, secretInLogic } from "./failures.ts";
import { redactedWalk } from "./redact-walk.ts";
import { travellingProgram } from "./replay-evidence.ts";

/** Everything of an agent's logic that may leave this garden, before it is signed. */
export interface BehaviourDraft extends Pick<BehaviourHead, "kind" | "behaviour" | "version" | "language"> {
  readonly logic: string;
  readonly records: readonly EvidenceRecord[];
  /** Texts in the logic that look personal. They are part of the behaviour and leave with it. */
  readonly warnings: readonly Text[];
}

/** Builds the behaviour of an agent's version (default: the current one) with the evidence of its newest judged runs. */
export async function behaviourDraft(
  garden: Garden,
  { agent, version }: { readonly agent: string; readonly version?: string | undefined },
): Promise<BehaviourDraft> {
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, agent);
  const wanted = version ?? state.meta.logicVersion;
  const files = isLogicVersion(wanted) ? await logicOfVersion(garden.repo, at, state, wanted) : undefined;
  if (!files) throw unknownVersion(wanted, state);
  const { behaviour } = logicOfFiles(files);
  const logic = files.diagram === undefined ? files.procedure : bareDiagram(files.diagram);
  const stripped = logicOfFiles({ diagram: files.diagram && logic, procedure: files.procedure });
  if (stripped.behaviour !== behaviour) throw cannotStrip(agent, wanted);
  if (redact(logic, garden.secrets()) !== logic) throw secretInLogic(agent, wanted);
  const program = files.diagram === undefined ? undefined : travellingProgram(logic);
  return {
    kind: files.diagram === undefined ? "prompt" : "session-flow",
    behaviour,
    version: wanted,
    language: languageOf(files.procedure) ?? "uk",
    logic,
    records: await evidenceOf(garden, agent, behaviour, program),
    warnings: personalTexts(logic),
  };
}

async function evidenceOf(
  garden: Garden,
  slug: string,
  behaviour: string,
  program: Program | undefined,
): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  let walks = 0;
  for await (const { run, steps } of endedRuns(garden, slug)) {
    if (records.length >= MOST_RECORDS) break;
    const manifest = tryReadJson((await garden.store.get(keys.runManifest(slug, run)))?.bytes, runManifest);
    if (manifest?.behaviour_id !== behaviour) continue;
    const count = countOf(manifest, await fatesOf(garden.store, manifest));
    if (!count) continue;
    const read = await readRecordedRun(garden, { slug, run }, { marks: false, steps });
    const recorded = read.kind === "recorded" ? read.run : undefined;
    const walk = recorded && program && walks < MOST_WALKS ? redactedWalk(recorded, program) : undefined;
    if (walk) walks++;
    const { verdict, failed, tokens } = count;
    const temperature = recorded?.recorded.contract.temperature ?? (await temperatureOf(garden, { slug, run }));
    records.push(
      evidenceRecord.parse({
        verdict,
        failed,
        tokens,
        model: manifest.model_used.slice(0, 200),
        temperature,
        ...(walk && { walk }),
      }),
    );
  }
  return records;
}

/** From the contract that the run began with; null if it cannot be read. */
async function temperatureOf({ store }: Garden, place: RunPlace): Promise<number | null> {
  const journal = await readJournal(store, place).catch(() => undefined);
  const output = journal?.records.find(({ name }) => name === LOAD_CONTEXT)?.output;
  const loaded = loadedContext.safeParse(output).data;
  const reading = loaded && readContract(Buffer.from(loaded.contract));
  return reading?.kind === "contract" ? reading.contract.temperature : null;
}

const PERSONAL: readonly [RegExp, Text][] = [
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+\.[\p{L}]{2,}/gu, { en: "an e-mail address", uk: "адреса пошти" }],
  [/(?:\/(?:home|Users|root)\/|[A-Z]:\\\\?Users\\)[^\s"']*/g, { en: "a path of a computer", uk: "шлях на комп'ютері" }],
  [/\+?\d[\d ()-]{8,}\d/g, { en: "a number like a telephone's", uk: "число, схоже на телефонне" }],
];

const personalTexts = (logic: string): Text[] =>
  PERSONAL.flatMap(([pattern, { en, uk }]) =>
    [...new Set(logic.match(pattern) ?? [])].map((found) => ({
      en: `the logic holds ${en}: ${found}`,
      uk: `у логіці є ${uk}: ${found}`,
    })),
  );
