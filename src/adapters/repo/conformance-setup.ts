import { afterEach, expect } from "vitest";
import { isFailure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import type { CommitDraft, Edit, Repo, Signature } from "../../ports/repo.ts";
import type { Repos } from "../../ports/repos.ts";

/** Where an adapter makes its repositories. */
export interface RepoPlace {
  readonly repos: Repos;
  /** A new, empty folder. */
  folder(): string;
}

export const MAIN = "refs/heads/main";
export const SIDE = "refs/heads/agents/side";
export const TRACE = "refs/notes/trace";
export const olia: Signature = {
  name: "Оля",
  email: "olia@example.org",
  at: Date.parse("2026-02-14T08:00:00.789Z"),
  zone: 120,
};
export const bloom: Signature = {
  name: "Bloom",
  email: "bloom@garden.invalid",
  at: Date.parse("2026-02-14T09:00:00Z"),
  zone: -210,
};

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const text = (of: { bytes: Uint8Array } | undefined): string | undefined =>
  of && Buffer.from(of.bytes).toString();
export const edit = (path: string, content: string | undefined): Edit => ({
  path,
  bytes: content === undefined ? undefined : bytes(content),
});
export const draft = (parents: readonly Oid[], edits: readonly Edit[], message = "Change"): CommitDraft => ({
  parents,
  edits,
  author: olia,
  committer: bloom,
  message,
});

/** Repositories for the tests of a suite, closed after each test. */
export interface RepoSuite {
  readonly family: string;
  opened(): Promise<{ repo: Repo; dir: string; repos: Repos }>;
  again(dir: string, repos: Repos): Promise<Repo>;
}

export function repoSuite(family: string, makePlace: () => RepoPlace): RepoSuite {
  const open: Repo[] = [];
  afterEach(async () => {
    for (const repo of open.splice(0)) await repo.close();
  });
  const again: RepoSuite["again"] = async (dir, repos) => {
    const repo = await repos.open(dir);
    open.push(repo);
    return repo;
  };
  return {
    family,
    again,
    async opened() {
      const place = makePlace();
      const dir = place.folder();
      await place.repos.init(dir);
      return { repo: await again(dir, place.repos), dir, repos: place.repos };
    },
  };
}

/** A commit on a branch, by compare-and-swap. */
export async function land(repo: Repo, edits: readonly Edit[], ref: string = MAIN, message?: string): Promise<Oid> {
  const from = await repo.resolve(ref);
  const to = await repo.build(draft(from === undefined ? [] : [from], edits, message));
  expect(await repo.move([{ ref, from, to }])).toMatchObject({ kind: "moved" });
  return to;
}

/** The code of the failure that `work` ends with; undefined if it succeeds. */
export const failureCode = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );
