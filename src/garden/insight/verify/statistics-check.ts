import type { Text } from "../../../base/text.ts";
import { contractKey, keys, logicPath } from "../../../domain/layout.ts";
import { type LogicMeta, metaText } from "../../../domain/logic/logic-meta.ts";
import { type RunCount, recounted } from "../../../domain/run/run-tally.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import type { FoundGarden } from "../../core/garden.ts";
import { agentsWithLogic, findLogic } from "../../records/logic/logic-state.ts";
import { noteUnwritten, recordStatistics, sumOfVersion, withFigures } from "../learning/statistics.ts";
import { type CountedRun, countsOf, forgetTally, marksOf, readTally, talliedRuns } from "../learning/tally.ts";
import { allAbout, type Check, type CheckFinding, mainOf, subjects } from "./check.ts";

/**
 * Recomputes all figures from the runs and decisions: sums may lag behind, but must never differ. A counted run that is missing is
 * reported by name; currentCheck reports a damaged meta.
 */
export const statisticsCheck: Check = {
  id: "statistics",
  rule: "L-4",
  title: { en: "figures of logic are those of the runs", uk: "показники логіки відповідають запускам" },
  async *run(garden) {
    const { store, world } = garden;
    const main = await mainOf(garden);
    if (store.kind === "failed" || !main) return;
    const { repo, head } = main;
    const sources = { store: store.value, repo, world };
    for (const slug of await agentsWithLogic(repo, head)) {
      // The runs of a deleted agent are deleted too.
      if (!(await store.value.get(contractKey(slug)))) continue;
      const state = await findLogic(repo, head, slug).catch(() => undefined);
      yield* findingsOf(sources, slug, state?.meta);
    }
  },
};

interface StatisticsSources {
  readonly store: Store;
  readonly repo: Repo;
  readonly world: FoundGarden["world"];
}

async function* findingsOf(
  sources: StatisticsSources,
  slug: string,
  meta: LogicMeta | undefined,
): AsyncGenerator<CheckFinding> {
  const { store } = sources;
  const runs: CountedRun[] = [];
  for await (const counted of countsOf(store, slug)) runs.push(counted);
  const repair = async (): Promise<void> => {
    await forgetTally(store, slug);
    await noteUnwritten(sources, slug);
    await recordStatistics(sources);
  };
  const counted = await comparedTally(store, slug, runs);
  if (counted === "damaged") yield { where: `store:${keys.tally(slug)}`, what: damagedTally, repair };
  else if (counted === "other") yield { where: `store:${keys.tally(slug)}`, what: otherTally, repair };
  else
    for (const run of counted.gone)
      yield { where: `store:${keys.runs(slug)}${run}`, what: goneRun, repair, ...allAbout(subjects.run(run)) };
  if (!meta) return;
  const byEnd = runs.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1)).map(({ count }) => count);
  const orders = typeof counted === "string" ? [byEnd] : [byEnd, counted.order];
  if (!orders.some((order) => fits(meta, order)))
    yield { where: logicPath.current(slug, "meta"), what: otherFigures, repair };
}

const endOf = ({ finished, run }: CountedRun): string => `${finished} ${run}`;

/** Compares the tally with the runs: the order in which it counted them, and the counted runs that are missing. */
async function comparedTally(
  store: Store,
  slug: string,
  runs: readonly CountedRun[],
): Promise<{ readonly order: readonly RunCount[]; readonly gone: readonly string[] } | "damaged" | "other"> {
  const { tally, hash } = await readTally(store, slug);
  if (!tally) return hash === undefined ? { order: [], gone: [] } : "damaged";
  if (!tally.whole) return { order: [], gone: [] };
  const records = await talliedRuns(store, slug, tally);
  if (records === "damaged") return records;
  const changes = records.map(({ count }) => ({ was: null, is: count }));
  if (JSON.stringify(recounted({}, changes)) !== JSON.stringify(recounted(tally.sums, []))) return "other";
  const marked = await marksOf(store, slug, Number.POSITIVE_INFINITY);
  const there = new Map(runs.map(({ run, count }) => [run, count]));
  const byRun = new Map(records.map(({ run, count }) => [run, count]));
  const gone: string[] = [];
  for (const run of new Set([...there.keys(), ...byRun.keys()])) {
    const [is, was] = [there.get(run), byRun.get(run) ?? undefined];
    if (marked.has(run) || JSON.stringify(is) === JSON.stringify(was)) continue;
    if (!is && !(await store.get(keys.runManifest(slug, run)))) gone.push(run);
    // A run that has just ended or was just decided is counted at the next turn.
    else if (!(await store.get(keys.openRun(run)))) return "other";
  }
  return { order: records.flatMap(({ count }) => count ?? []), gone };
}

/** The figures are those of the first n counted runs: they may lag behind, but never be ahead. */
function fits(meta: LogicMeta, order: readonly RunCount[]): boolean {
  const own = order.filter(({ version }) => version === meta.logicVersion).slice(0, meta.runsOnThisVersion);
  const sums = recounted(
    {},
    own.map((is) => ({ was: null, is })),
  );
  return metaText(withFigures(meta, sumOfVersion(sums, meta.logicVersion))) === metaText(meta);
}

const otherFigures: Text = {
  en: "its figures do not match the runs in the store; `bloom verify --repair` writes them again",
  uk: "її показники — не ті, що в запусках у сховищі; `bloom verify --repair` запише їх наново",
};
const damagedTally: Text = {
  en: "the sum over the runs is damaged or was edited by hand; `bloom verify --repair` counts them again",
  uk: "суму за запусками пошкоджено або змінено вручну; `bloom verify --repair` порахує наново",
};
const otherTally: Text = {
  en: "the sum does not match the runs and their decisions; `bloom verify --repair` counts them again",
  uk: "сума не та, що кажуть запуски й рішення про них; `bloom verify --repair` порахує наново",
};
const goneRun: Text = {
  en: "this run was counted, but was deleted since; restore it from a backup, or let `bloom verify --repair` count without it",
  uk: "цей запуск пораховано, а його вже немає: хтось його видалив; поверніть із резервної копії, або `bloom verify --repair` порахує без нього",
};
