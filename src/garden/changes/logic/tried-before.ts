import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { changelogEntries } from "../../../domain/logic/logic-changelog.ts";
import { procedureOf } from "../../../domain/logic/logic-pseudo.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { editMarks, holdsEdit } from "../../../drakon/compare/edit-marks.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { findLogic, type LogicState, logicOfVersion } from "../../records/logic/logic-state.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { rejectionsFor } from "../proposals/list-proposals.ts";

/**
 * Z-4: an earlier occurrence of a change. `taken-back`: a version had it, and a later version went back behind that one;
 * `former`: a version did exactly this and was replaced; `circling`: the last two changes were both taken back, so that a
 * person must make the third; `rejected`: a person rejected it.
 */
export interface EarlierAttempt {
  readonly kind: (typeof KINDS)[number];
  /** `behaviour`: the whole logic is the same; `edit`: the same edit at the same place of another version. */
  readonly same: "behaviour" | "edit" | "nothing";
  readonly version: LogicVersion | null;
  readonly proposal: string | null;
  /** The recorded reason: of the version that went back, or of the rejection. */
  readonly why: string;
  /** The evidence of the rejected proposal: the same change with other evidence may be proposed. */
  readonly evidence: readonly string[];
  readonly words: Text;
}

/** In order of gravity. */
const KINDS = ["taken-back", "former", "circling", "rejected"] as const;

/** A candidate logic for an agent. */
export interface LogicCandidate {
  readonly slug: string;
  readonly diagram: string | undefined;
  readonly procedure: string;
}

interface PastVersion {
  readonly version: LogicVersion;
  readonly behaviour: string;
  readonly diagram: string | undefined;
}

/** Maximum versions read. */
const MOST_VERSIONS = 100;
const MOST_REJECTIONS = 20;
const MAX_WHY = 500;

/**
 * Every earlier occurrence of a candidate in the archive, the changelog and the decisions; the gravest first. Reads at a
 * commit, main by default.
 */
export async function earlierAttempts(
  garden: Garden,
  idea: LogicCandidate,
  at?: Oid,
): Promise<readonly EarlierAttempt[]> {
  const head = at ?? (await garden.repo.resolve(MAIN_REF));
  const state = head === undefined ? undefined : await findLogic(garden.repo, head, idea.slug);
  if (!state || head === undefined) return [];
  const behaviour = logicOfFiles(idea).behaviour;
  const past = await pastVersions(garden, head, state);
  const current = past.at(-1)!;
  if (current.behaviour === behaviour) return [];
  const marks = marksOf(current.diagram, idea.diagram);
  const found = past.slice(0, -1).flatMap((one, index): EarlierAttempt[] => {
    const back = versionThatWentBack(past, index);
    if (one.behaviour === behaviour) return [ofVersion(state, one.version, back, "behaviour")];
    const edit = back === undefined ? undefined : marksOf(past[index - 1]?.diagram, one.diagram);
    return edit && marks && holdsEdit(edit, marks) ? [ofVersion(state, one.version, back, "edit")] : [];
  });
  const rejected = await rejectedOf(garden, idea.slug, (proposal) => {
    const { operation } = proposal;
    if (operation.action !== "logic-update") return undefined;
    const { payload } = operation;
    const asked = { diagram: payload.diagram ?? drawnFrom(payload.pseudocode), procedure: payload.pseudocode ?? "" };
    if (logicOfFiles(asked).behaviour === behaviour) return "behaviour";
    const edit = marksOf(past.find(({ version }) => version === payload.currentVersion)?.diagram, asked.diagram);
    return edit && marks && holdsEdit(edit, marks) ? "edit" : undefined;
  });
  const rank = ({ kind }: EarlierAttempt): number => KINDS.indexOf(kind);
  return [...found.toReversed(), ...circling(state, past), ...rejected].toSorted((a, b) => rank(a) - rank(b));
}

/** The occurrences in which a version was taken back itself: rolling back to it would repeat a loop. */
export async function attemptsTakenBack(
  garden: Garden,
  slug: string,
  version: LogicVersion,
  at: Oid,
): Promise<EarlierAttempt[]> {
  const state = await findLogic(garden.repo, at, slug);
  if (!state) return [];
  const past = await pastVersions(garden, at, state);
  const wanted = past.find((one) => one.version === version)?.behaviour;
  return past.flatMap((one, index) => {
    const back = one.behaviour === wanted ? versionThatWentBack(past, index) : undefined;
    return back === undefined ? [] : [ofVersion(state, one.version, back, "behaviour")];
  });
}

/** The versions in order, the current one last. Versions with missing files are left out. */
async function pastVersions({ repo }: Garden, at: Oid, state: LogicState): Promise<readonly PastVersion[]> {
  const past: PastVersion[] = [];
  for (const version of [...state.versions].toSorted().slice(-MOST_VERSIONS)) {
    const logic = await logicOfVersion(repo, at, state, version);
    if (logic) past.push({ version, behaviour: logicOfFiles(logic).behaviour, diagram: logic.diagram });
  }
  return past;
}

/** The later version that went back behind this one: it has the behaviour of a version before this one. */
function versionThatWentBack(past: readonly PastVersion[], index: number): LogicVersion | undefined {
  const { behaviour } = past[index]!;
  const earlier = new Set(past.slice(0, index).map((one) => one.behaviour));
  return past.slice(index + 1).find((one) => one.behaviour !== behaviour && earlier.has(one.behaviour))?.version;
}

/** X A X B X: two changes in a row were taken back. */
function circling(state: LogicState, past: readonly PastVersion[]): EarlierAttempt[] {
  const [x, a, y, b, z] = past.slice(-5).map(({ behaviour }) => behaviour);
  if (z === undefined || x !== y || y !== z || a === x || b === x) return [];
  const [first, second] = [past.at(-4)!.version, past.at(-2)!.version];
  return [
    {
      ...ofVersion(state, second, past.at(-1)!.version, "nothing"),
      kind: "circling",
      words: {
        en: `the last two changes, ${first} and ${second}, were both taken back: a person must make the next one`,
        uk: `дві останні зміни, ${first} і ${second}, скасовано: наступну має зробити людина`,
      },
    },
  ];
}

/** The diagram for a change that was written as pseudocode. */
function drawnFrom(pseudocode: string | undefined): string | undefined {
  const tree = pseudocode === undefined ? undefined : parsePseudocode(procedureOf(pseudocode)).tree;
  return tree && diagramFromTree(tree).source.text;
}

function marksOf(before: string | undefined, after: string | undefined): ReadonlySet<string> | undefined {
  if (before === undefined || after === undefined) return undefined;
  const [old, now] = [splitDiagrams(before), splitDiagrams(after)];
  const marks = new Set(editMarks(readDiagram(old.main).diagram, readDiagram(now.main).diagram));
  for (const [file, text] of now.called) {
    const was = old.called.get(file);
    if (was === undefined || was === text) continue;
    for (const mark of editMarks(readDiagram(was).diagram, readDiagram(text).diagram)) marks.add(`${file} ${mark}`);
  }
  return marks;
}

function ofVersion(
  state: LogicState,
  version: LogicVersion,
  back: LogicVersion | undefined,
  same: EarlierAttempt["same"],
): EarlierAttempt {
  const entries = changelogEntries(state.changelog ?? "", Number.POSITIVE_INFINITY);
  const entry = (of: LogicVersion | undefined) => entries.find((one) => one.version === of)?.fields;
  const why = short(entry(back ?? version)?.get("Причина") ?? "");
  const what: Text =
    back === undefined
      ? { en: `${version} did just this and was left`, uk: `${version} робила саме це, і її залишили` }
      : {
          en: `${same === "edit" ? "the same edit was" : "the same was"} in ${version} and was taken back by ${back}`,
          uk: `${same === "edit" ? "ця сама правка була" : "це саме було"} у ${version}, і ${back} її скасувала`,
        };
  return {
    kind: back === undefined ? "former" : "taken-back",
    same,
    version,
    proposal: entry(version)?.get("Proposal") ?? null,
    why,
    evidence: [],
    words: because(what, why),
  };
}

/** Searches the rejections of all agents that may propose changes of this one. */
async function rejectedOf(
  garden: Garden,
  slug: string,
  sameness: (proposal: Proposal) => EarlierAttempt["same"] | undefined,
): Promise<EarlierAttempt[]> {
  const { grants } = await currentSettings(garden);
  const proposers = new Set([slug, ...grants.filter(({ on }) => on.includes(slug)).map(({ agent }) => agent)]);
  const found: EarlierAttempt[] = [];
  for (const proposer of proposers) {
    for (const card of await rejectionsFor(garden, proposer, MOST_REJECTIONS)) {
      if (card.action !== "logic-update" || card.target !== `logic/${slug}`) continue;
      const proposal = await findReadable(garden.store, card.id);
      const same = proposal?.status === "rejected" ? sameness(proposal) : undefined;
      if (proposal?.operation.action !== "logic-update" || same === undefined) continue;
      const why = short(proposal.approval?.decision_note ?? "");
      found.push({
        kind: "rejected",
        same,
        version: null,
        proposal: proposal.id,
        why,
        evidence: proposal.operation.payload.rationale.evidenceRuns,
        words: because({ en: `${proposal.id} asked for it and was rejected`, uk: `${proposal.id} відхилено` }, why),
      });
    }
  }
  return found;
}

const because = (what: Text, why: string): Text =>
  why === "" ? what : { en: `${what.en}: ${why}`, uk: `${what.uk}: ${why}` };

const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MAX_WHY).toWellFormed();
