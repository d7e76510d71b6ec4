import type { Oid } from "../../../domain/git/git-names.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type RunSum, type RunSums, sumWhere } from "../../../domain/run/run-tally.ts";
import type { Repo } from "../../../ports/repo.ts";
import { type LogicState, logicOfVersion } from "../../records/logic/logic-state.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";

/**
 * Groups versions by behaviour. A rollback is a new version with the same behaviour as the version that it restored, so the runs of
 * both are counted together.
 */
export interface VersionPools {
  /** All versions in order. */
  readonly versions: readonly LogicVersion[];
  /** The behaviour id of a version; if its files are missing, the version itself. */
  behaviourOf(version: LogicVersion): string;
  /** The versions with the same behaviour, including this one. */
  sameAs(version: LogicVersion): readonly LogicVersion[];
  /** The newest earlier version with another behaviour; undefined for the first. */
  before(version: LogicVersion): LogicVersion | undefined;
  /**
   * Sum over all runs of a version's behaviour. A run counts for the behaviour that it followed, not for the version in its contract,
   * because a change by hand runs before it has a version. A run with an unknown behaviour counts for the version that it names.
   */
  sum(sums: RunSums, version: LogicVersion): RunSum;
}

export async function versionPools(repo: Repo, at: Oid, state: LogicState): Promise<VersionPools> {
  const versions = [...state.versions].toSorted();
  const behaviours = new Map<LogicVersion, string>();
  for (const version of versions) {
    const logic = await logicOfVersion(repo, at, state, version);
    behaviours.set(version, logic ? logicOfFiles(logic).behaviour : version);
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
