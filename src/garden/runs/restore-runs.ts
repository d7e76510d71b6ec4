import type { Garden } from "../core/garden.ts";
import { restoreOpenRuns } from "./open-runs.ts";
import { resumeRevisions } from "./send-back.ts";

/** The work of a start: rebuilds deleted views of open runs, and requests the runs of revisions that a crash left out. */
export async function restoreRuns(garden: Garden): Promise<void> {
  await restoreOpenRuns(garden);
  await resumeRevisions(garden);
}
