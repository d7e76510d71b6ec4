import { describe, expect, test } from "vitest";
import { EDGES_REF } from "../../domain/layout.ts";
import { EdgeSet, REVIEWS, type SessionEdge, SUB_AGENT_OF, sessionTree } from "../../domain/session/edges.ts";
import { edgeEvents, readEdges, relateSessions, unrelateSessions } from "./edge-stream.ts";
import type { SessionCheck } from "./testing/object-checks.ts";
import { codeOf, newSpace, reopened } from "./testing/space.ts";

const sub = (from: string, to: string): SessionEdge => ({ kind: SUB_AGENT_OF, from, to });
const asserted = (...edges: SessionEdge[]): EdgeSet =>
  new EdgeSet(edges.map((edge) => ({ op: "assert" as const, ...edge })));
const tree = asserted(sub("b", "a"), sub("c", "a"), sub("d", "b"), sub("e", "d"));
const review: SessionEdge = { kind: REVIEWS, from: "ann", to: "bob" };

/** The checks of relations, R1 to R12. */
const checks: readonly SessionCheck[] = [
  ["descendants transitive", () => expect(tree.descendants(SUB_AGENT_OF, "a")).toEqual(["b", "c", "d", "e"])],
  ["sub-agents direct", () => expect(tree.into(SUB_AGENT_OF, "a")).toEqual(["b", "c"])],
  [
    "agent tree",
    () =>
      expect(sessionTree(tree, "a")).toEqual({
        name: "a",
        below: [
          { name: "b", below: [{ name: "d", below: [{ name: "e", below: [] }] }] },
          { name: "c", below: [] },
        ],
      }),
  ],
  [
    "reviewers",
    () => expect(asserted(review, { ...review, from: "cid" }).into(REVIEWS, "bob")).toEqual(["ann", "cid"]),
  ],
  [
    "duplicate assert adds no event",
    async () => {
      const space = await newSpace();
      expect([await relateSessions(space, review), await relateSessions(space, review)]).toEqual([true, false]);
      expect(await edgeEvents(space.repo)).toHaveLength(1);
    },
  ],
  [
    "retract",
    async () => {
      const space = await newSpace();
      await relateSessions(space, review);
      expect([await unrelateSessions(space, review), (await readEdges(space.repo)).all()]).toEqual([true, []]);
    },
  ],
  [
    "retract of nothing is false",
    async () => {
      const space = await newSpace();
      expect([await unrelateSessions(space, review), await space.repo.resolve(EDGES_REF)]).toEqual([false, undefined]);
    },
  ],
  [
    "assert after retract",
    async () => {
      const space = await newSpace();
      await relateSessions(space, review);
      await unrelateSessions(space, review);
      await relateSessions(space, review);
      expect((await readEdges(space.repo)).all()).toEqual([review]);
    },
  ],
  [
    "reload gives the same edges",
    async () => {
      const space = await newSpace();
      for (const edge of [review, sub("b", "a"), sub("c", "a")]) await relateSessions(space, edge);
      await unrelateSessions(space, sub("b", "a"));
      expect((await readEdges((await reopened(space.dir)).repo)).all()).toEqual((await readEdges(space.repo)).all());
    },
  ],
  [
    "event order is history order",
    async () => {
      const space = await newSpace();
      for (const name of ["b", "c", "d"]) await relateSessions(space, sub(name, "a"));
      const subjects = space.git("log", "--reverse", "--format=%s", EDGES_REF).split("\n");
      expect([(await edgeEvents((await reopened(space.dir)).repo)).map(({ from }) => from), subjects]).toEqual([
        ["b", "c", "d"],
        ["b", "c", "d"].map((name) => `assert: ${name} sub-agent-of a`),
      ]);
    },
  ],
  [
    "cycle does not hang",
    () => {
      const ring = asserted(sub("b", "a"), sub("a", "b"));
      expect([ring.descendants(SUB_AGENT_OF, "a"), sessionTree(ring, "a")]).toEqual([
        ["b"],
        { name: "a", below: [{ name: "b", below: [] }] },
      ]);
    },
  ],
  [
    "kind is part of the key",
    () => {
      const both = asserted(review, { ...review, kind: "watches" });
      both.apply({ op: "retract", ...review });
      expect(both.all()).toEqual([{ ...review, kind: "watches" }]);
    },
  ],
];

describe("S-4 edges between sessions", () => {
  test("the list has 12 checks", () => {
    expect(checks).toHaveLength(12);
  });

  test.each(checks.map(([name, holds], index) => ({ name: `R${index + 1}. ${name}`, holds })))(
    "$name",
    async ({ holds }) => {
      await holds();
    },
  );

  test.each([
    ["a kind that is no name", { ...review, kind: "Re Views" }],
    ["a session that is no name", { ...review, to: "../x" }],
  ])("an edge with %s is refused", async (_, edge) => {
    expect(await codeOf(relateSessions(await newSpace(), edge))).toBe("VALIDATION_FAILED");
  });

  test("a commit made by hand on the edges ref is skipped, and a rewritten stream is read anew", async () => {
    const space = await newSpace();
    await relateSessions(space, review);
    const byHand = space.git(
      "commit-tree",
      "-p",
      EDGES_REF,
      "-m",
      "Not an event",
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    );
    space.git("update-ref", EDGES_REF, byHand);
    expect((await readEdges(space.repo)).all()).toEqual([review]);
    await relateSessions(space, sub("b", "a"));
    const other = await newSpace();
    await relateSessions(other, sub("z", "y"));
    space.git("fetch", "-q", other.dir, `+${EDGES_REF}:${EDGES_REF}`);
    expect((await readEdges(space.repo)).all()).toEqual([sub("z", "y")]);
  });
});
