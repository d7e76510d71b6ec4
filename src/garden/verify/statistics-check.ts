import type { Text } from "../../base/text.ts";
import { contractKey, logicPath, MAIN_REF } from "../../domain/layout.ts";
import { agentsWithLogic, findLogic } from "../logic/logic-state.ts";
import { countedRuns, fitsRuns } from "../runs/statistics.ts";
import type { Check } from "./check.ts";

/** Worked out once more from the runs: figures may be behind for a while, and are never others. */
export const statisticsCheck: Check = {
  id: "statistics",
  rule: "L-4",
  title: { en: "figures of logic are those of the runs", uk: "показники логіки відповідають запускам" },
  async *run({ store, repo }) {
    if (store.kind === "failed" || repo.kind === "failed") return;
    const head = await repo.value.resolve(MAIN_REF).catch(() => undefined);
    if (head === undefined) return;
    for (const slug of await agentsWithLogic(repo.value, head)) {
      // The runs of a deleted agent went with it; logic that cannot be read is told elsewhere.
      if (!(await store.value.get(contractKey(slug)))) continue;
      const state = await findLogic(repo.value, head, slug).catch(() => undefined);
      if (!state) continue;
      const { runsOnThisVersion, logicVersion } = state.meta;
      const runs = runsOnThisVersion === 0 ? [] : await countedRuns(store.value, slug, logicVersion);
      if (!fitsRuns(state.meta, runs)) yield { where: logicPath.current(slug, "meta"), what: otherFigures };
    }
  },
};

const otherFigures: Text = {
  en: "its figures are not those of the runs in the store",
  uk: "її показники — не ті, що в запусках у сховищі",
};
