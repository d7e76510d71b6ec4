import { didYouMean } from "../../base/did-you-mean.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { readScope } from "../core/access/read-scope.ts";
import type { Garden } from "../core/garden.ts";
import { headOf } from "../core/main-head.ts";
import { agentSlugs } from "../records/status.ts";

type Names = Pick<Garden, "repo" | "store" | "config">;

/**
 * A NOT_FOUND that names a missing agent (`details.agent`) or note (`details.path`), with the nearest name that exists as its hint;
 * anything else unchanged. For the owner only: a guest or an agent must not learn names that it may not read. Never throws.
 */
export async function withNearestName(garden: Names, thrown: unknown): Promise<unknown> {
  if (!isFailure(thrown, "NOT_FOUND") || thrown.details["renamed_to"] !== undefined) return thrown;
  const near = await nearestName(garden, thrown).catch(() => undefined);
  return near === undefined ? thrown : suggested(thrown, near);
}

async function nearestName(garden: Names, { details }: Failure): Promise<string | undefined> {
  const [agent, path, subject] = [details["agent"], details["path"], details["subject"]];
  if (typeof agent === "string") return nearestAgent(garden, agent);
  if (typeof path === "string") return nearestNote(garden, path);
  // The subject of `why`: an agent before `#`, or a path before `:`.
  if (typeof subject !== "string") return undefined;
  if (subject.includes("#")) return nearestAgent(garden, subject.slice(0, subject.indexOf("#")));
  return nearestNote(garden, subject.replace(/:\d+$/, ""));
}

/** Undefined also for a slug that exists: the failure is about something else of this agent. */
async function nearestAgent({ store }: Names, written: string): Promise<string | undefined> {
  const slugs = await agentSlugs(store);
  return slugs.includes(written) ? undefined : didYouMean(written, slugs);
}

/** By path, else by file name in any folder. */
async function nearestNote({ repo, config }: Names, written: string): Promise<string | undefined> {
  const isNote = readScope(config, "all");
  const paths = (await repo.list(await headOf(repo), "")).map(({ path }) => path).filter(isNote);
  if (paths.includes(written)) return undefined;
  const byPath = didYouMean(written, paths);
  if (byPath !== undefined) return byPath;
  const byName = new Map(paths.map((path) => [fileName(path), path]));
  const name = didYouMean(fileName(written), byName.keys());
  return name === undefined ? undefined : byName.get(name);
}

const fileName = (path: string): string =>
  path
    .split("/")
    .at(-1)!
    .replace(/\.(?:md|markdown)$/i, "");

const suggested = (failure: Failure, near: string): Failure =>
  new Failure(failure.code, {
    ...failure.text,
    hint: { en: `Did you mean \`${near}\`?`, uk: `Можливо, \`${near}\`?` },
    details: { ...failure.details, near },
    cause: failure,
  });
