import { behaviourRefusals } from "../../../domain/library/behaviour-refusals.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { CheckFinding } from "../../insight/verify/check.ts";
import { readLibrary } from "./read-library.ts";

/** S-9b: behaviours of the library, of followed gardens and from files that are damaged or not signed by their garden. */
export async function* libraryFindings(repo: Repo): AsyncGenerator<CheckFinding> {
  for (const { id, reading } of await readLibrary(repo))
    if (reading.kind === "refused") yield { where: id, what: behaviourRefusals[reading.why] };
}
