import { canonicalId } from "../../../base/canonical.ts";
import { type BehaviourCounts, behaviourSums, type ModelCounts } from "../../../domain/library/behaviour-figures.ts";
import { reasonsToSuggest, type SuggestionReason, sharedSteps } from "../../../domain/library/suggestion-rules.ts";
import type { TravellingBehaviour } from "../../../domain/library/travelling-behaviour.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { checkText } from "../../../drakon/check.ts";
import { stepKey } from "../../../drakon/compare/equal-steps.ts";
import { outlineDiagram } from "../../../drakon/compare/outline.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { learningSettings } from "../../insight/learning/logic-performance.ts";
import { sumsNow } from "../../insight/learning/tally.ts";
import { versionPools } from "../../insight/learning/version-pools.ts";
import { agentsWithLogic, findLogic } from "../../records/logic/logic-state.ts";
import { evidenceReport } from "./checked-behaviour.ts";
import { dismissedSuggestions, type SuggestionDismissal } from "./dismissals.ts";
import { type LibraryEntry, namedBehaviours, readLibrary } from "./read-library.ts";
import { type BehaviourReplay, recordedReplays } from "./recorded-replays.ts";

/** A behaviour of another garden that does better than the logic of one of our agents. Nothing adopts it but the owner. */
export interface BehaviourSuggestion {
  readonly id: string;
  readonly agent: string;
  /** The version that the agent follows now. */
  readonly version: LogicVersion;
  readonly entry: string;
  readonly name: string;
  readonly garden: string;
  readonly behaviour: string;
  /** The version that the behaviour has in its garden. */
  readonly their_version: string;
  readonly reasons: readonly SuggestionReason[];
  /** Why the two are comparable. */
  readonly relation: SuggestionRelation;
  /** Share of steps that both diagrams have; null for prompts. */
  readonly shared: number | null;
  readonly theirs: SideFigures;
  readonly ours: SideFigures;
  readonly replay: BehaviourReplay | null;
}

/** The agent once followed a behaviour of the same name from there, both have the same name here, or the diagrams share most steps. */
export const suggestionRelations = ["version", "name", "steps"] as const;
export type SuggestionRelation = (typeof suggestionRelations)[number];

export interface SideFigures extends BehaviourCounts {
  readonly models: readonly ModelCounts[];
}

export interface BehaviourSuggestions {
  /** Best first: by the rate of good runs. */
  readonly open: readonly BehaviourSuggestion[];
  readonly dismissed: readonly SuggestionDismissal[];
}

/** Diagrams with fewer steps in common are about different work: their rates cannot be compared. */
const ENOUGH_SHARED = 0.5;

/**
 * S-9b: compares every sound behaviour of a followed garden with the logic of every agent that it can replace. Reads tallies, the library
 * and recorded replays; it replays nothing and writes nothing.
 */
export async function suggestBehaviours(garden: Garden): Promise<BehaviourSuggestions> {
  const offers = (await readLibrary(garden.repo)).flatMap((entry) => offerOf(entry) ?? []);
  const dismissed = await dismissedSuggestions(garden.store);
  const known = new Set(dismissed.map(({ id }) => id));
  const open: BehaviourSuggestion[] = [];
  for (const agent of offers.length === 0 ? [] : await comparedAgents(garden))
    for (const offer of offers) {
      const id = suggestionId(agent.slug, offer.value.head.behaviour);
      if (known.has(id) || agent.behaviours.includes(offer.value.head.behaviour)) continue;
      const made = await suggested(garden, { id, agent, offer, offers });
      if (made) open.push(made);
    }
  return { open: open.toSorted((a, b) => goodRate(b.theirs) - goodRate(a.theirs)), dismissed };
}

/** The sound behaviours of followed gardens that are about the work of one agent, differ from all its own, and were not dismissed for it. */
export async function relatedBehaviours(
  garden: Garden,
  slug: string,
): Promise<readonly { readonly garden: string; readonly value: TravellingBehaviour }[]> {
  const offers = (await readLibrary(garden.repo)).flatMap((entry) => offerOf(entry) ?? []);
  const agent = offers.length === 0 ? undefined : (await comparedAgents(garden, [slug]))[0];
  if (!agent) return [];
  const dismissed = new Set((await dismissedSuggestions(garden.store)).map(({ id }) => id));
  return offers.filter((offer) => {
    const { behaviour } = offer.value.head;
    if (agent.behaviours.includes(behaviour) || dismissed.has(suggestionId(slug, behaviour))) return false;
    return relationOf(agent, offer, offers, sharedWith(agent, offer)) !== undefined;
  });
}

/** A dismissal counts for this agent and this behaviour: a new version of it has another id. */
export const suggestionId = (agent: string, behaviour: string): string => canonicalId([agent, behaviour]).slice(0, 16);

const goodRate = ({ good, bad }: BehaviourCounts): number => good / Math.max(1, good + bad);

interface Offer {
  readonly entry: LibraryEntry;
  readonly garden: string;
  readonly value: TravellingBehaviour;
}

/** Undefined for an own behaviour, a refused one, one of an unknown sender, and one whose evidence contradicts its figures. */
function offerOf(entry: LibraryEntry): Offer | undefined {
  const { source, reading } = entry;
  if (source.kind === "own" || source.name === undefined || reading.kind === "refused") return undefined;
  if (evidenceReport(reading.value).lies.length > 0) return undefined;
  return { entry, garden: source.name, value: reading.value };
}

interface ComparedAgent {
  readonly slug: string;
  readonly version: LogicVersion;
  /** All that it follows or followed. */
  readonly behaviours: readonly string[];
  readonly steps: readonly string[] | undefined;
  readonly figures: SideFigures;
  /** Names that the owner gave to its behaviours. */
  readonly names: readonly string[];
}

async function comparedAgents(garden: Garden, only?: readonly string[]): Promise<readonly ComparedAgent[]> {
  const { repo, store } = garden;
  const at = await headOf(repo);
  const names = await namedBehaviours(repo);
  const found: ComparedAgent[] = [];
  for (const slug of only ?? (await agentsWithLogic(repo, at))) {
    const state = await findLogic(repo, at, slug).catch(() => undefined); // damaged logic is for `bloom verify` to report
    if (!state) continue;
    const pools = await versionPools(repo, at, state);
    const version = state.meta.logicVersion;
    const current = pools.behaviourOf(version);
    const sums = await sumsNow(store, slug);
    const models = behaviourSums(new Map([[slug, sums]])).get(current)?.models ?? [];
    const { runs, failed, good, bad } = pools.sum(sums, version);
    found.push({
      slug,
      version,
      behaviours: [...new Set([current, ...pools.versions.map((one) => pools.behaviourOf(one))])],
      steps: state.diagram === undefined ? undefined : stepsOf(state.diagram),
      figures: { runs, failed, good, bad, models },
      names: [...names.values()].flatMap((named) => (named.agent === slug ? [named.name] : [])),
    });
  }
  return found;
}

/** The steps of the main diagram; decoration and ends are left out. */
const stepsOf = (diagram: string): readonly string[] =>
  outlineDiagram(checkText(splitDiagrams(diagram).main).diagram)
    .entries.filter(({ reached, icon: { text } }) => reached && text.trim() !== "")
    .map(stepKey);

/** Null for prompts: they have no steps. */
const sharedWith = ({ steps }: ComparedAgent, { value }: Offer): number | null =>
  steps === undefined || value.head.kind === "prompt" ? null : sharedSteps(steps, stepsOf(value.logic));

interface Pair {
  readonly id: string;
  readonly agent: ComparedAgent;
  readonly offer: Offer;
  readonly offers: readonly Offer[];
}

async function suggested(garden: Garden, { id, agent, offer, offers }: Pair): Promise<BehaviourSuggestion | undefined> {
  const { entry, value } = offer;
  const shared = sharedWith(agent, offer);
  const relation = relationOf(agent, offer, offers, shared);
  if (!relation) return undefined;
  const replay = (await recordedReplays(garden.store, entry.id)).find(
    (one) => one.agent === agent.slug && one.version === agent.version,
  );
  const { runs, failed, good, bad, models } = value.head.statistics;
  const theirs = { runs, failed, good, bad, models };
  const compared = { theirs, ours: agent.figures, replay: replay?.runs };
  const reasons = reasonsToSuggest(compared, learningSettings(garden));
  if (reasons.length === 0) return undefined;
  return {
    id,
    agent: agent.slug,
    version: agent.version,
    entry: entry.id,
    name: value.head.name,
    garden: offer.garden,
    behaviour: value.head.behaviour,
    their_version: value.head.version,
    reasons,
    relation,
    shared: shared === null ? null : Math.round(shared * 100) / 100,
    theirs,
    ours: agent.figures,
    replay: replay ?? null,
  };
}

function relationOf(
  agent: ComparedAgent,
  { garden, value }: Offer,
  offers: readonly Offer[],
  shared: number | null,
): SuggestionRelation | undefined {
  const { name } = value.head;
  const earlier = offers.some(
    (other) =>
      other.garden === garden &&
      other.value.head.name === name &&
      agent.behaviours.includes(other.value.head.behaviour),
  );
  if (earlier) return "version";
  if (agent.names.includes(name)) return "name";
  return shared !== null && shared >= ENOUGH_SHARED ? "steps" : undefined;
}
