import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { embeddedOrchestrator } from "../src/adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { machine } from "../src/domain/layout.ts";
import { closeGarden } from "../src/garden/core/garden.ts";
import { requestRun } from "../src/garden/runs/request-run.ts";
import { startRuns } from "../src/garden/runs/testing/start-runs.ts";
import { everyKey } from "../src/ports/store.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn, reopened } from "./ours-garden.ts";
import { fewNotes, fourStepRun, plant } from "./ours-runs.ts";
import type { Repository } from "./repository.ts";

const OPEN = 20;

/** From a closed garden until every open run is under way again must not grow with the runs that ended. */
export const recovery = ({ finished }: Size, scratch: string): Bench => {
  const repository = fewNotes(scratch);
  return {
    name: `recovery: start with ${OPEN} open runs beside ${finished} that ended`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: starting(repository, finished),
    rivals: [starting(repository, 0)],
  };
};

const starting = (repository: Repository, finished: number): Contender => ({
  name: finished === 0 ? "the same with none that ended" : "bloom",
  async open(folder) {
    const first = await gardenIn(folder, repository);
    for (let n = 0; n < OPEN; n++) await plant(first, `agent-${n}`);
    const ended = finished === 0 ? undefined : await oneThatEnded(first);
    for (let n = 0; n < OPEN; n++) await requestRun(first, { slug: `agent-${n}`, trigger: "manual", by: "owner" });
    await closeGarden(first);
    if (ended) await copies(join(folder, machine.store), ended, finished);
    return {
      async once() {
        const garden = await reopened(folder);
        const begun = new Set<string>();
        let all = (): void => undefined;
        const underWay = new Promise<void>((resolve) => void (all = resolve));
        const engine = await startRuns(garden, {
          orchestrator: embeddedOrchestrator({ world: garden.world, limit: OPEN }),
          flow: async ({ place }) => {
            begun.add(place.run);
            if (begun.size === OPEN) all();
            return { kind: "later", at: garden.world.now() + 3_600_000 };
          },
        });
        await underWay;
        await engine.settled();
        await engine.close();
        await closeGarden(garden);
      },
      close: async () => undefined,
    };
  },
});

interface Ended {
  readonly id: string;
  readonly objects: readonly { readonly key: string; readonly text: string }[];
}

/** A run of four steps to its end, with every object of the store that has its name. */
async function oneThatEnded(garden: Awaited<ReturnType<typeof gardenIn>>): Promise<Ended> {
  const engine = await startRuns(garden, {
    orchestrator: embeddedOrchestrator({ world: garden.world, limit: 1 }),
    flow: fourStepRun,
  });
  const { run_id: id } = await requestRun(garden, { slug: "agent-0", trigger: "manual", by: "owner" });
  await engine.settled();
  await engine.close();
  const objects: { key: string; text: string }[] = [];
  for await (const { key } of everyKey(garden.store, ""))
    if (key.includes(id)) objects.push({ key, text: Buffer.from((await garden.store.get(key))!.bytes).toString() });
  return { id, objects };
}

/** The same again under other ids, straight into the files of a closed store: through the log it would take minutes. */
async function copies(store: string, { id, objects }: Ended, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const other = id.slice(0, -6) + n.toString(36).padStart(6, "0");
    for (const { key, text } of objects) {
      const path = join(store, key.replaceAll(id, other));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.replaceAll(id, other));
    }
  }
}
