import { expect, test } from "vitest";
import { isSlug } from "../../domain/contract/slug.ts";
import { sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { runSessionName } from "../../domain/session/session-name.ts";
import { openRunSession, type RunSessionWish, runSessionOf } from "./run-session.ts";
import { newSpace, reopened, type SessionSpace, spawned } from "./testing/space.ts";
import { briefingOf, genesisOf } from "./topology.ts";

const place = { slug: "tidy", run: "run_2026-02-14_080000_a1b2c3" };

async function ground(): Promise<{ space: SessionSpace; wish: RunSessionWish }> {
  const space = await newSpace();
  const at = await spawned(space, "base");
  const wish = { at, goal: "Sort notes", contract: "c0ffee", logic: "v003", behaviour: "b1", trigger: "manual" };
  return { space, wish };
}

test.each([
  ["tidy", "run_2026-02-14_080000_a1b2c3", 1, "tidy-a1b2c3"],
  ["tidy", "run_2026-02-14_080000_a1b2c3", 2, "tidy-a1b2c3-2"],
  ["a".repeat(63), "run_2026-02-14_080000_a1b2c3", 1, `${"a".repeat(56)}-a1b2c3`],
  [`${"a".repeat(55)}-bcdefgh`, "run_2026-02-14_080000_a1b2c3", 1, `${"a".repeat(55)}-a1b2c3`],
])("S-2a the session of a run of %s is named after both", (slug, run, nth, name) => {
  expect(runSessionName(slug, run, nth)).toBe(name);
  expect(isSlug(name)).toBe(true);
});

test("S-11 O-3a the session of a run begins at its pinned commit and names contract, logic and trigger", async () => {
  const { space, wish } = await ground();
  const opened = await openRunSession(space, place, wish);
  const genesis = await genesisOf(space.repo, opened.name);
  expect(opened).toEqual({ name: "tidy-a1b2c3", head: genesis?.commit.oid, genesis: genesis?.commit.oid });
  expect(genesis?.commit.parents).toEqual([wish.at]);
  expect(genesis?.typed?.fields).toMatchObject({
    run: place.run,
    contract: "c0ffee",
    logic: "v003",
    trigger: "manual",
    behaviour: "b1",
  });
  expect(await briefingOf(space.repo, opened.name)).toMatchObject({
    goal: "Sort notes",
    agent: "tidy",
    run: place.run,
  });
  expect(await runSessionOf(space.repo, place)).toEqual(opened);
  expect(await runSessionOf(space.repo, { ...place, run: "run_2026-02-14_080000_zzzzzz" })).toBeUndefined();
});

test("S-11 opening the session of a run again, or from several processes, finds the first one's", async () => {
  const { space, wish } = await ground();
  const others = await Promise.all([1, 2, 3].map(() => reopened(space.dir)));
  const opened = await Promise.all([space, ...others].map((each) => openRunSession(each, place, wish)));
  expect(new Set(opened.map(({ genesis }) => genesis)).size).toBe(1);
  expect((await openRunSession(space, place, { ...wish, goal: "Other" })).genesis).toBe(opened[0]?.genesis);
});

test("S-2a a run whose name is taken by somebody else's session gets the next one", async () => {
  const { space, wish } = await ground();
  await spawned(space, "tidy-a1b2c3");
  expect((await openRunSession(space, place, wish)).name).toBe("tidy-a1b2c3-2");
  expect((await runSessionOf(space.repo, place))?.name).toBe("tidy-a1b2c3-2");
  const other = { ...place, run: "run_2026-02-15_080000_a1b2c3" };
  expect((await openRunSession(space, other, wish)).name).toBe("tidy-a1b2c3-3");
  const third = { ...place, run: "run_2026-02-16_080000_a1b2c3" };
  await expect(openRunSession(space, third, wish)).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
});

test("S-11 a spawn that a crash left without its branch gets the branch back", async () => {
  const { space, wish } = await ground();
  const { genesis } = await openRunSession(space, place, wish);
  space.git("update-ref", "-d", sessionBranch("tidy-a1b2c3"));
  expect(await runSessionOf(space.repo, place)).toBeUndefined();
  expect(await openRunSession(space, place, wish)).toEqual({ name: "tidy-a1b2c3", head: genesis, genesis });
  expect(await space.repo.resolve(sessionDossier("tidy-a1b2c3-2"))).toBeUndefined();
});
