import { canonicalId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { keys } from "../../../domain/layout.ts";
import { foldRun, isTerminal, runRequest, runStatus } from "../../../domain/run/run.ts";
import { journalId, runManifest } from "../../../domain/run/run-manifest.ts";
import { failedAttempt, stepBegun, stepKeyParts, stepRecord } from "../../../domain/run/run-step.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { type Journal, readJournal } from "../../core/flow/journal.ts";
import { refreshStatus } from "../../core/flow/run-status.ts";
import { allAbout, type Check, type CheckFinding, subjects } from "./check.ts";
import { jsonAt } from "./scan.ts";

export const runRecordsCheck: Check = {
  id: "run-records",
  rule: "O-2",
  title: { en: "journals of runs are whole", uk: "журнали запусків цілі" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for await (const run of runsIn(store.value)) yield* brokenRecords(store.value, run);
  },
};

export const runEndsCheck: Check = {
  id: "run-ends",
  rule: "C-10",
  title: { en: "runs that ended are as they ended", uk: "завершені запуски такі, якими завершилися" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for await (const run of runsIn(store.value)) {
      const journal = await sound(store.value, run);
      const what = journal && endProblem(journal);
      if (what)
        yield { where: `store:${keys.runManifest(run.slug, run.run)}`, what, ...allAbout(subjects.run(run.run)) };
    }
  },
};

export const runStatusCheck: Check = {
  id: "run-status",
  rule: "O-1",
  title: { en: "the status of a run is what its records say", uk: "стан запуску такий, як кажуть записи" },
  async *run({ store }) {
    if (store.kind === "failed") return;
    for await (const run of runsIn(store.value)) {
      const journal = await sound(store.value, run);
      if (!journal?.request) continue;
      const key = keys.runStatus(run.slug, run.run);
      const about = allAbout(subjects.run(run.run));
      const shown = await jsonAt(store.value, key);
      if (journal.manifest === undefined) {
        // The worker updates the status of an open run. An ended run has a manifest, which is written before the status.
        const { state } = runStatus.safeParse(shown).data ?? {};
        if (state && isTerminal(state)) yield { where: `store:${key}`, what: noManifest(state), ...about };
        continue;
      }
      if (shown === undefined && (await store.value.get(key))) continue; // not JSON: objectsCheck reports it
      const expected = foldRun(journal.request, journal.records, journal.manifest);
      if (shown !== undefined && canonicalId(shown) === canonicalId(expected)) continue;
      const repair = (): Promise<void> => refreshStatus({ store: store.value }, run);
      yield { where: `store:${key}`, what: otherStatus, repair, ...about };
    }
  },
};

interface RunFiles {
  readonly slug: string;
  readonly run: string;
  /** Keys of its `steps/` folder, and whether a manifest is there. */
  readonly steps: readonly string[];
  readonly ended: boolean;
}

async function* runsIn(store: Store): AsyncGenerator<RunFiles> {
  let open: { slug: string; run: string; steps: string[]; ended: boolean } | undefined;
  for await (const { key } of everyKey(store, "agents/")) {
    const match = /^agents\/([^/]+)\/runs\/([^/]+)\/(steps\/|manifest\.json$|status\.json$|output\/)/.exec(key);
    if (!match) continue;
    const [, slug, run, part] = match as unknown as [string, string, string, string];
    if (open?.slug !== slug || open.run !== run) {
      if (open) yield open;
      open = { slug, run, steps: [], ended: false };
    }
    if (part === "steps/") open.steps.push(key);
    if (part === "manifest.json") open.ended = true;
  }
  if (open) yield open;
}

async function* brokenRecords(store: Store, { slug, run, steps, ended }: RunFiles): AsyncGenerator<CheckFinding> {
  const about = allAbout(subjects.run(run));
  const request = keys.runRequest(slug, run);
  const manifest = keys.runManifest(slug, run);
  for (const key of [...steps, ...(ended ? [manifest] : [])]) {
    const json = await jsonAt(store, key);
    if (json === undefined) return; // not JSON: objectsCheck reports it
    const read = shapeOf(key, slug, run)?.safeParse(json);
    const named = key === manifest || key === request ? { run_id: run } : stepKeyParts(key);
    if (!read?.success || !agrees(read.data, named)) yield { where: `store:${key}`, what: notARecord, ...about };
  }
  const folder = `store:${keys.runSteps(slug, run)}`;
  if (!steps.includes(request)) yield { where: folder, what: noRequest, ...about };
  const positions = steps
    .flatMap((key) => stepKeyParts(key) ?? [])
    .flatMap(({ part, position }) => (part === "record" && position > 0 ? [position] : []))
    .toSorted((a, b) => a - b);
  const twice = positions.find((position, index) => position === positions[index - 1]);
  const gap = positions.findIndex((position, index) => position !== index + 1);
  if (twice !== undefined) yield { where: folder, what: doubled(twice), ...about };
  // Parallel calls of an open run may end out of order.
  else if (gap >= 0 && ended) yield { where: folder, what: missing(gap + 1), ...about };
}

function shapeOf(key: string, slug: string, run: string) {
  if (key === keys.runRequest(slug, run)) return runRequest;
  if (key === keys.runManifest(slug, run)) return runManifest;
  const part = stepKeyParts(key)?.part;
  return part && { record: stepRecord, begun: stepBegun, failed: failedAttempt }[part];
}

const agrees = (record: object, named: { run_id: string } | { position: number; name: string } | undefined): boolean =>
  named !== undefined &&
  Object.entries(named).every(
    ([field, value]) => field === "part" || (record as Record<string, unknown>)[field] === value,
  );

/** The journal if all its records are readable; runRecordsCheck reports the others. */
const sound = (store: Store, run: RunFiles): Promise<Journal | undefined> =>
  readJournal(store, run).catch(() => undefined);

function endProblem({ request, manifest, records, objects }: Journal): Text | undefined {
  if (!manifest || !request) return undefined;
  const positions = new Set(records.map(({ position }) => position));
  // runRecordsCheck reports gaps.
  if (positions.size !== records.length || records.some((_, index) => !positions.has(index + 1))) return undefined;
  if (manifest.journal !== journalId(objects)) return journalChanged;
  if (manifest.steps_count !== records.length) return otherCount("steps_count", records.length);
  const proposals = records.flatMap((record) => record.proposals).length;
  return manifest.proposals_created === proposals ? undefined : otherCount("proposals_created", proposals);
}

const notARecord: Text = {
  en: "this is not a record of a run, or its name does not match: changed by hand; restore it from a backup",
  uk: "це не запис запуску, або його назва чужа: змінено вручну; поверніть із резервної копії",
};
const noRequest: Text = {
  en: "the request is missing: nothing says who asked for this run",
  uk: "ніде не сказано, хто просив про цей запуск",
};
const doubled = (position: number): Text => ({
  en: `two records claim step ${position}: two processes worked on the run, and it needs a decision`,
  uk: `на крок ${position} претендують два записи: дві програми розійшлися, запуск потребує рішення`,
});
const missing = (position: number): Text => ({
  en: `the run has ended, but its step ${position} is missing`,
  uk: `запуск завершено, а його кроку ${position} немає`,
});
const journalChanged: Text = {
  en: "the steps were changed after the run ended: something was added, removed or edited",
  uk: "кроки не ті, з якими запуск завершився: щось додано, прибрано або змінено",
};
const otherCount = (field: string, found: number): Text => ({
  en: `${field} does not match the steps (${found})`,
  uk: `${field} не відповідає крокам (${found})`,
});
const noManifest = (state: string): Text => ({
  en: `the run is ${state}, but its manifest is missing`,
  uk: `запуск має стан ${state}, а його маніфесту немає`,
});
const otherStatus: Text = {
  en: "does not match the records of the run; `bloom verify --repair` writes it again",
  uk: "показує запуск не так, як його записи; `bloom verify --repair` запише наново",
};
