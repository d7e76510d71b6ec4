import type { Text } from "../../../base/text.ts";
import { compareVersions, type FiguresComparison } from "../../../domain/logic/logic-figures.ts";
import { isLogicVersion } from "../../../domain/logic/logic-version.ts";
import { patchNamed } from "../../../domain/note/line-hunks.ts";
import { NO_RUNS, type RunSum } from "../../../domain/run/run-tally.ts";
import type { RiskLevel } from "../../../drakon/compare/fact.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { learningSettings } from "../../insight/learning/logic-performance.ts";
import { sumsNow } from "../../insight/learning/tally.ts";
import { versionPools } from "../../insight/learning/version-pools.ts";
import { compareLogic } from "../../records/logic/compare-logic.ts";
import { logicOfVersion, readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { procedureText } from "./checked-behaviour.ts";
import { behaviourRefused } from "./failures.ts";
import { findLibraryEntry } from "./library-rows.ts";
import { type LibraryFigures, libraryFigures } from "./own-behaviours.ts";

/** One side of a comparison. */
interface Compared {
  /** `gardener v003`, or the id of an entry. */
  readonly label: string;
  readonly behaviour: string;
  readonly diagram: string | undefined;
  readonly procedure: string;
  readonly sum: RunSum;
}

export interface BehaviourComparison {
  readonly before: { readonly label: string; readonly behaviour: string; readonly figures: LibraryFigures };
  readonly after: { readonly label: string; readonly behaviour: string; readonly figures: LibraryFigures };
  /** Both have one behaviour: drawings and words may differ, decisions cannot. */
  readonly same: boolean;
  readonly summary: Text;
  readonly riskLevel: RiskLevel;
  readonly reasons: readonly Text[];
  /** The difference of the pseudocode, or of the prompts. */
  readonly diff: string;
  /** Null if one side has too few runs for a claim (L-5a). */
  readonly claim: FiguresComparison | null;
}

/** Compares an entry of the library with an agent's logic (`agent`, `agent@v003`), or with another entry: from that one to the entry. */
export async function compareBehaviours(
  garden: Garden,
  wanted: string,
  other: { readonly agent: string; readonly version?: string | undefined } | { readonly entry: string },
): Promise<BehaviourComparison> {
  const after = await comparedEntry(garden, wanted);
  const before = "entry" in other ? await comparedEntry(garden, other.entry) : await comparedAgent(garden, other);
  const settings = learningSettings(garden);
  const { summary, riskLevel, reasons } = compareLogic(before, after);
  const side = ({ label, behaviour, sum }: Compared): BehaviourComparison["before"] => ({
    label,
    behaviour,
    figures: libraryFigures(sum, settings.confidence),
  });
  return {
    before: side(before),
    after: side(after),
    same: before.behaviour === after.behaviour,
    summary,
    riskLevel,
    reasons,
    diff:
      before.procedure === after.procedure
        ? ""
        : patchNamed(before.label, after.label, before.procedure, after.procedure),
    claim: compareVersions([before.label, before.sum], [after.label, after.sum], settings) ?? null,
  };
}

async function comparedEntry(garden: Garden, wanted: string): Promise<Compared> {
  const { id, behaviour, reading } = await findLibraryEntry(garden, wanted);
  if (reading.kind === "refused") throw behaviourRefused(reading.why, reading.subject);
  const { head, logic } = reading.value;
  const { runs, failed, good, bad, tokens } = head.statistics;
  return {
    label: id,
    behaviour,
    diagram: head.kind === "prompt" ? undefined : logic,
    procedure: procedureText(reading.value),
    sum: { ...NO_RUNS, runs, failed, good, bad, tokens },
  };
}

async function comparedAgent(
  { repo, store }: Garden,
  { agent, version }: { readonly agent: string; readonly version?: string | undefined },
): Promise<Compared> {
  const at = await headOf(repo);
  const state = await readLogicState(repo, at, agent);
  const wanted = version ?? state.meta.logicVersion;
  const logic = isLogicVersion(wanted) ? await logicOfVersion(repo, at, state, wanted) : undefined;
  if (!logic) throw unknownVersion(wanted, state);
  const pools = await versionPools(repo, at, state);
  return {
    label: `${agent} ${wanted}`,
    behaviour: logicOfFiles(logic).behaviour,
    diagram: logic.diagram,
    procedure: logic.procedure,
    sum: pools.sum(await sumsNow(store, agent), wanted),
  };
}
