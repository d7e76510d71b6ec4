import { expect, test } from "vitest";
import { readingConformance } from "./conformance-reading.ts";
import { sessionConformance } from "./conformance-sessions.ts";
import { type RepoPlace, repoSuite } from "./conformance-setup.ts";
import { writingConformance } from "./conformance-writing.ts";

/** The promises of `ports/repo.ts`, races included. Every adapter must pass this suite. */
export function repoConformance(family: string, makePlace: () => RepoPlace): void {
  const common = repoSuite(family, makePlace);
  writingConformance(common);
  readingConformance(common);
  sessionConformance(common);

  test(`${family}: health reports a working repository`, async () => {
    const { repo } = await common.opened();
    expect(await repo.health()).toMatchObject({ ok: true, remarks: [] });
  });
}
