import { applies } from "./apply.ts";
import { auditChecks } from "./audit.ts";
import { behaviourFigures } from "./behaviours.ts";
import { commits, commitsOnMain } from "./commit.ts";
import { counterfactuals } from "./counterfactual.ts";
import { diagrams } from "./diagram.ts";
import { acceptances, capabilityLookups } from "./federation.ts";
import { flowRuns } from "./flow-runs.ts";
import type { Bench, Size } from "./harness.ts";
import { mcpReads } from "./mcp.ts";
import { modelTurns } from "./model-turns.ts";
import { pendingProposals } from "./pending.ts";
import { reads } from "./read.ts";
import { recovery } from "./recovery.ts";
import { remoteMoves } from "./remote.ts";
import { runs } from "./runs.ts";
import { bucketRuns } from "./s3.ts";
import { sessionCommits, sessionLists } from "./session.ts";
import { storeCreate } from "./store-create.ts";
import { turnsOfModel } from "./turns.ts";
import { whys } from "./why.ts";

/** Every bench of the project, in the order in which they run. */
export const allBenches = (size: Size, scratch: string): Bench[] => [
  ...storeCreate(size),
  ...commits(size, scratch),
  commitsOnMain(size, scratch),
  ...sessionCommits(size, scratch),
  sessionLists(size),
  ...remoteMoves(size, scratch),
  ...reads(size, scratch),
  mcpReads(size, scratch),
  ...diagrams(size),
  ...applies(size, scratch),
  pendingProposals(size, scratch),
  ...whys(size, scratch),
  ...runs(size, scratch),
  ...bucketRuns(size),
  ...turnsOfModel(size, scratch),
  ...flowRuns(size, scratch),
  counterfactuals(size, scratch),
  behaviourFigures(size, scratch),
  recovery(size, scratch),
  auditChecks(size, scratch),
  acceptances(size, scratch),
  capabilityLookups(size),
  ...modelTurns(),
];
