import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CapabilitySet, capabilityObject } from "../../domain/federation/capability.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { kindFile, LIBRARY_REF } from "../../domain/layout.ts";
import { kindIds } from "../../domain/session/kind-id.ts";
import { builtInKinds, type KindRegistry, type NewKind } from "../../domain/session/kinds.ts";
import { kindFileOf, readKinds, registerKind } from "../sessions/kind-library.ts";
import { expectMergeGrants, peerSession } from "../sessions/peer-sessions.ts";
import { gatewaySignature } from "../sessions/session-garden.ts";
import { committed } from "../sessions/testing/branch-checks.ts";
import { codeOf, gitWith, type SessionSpace } from "../sessions/testing/space.ts";
import { announceSessions } from "./announce.ts";
import { grantedKind, listKinds, takeKind } from "./peer-kinds.ts";
import {
  accepted,
  aliceKey,
  EVERYTHING,
  expectRefused,
  granted,
  ownedSession,
  sent,
  type TwoGardens,
  twoGardens,
} from "./testing/two-gardens.ts";

const leak: NewKind = { name: "leak", parent: "finding" };
const idIn = (kinds: KindRegistry, name: string): string => kindIds(kinds).get(name)!;
const withKinds = (...more: readonly NewKind[]): KindRegistry =>
  new Map([...builtInKinds, ...more.map(({ name, parent }) => [name, parent] as const)]);
const leakId = idIn(withKinds(leak), "leak");

/** Alice announces her sessions and her library. */
async function announced(both: TwoGardens, sessions: readonly string[]): Promise<void> {
  const library = await both.alice.repo.resolve(LIBRARY_REF);
  await announceSessions(both.alice, aliceKey, sessions, undefined, async () => ({
    refs: new Map(library === undefined ? [] : [[LIBRARY_REF, library]]),
    moves: [],
  }));
  sent(both, ...EVERYTHING);
}

/** Bob follows Alice and takes her library. */
async function gardens(): Promise<TwoGardens> {
  const both = await twoGardens();
  await granted(both, "behaviour", ["head-move"]);
  return both;
}

/** A library that no garden would write. */
async function byHandInLibrary({ repo, git, world }: SessionSpace, path: string, text: string): Promise<Oid> {
  const from = await repo.resolve(LIBRARY_REF);
  const by = gatewaySignature(world.now());
  const edits = [{ path, bytes: Buffer.from(text) }];
  const to = await repo.build({ parents: from ? [from] : [], edits, author: by, committer: by, message: "By hand" });
  git("update-ref", LIBRARY_REF, to);
  return to;
}

interface Sharing {
  readonly about: string;
  readonly hers: NewKind;
  readonly ours?: NewKind;
  /** Kinds that Bob grants her for `spawn`. */
  readonly grants: readonly string[];
  readonly allowed: boolean;
}

const sharings: readonly Sharing[] = [
  { about: "that is hers alone, below a granted one", hers: leak, grants: ["finding"], allowed: false },
  { about: "that is hers alone, with every kind here granted", hers: leak, grants: ["agent-commit"], allowed: false },
  { about: "that is granted by its federated id", hers: leak, grants: [leakId], allowed: true },
  {
    about: "below one that is granted by its federated id",
    hers: leak,
    grants: [idIn(builtInKinds, "finding")],
    allowed: true,
  },
  { about: "that both define alike, below a granted one", hers: leak, ours: leak, grants: ["finding"], allowed: true },
  {
    about: "with the name of ours and another parent, which is granted",
    hers: leak,
    ours: { name: "leak", parent: "decision" },
    grants: ["finding"],
    allowed: false,
  },
  {
    about: "with the name of ours and another parent, with ours and all above it granted",
    hers: leak,
    ours: { name: "leak", parent: "decision" },
    grants: ["leak", "decision", "agent-commit"],
    allowed: false,
  },
  {
    about: "whose id differs from the granted one by its parent",
    hers: { name: "leak", parent: "test" },
    grants: [leakId],
    allowed: false,
  },
];

describe("S-10 kinds of other gardens", () => {
  test.each(sharings)("a commit of a kind $about: allowed is $allowed", ({ hers, ours, grants, allowed }) => {
    const kinds = withKinds(...(ours ? [ours] : []));
    const objects = grants.map((agenticType) =>
      capabilityObject({ peer: "alice", agenticType, trigger: "spawn" }, kinds),
    );
    const set = new CapabilitySet(objects, kinds);
    const question = { peer: "alice", kind: "leak", theirs: withKinds(hers), trigger: "spawn", now: 0 } as const;
    expect(set.allowsCommit(question) !== undefined).toBe(allowed);
  });

  test("a session with a kind of its garden's own, even one with a name of ours, is refused until its federated id is granted", async () => {
    const both = await gardens();
    await registerKind(both.alice, leak);
    await registerKind(both.bob, { name: "leak", parent: "decision" });
    await ownedSession(both.alice, "scout");
    await committed(both.alice, "scout", { "a.md": "one" }, { kind: "leak" });
    await granted(both, "agent-commit", ["spawn"]);
    await announced(both, ["scout"]);
    await expectRefused(both, "not-allowed");
    expect(await accepted(both)).toMatchObject({ subject: `spawn ${leakId}` });
    await granted(both, leakId, ["spawn"]);
    expect(await accepted(both)).toMatchObject({ kind: "accepted" });
    const origin = await peerSession(both.bob.repo, { peer: "alice", session: "scout" });
    await granted(both, "agent-commit", ["merge"]);
    expect(await codeOf(expectMergeGrants(both.bob, [origin]))).toBe("FORBIDDEN");
    await granted(both, leakId, ["merge"]);
    await expectMergeGrants(both.bob, [origin]);
  });

  test("accepted kinds are listed with their garden, named in grants, and registered here with the same id", async () => {
    const both = await gardens();
    const { alice, bob } = both;
    await registerKind(alice, leak);
    await registerKind(alice, { name: "drip", parent: "leak" });
    await announced(both, []);
    expect(await accepted(both)).toMatchObject({ kind: "accepted" });
    const dripId = idIn(await readKinds(alice.repo), "drip");
    expect(await listKinds(bob.repo, "alice")).toEqual([
      { name: "drip", parent: "leak", id: dripId, garden: "alice" },
      { name: "leak", parent: "finding", id: leakId, garden: "alice" },
    ]);
    expect((await readKinds(bob.repo)).has("drip")).toBe(false);
    expect(await grantedKind(bob.repo, "alice/drip")).toBe(dripId);
    expect(await codeOf(grantedKind(bob.repo, "alice/finding"))).toBe("NOT_FOUND");
    await takeKind(bob, "alice", "drip");
    expect(idIn(await readKinds(bob.repo), "drip")).toBe(dripId);
    expect(bob.git("rev-list", "--count", LIBRARY_REF)).toBe("1");
  });

  test("a kind cannot be taken over where a name of its line is taken by another definition", async () => {
    const both = await gardens();
    await registerKind(both.alice, leak);
    await registerKind(both.alice, { name: "drip", parent: "leak" });
    await registerKind(both.bob, { name: "leak", parent: "test" });
    await announced(both, []);
    await accepted(both);
    expect(await codeOf(takeKind(both.bob, "alice", "drip"))).toBe("VALIDATION_FAILED");
    expect((await readKinds(both.bob.repo)).has("drip")).toBe(false);
  });

  test("a library with a kind that no garden writes is refused, and a kind that was accepted cannot be changed", async () => {
    const both = await gardens();
    await registerKind(both.alice, leak);
    await announced(both, []);
    await accepted(both);
    const before = (await both.alice.repo.resolve(LIBRARY_REF))!;
    const files: readonly (readonly [string, string])[] = [
      ["finding", '{"name":"finding","parent":"behaviour"}'],
      ["drip", '{"name":"drip","parent":"nothing"}'],
      ["leak", '{"name":"leak","parent":"decision"}'],
    ];
    for (const [name, text] of files) {
      both.alice.git("update-ref", LIBRARY_REF, before);
      await byHandInLibrary(both.alice, kindFile(name), text);
      await announced(both, []);
      await expectRefused(both, "bad-kind");
    }
  });

  test.each([
    '{"name":"leak","parent":"finding"}',
    '{"name":"drip","parent":"finding","more":1}',
    '{"parent":"finding","name":"drip"}',
    '{"name":"drip"}',
    "{",
  ])("the file drip.json with %s defines no kind", (text) => {
    expect(kindFileOf(kindFile("drip"), Buffer.from(text))).toBeUndefined();
  });

  test("a grant for behaviours allows no commit that says to be one", () => {
    const grant = capabilityObject({ peer: "alice", agenticType: "behaviour", trigger: "head-move" }, builtInKinds);
    const set = new CapabilitySet([grant], builtInKinds);
    const question = { peer: "alice", kind: "behaviour", trigger: "head-move", now: 0 } as const;
    expect([set.allows(question), set.allowsCommit(question)]).toEqual([grant.value, undefined]);
  });

  test("the federated id of a kind is the id that git gives its definition", () => {
    const parent = idIn(builtInKinds, "finding");
    const hash = gitWith(".", `{"name":"leak","parent":"${parent}"}`, "hash-object", "--stdin");
    expect(leakId).toBe(`leak@${hash}`);
  });
});

const NAMES = ["finding", "test", "a", "b", "c", "d"] as const;
const PARENTS = ["agent-commit", ...NAMES, "lost"] as const;
/** Registries as a file made by hand could give them: with cycles and lost parents. */
const registry = fc
  .uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c", "d"), parent: fc.constantFrom(...PARENTS) }), {
    selector: ({ name }) => name,
  })
  .map((more) => withKinds(...more));

/** The kinds from this one up to one without a parent; undefined if the way does not end there. */
function lineOf(kinds: KindRegistry, kind: string): readonly string[] | undefined {
  const line = [kind];
  for (let at = kind; line.length < 20; ) {
    if (!kinds.has(at)) return undefined;
    const above = kinds.get(at);
    if (above === undefined) return line;
    line.push((at = above));
  }
  return undefined;
}

describe("S-10 the lookup of capabilities with kinds of two gardens", () => {
  test("it allows exactly what a model of lines of names allows", () => {
    const grants = fc.array(
      fc.record({ kind: fc.constantFrom(...NAMES), of: fc.constantFrom("name", "ours", "theirs") }),
    );
    fc.assert(
      fc.property(registry, registry, grants, fc.constantFrom(...NAMES), (ours, theirs, wishes, kind) => {
        const judged = theirs.has(kind) ? theirs : ours;
        const line = lineOf(judged, kind);
        const isAlike = judged === ours || String(lineOf(ours, kind)) === String(line);
        let expected = false;
        const objects = wishes.flatMap(({ kind: asked, of }) => {
          const source = of === "theirs" ? theirs : ours;
          const wanted = lineOf(source, asked);
          if (!wanted) return [];
          const isBelow = line?.includes(asked) === true;
          const isSame = isBelow && String(line?.slice(line.indexOf(asked))) === String(wanted);
          expected ||= of === "name" ? isBelow && isAlike : isSame;
          const agenticType = of === "name" ? asked : idIn(source, asked);
          return [capabilityObject({ peer: "alice", agenticType, trigger: "spawn" }, ours)];
        });
        const set = new CapabilitySet(objects, ours);
        expect(set.allows({ peer: "alice", kind, theirs, trigger: "spawn", now: 0 }) !== undefined).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
