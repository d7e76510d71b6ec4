import { Failure } from "../../../base/failure.ts";
import type { Language, Text } from "../../../base/text.ts";
import { contractKey } from "../../../domain/layout.ts";
import { type HeatMeasure, heatOf, type IconHeat, type WeighedRun } from "../../../domain/logic/icon-heat.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type Decisions, verdictOf } from "../../../domain/run/run-path.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import { type Diagram, readDiagram } from "../../../drakon/diagram/diagram.ts";
import { plainText } from "../../../drakon/diagram/rich-text.ts";
import { drawDiagram } from "../../../drakon/draw/draw.ts";
import { heatOverlays } from "../../../drakon/draw/paint/heat-overlay.ts";
import type { DrawingTheme } from "../../../drakon/draw/paint/theme.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { MAIN_DIAGRAM, readDiagrams } from "../../records/agents/agent-diagrams.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { logicOfVersion, readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { recentRuns } from "../replay/recorded-run.ts";
import { fateOf, type ProposalFate, proposalsOf } from "./proposal-fates.ts";
import { versionPools } from "./version-pools.ts";

export interface HeatQuestion {
  readonly slug: string;
  /** Default: the current one. Runs of versions with the same behaviour are included. */
  readonly version?: LogicVersion | undefined;
  /** Number of newest runs to read. */
  readonly most?: number | undefined;
  /** Leave out paths that a model only claimed. */
  readonly factsOnly?: boolean | undefined;
}

export interface NamedIconHeat extends IconHeat {
  /** Text of the icon. */
  readonly text: string;
}

/** Visits, failures, cost and rejections of runs, per icon. */
export interface LogicHeatReport {
  readonly agentId: string;
  readonly logicVersion: LogicVersion;
  readonly pooledWith: readonly LogicVersion[];
  /** Number of runs by the certainty of their paths. Unreadable runs are listed with a reason and not counted. */
  readonly runs: {
    readonly fact: number;
    readonly claim: number;
    readonly unknown: number;
    readonly unreadable: readonly { readonly run: string; readonly why: Text }[];
  };
  readonly icons: readonly NamedIconHeat[];
}

export const MOST_HEAT_RUNS = 500;

/** The heat of a version over its newest runs, with the diagrams to draw it on. */
export async function logicHeat(
  garden: Garden,
  { slug, version, most = MOST_HEAT_RUNS, factsOnly = false }: HeatQuestion,
): Promise<{
  readonly heat: LogicHeatReport;
  readonly diagrams: ReadonlyMap<string, Diagram>;
  readonly mainFile: string;
}> {
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, slug);
  const wanted = version ?? state.meta.logicVersion;
  const logic = await logicOfVersion(garden.repo, at, state, wanted);
  if (!logic) throw unknownVersion(wanted, state);
  if (logic.diagram === undefined) throw noDiagram(slug);
  const pools = await versionPools(garden.repo, at, state);
  const weighed: WeighedRun[] = [];
  const counts = { fact: 0, claim: 0, unknown: 0 };
  const unreadable: { run: string; why: Text }[] = [];
  for await (const read of recentRuns(garden, slug, { most, behaviour: pools.behaviourOf(wanted) })) {
    if (read.kind === "unreadable") unreadable.push({ run: read.run, why: read.why });
    else if (read.run.path.status !== "cancelled") {
      const { path, manifest } = read.run;
      counts[path.certainty]++;
      if (factsOnly && path.certainty !== "fact") continue;
      const fates = new Map<string, keyof Decisions>();
      for (const id of await proposalsOf(garden.store, manifest))
        fates.set(id, DECIDED[await fateOf(garden.store, id)]);
      weighed.push({ path, fates, verdict: verdictOf(path, tally(fates)) });
    }
  }
  const { diagrams, mainFile } = await diagramsOf(garden, slug, logic.diagram);
  const icons = heatOf(weighed).map((heat) => ({ ...heat, text: textOf(diagrams.get(heat.diagram), heat.icon) }));
  const pooledWith = pools.sameAs(wanted).filter((other) => other !== wanted);
  return {
    heat: { agentId: slug, logicVersion: wanted, pooledWith, runs: { ...counts, unreadable }, icons },
    diagrams,
    mainFile,
  };
}

/** The heat of one measure on one of the diagrams, as SVG. */
export function heatPicture(
  heat: LogicHeatReport,
  file: string,
  diagram: Diagram,
  {
    by,
    language,
    theme = "light",
  }: { readonly by: HeatMeasure; readonly language: Language; readonly theme?: DrawingTheme },
): string {
  const here = heat.icons.filter((icon) => icon.diagram === file);
  const overlays = heatOverlays(here, by);
  return drawDiagram(diagram, { language, theme, overlays, name: heat.agentId }).svg;
}

const DECIDED: Readonly<Record<ProposalFate, keyof Decisions>> = {
  accepted: "accepted",
  edited: "edited",
  rejected: "rejected",
  reverted: "reverted",
  waiting: "open",
  expired: "open",
};

function tally(fates: ReadonlyMap<string, keyof Decisions>): Decisions {
  const decisions = { accepted: 0, edited: 0, rejected: 0, reverted: 0, open: 0 };
  for (const fate of fates.values()) decisions[fate]++;
  return decisions;
}

/** The version's diagrams under their file names, and the agent's other current ones, which an old version may call. */
async function diagramsOf(
  { store }: Garden,
  slug: string,
  main: string,
): Promise<{ readonly diagrams: ReadonlyMap<string, Diagram>; readonly mainFile: string }> {
  const contract = await store.get(contractKey(slug));
  const mainFile = contract ? mainFileOf(Buffer.from(contract.bytes).toString()) : MAIN_DIAGRAM;
  const files = diagramsOfVersion(main, mainFile, await readDiagrams(store, slug));
  return { diagrams: new Map(files.map(({ file, text }) => [file, readDiagram(text).diagram])), mainFile };
}

const textOf = (diagram: Diagram | undefined, icon: string): string =>
  plainText(diagram?.icons.get(icon)?.text ?? "")
    .replace(/\s+/g, " ")
    .trim();

const noDiagram = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${slug} has no diagram in this version, so there is no heat map`,
    uk: `${slug} не має діаграми в цій версії, тож немає ікон, що могли б нагрітися`,
    details: { agent: slug },
  });
