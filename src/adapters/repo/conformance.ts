import { expect, test } from "vitest";
import { readingConformance } from "./conformance-reading.ts";
import { type RepoPlace, repoSuite } from "./conformance-setup.ts";
import { writingConformance } from "./conformance-writing.ts";

/** What every repository must hold, races included. A new adapter is a member of the family when this passes. */
export function repoConformance(family: string, makePlace: () => RepoPlace): void {
  const common = repoSuite(family, makePlace);
  writingConformance(common);
  readingConformance(common);

  test(`${family}: health says what works`, async () => {
    const { repo } = await common.opened();
    expect(await repo.health()).toMatchObject({ ok: true, remarks: [] });
  });
}
