import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../../../base/failure.ts";
import type { World } from "../../../../base/world.ts";
import type { VisitLimits } from "../../../../ports/repo.ts";
import type { RepoSnapshot } from "../../../../ports/repos.ts";
import type { Environment } from "../process/git-process.ts";
import { emptyRepository, openThrowAway } from "./aside.ts";
import { remoteFailure } from "./failures.ts";
import { checkedRemote, withoutCredentials } from "./remote-url.ts";
import { fetchWithin } from "./visit.ts";

const SNAPSHOT = "refs/bloom/snapshot";
/** `--update-shallow`: the other repository may be shallow itself. */
const ONE_COMMIT = ["--depth=1", "--update-shallow"];

/** The newest commit of another repository, in a bare repository of the temporary folder that `close` removes. */
export async function openSnapshot(
  url: string,
  limits: VisitLimits,
  environment: Environment,
  world: World,
): Promise<RepoSnapshot> {
  const remote = checkedRemote({ name: "source", url });
  const dir = await mkdtemp(join(tmpdir(), "bloom-snapshot-"));
  const place = { dir, environment };
  try {
    await emptyRepository(dir);
    const fetched = await fetchWithin({ place, remote, url, dir, options: ONE_COMMIT }, [`+HEAD:${SNAPSHOT}`], limits);
    const shown = withoutCredentials(url, remote);
    if (fetched === "too-large") throw tooLarge(shown, limits.bytes);
    if (fetched !== "fetched") throw remoteFailure(remote, "did not send all necessary objects");
    const repo = await openThrowAway(place, world);
    const head = await repo.resolve(SNAPSHOT);
    if (head === undefined) throw remoteFailure(remote, "not found");
    return { head, read: repo.read, list: repo.list, close: repo.close };
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

const tooLarge = (url: string, bytes: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${url} has more than ${bytes} bytes in its newest commit`,
    uk: `${url} має понад ${bytes} байтів у найновішому коміті`,
    hint: {
      en: "Clone it yourself, and name the folder of its workflows.",
      uk: "Клонуйте його самі й назвіть теку з його процесами.",
    },
  });
