import type { Oid } from "../../../domain/git/git-names.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type RunSum, type RunSums, sumWhere } from "../../../domain/run/run-tally.ts";
import type { Repo } from "../../../ports/repo.ts";
import { type LogicState, logicOfVersion } from "../../records/logic/logic-state.ts";
import { standingLogic } from "../../records/logic/proposed-logic.ts";

/**
 * Versions by what an agent does under them. A rollback is another version and the same behaviour, so that its runs and those of the
 * version that it went back to are runs of one thing, and are counted together.
 */
export interface VersionPools {
  /** Every version, in order. */
  readonly versions: readonly LogicVersion[];
  /** The behaviour of a version; of one whose files are gone, a name of its own. */
  behaviourOf(version: LogicVersion): string;
  /** The versions that say the same, this one among them. */
  sameAs(version: LogicVersion): readonly LogicVersion[];
  /** The newest version before this one that says something else; undefined for the first. */
  before(version: LogicVersion): LogicVersion | undefined;
  /**
   * All runs of a version's behaviour. A run counts to what it followed, whatever number its contract named: what a person changed by
   * hand runs before it has a number. One that followed something that is no version's counts to the version that it names.
   */
  sum(sums: RunSums, version: LogicVersion): RunSum;
}

export async function versionPools(repo: Repo, at: Oid, state: LogicState): Promise<VersionPools> {
  const versions = [...state.versions].toSorted();
  const behaviours = new Map<LogicVersion, string>();
  for (const version of versions) {
    const logic = await logicOfVersion(repo, at, state, version);
    behaviours.set(version, logic ? standingLogic(logic).behaviour : version);
  }
  const known = new Set(behaviours.values());
  const behaviourOf = (version: LogicVersion): string => behaviours.get(version) ?? version;
  return {
    versions,
    behaviourOf,
    sameAs: (version) => versions.filter((other) => behaviourOf(other) === behaviourOf(version)),
    before: (version) => versions.findLast((other) => other < version && behaviourOf(other) !== behaviourOf(version)),
    sum: (sums, version) =>
      sumWhere(sums, (group) => {
        const followed =
          group.behaviour !== null && known.has(group.behaviour) ? group.behaviour : behaviourOf(group.version);
        return followed === behaviourOf(version);
      }),
  };
}
