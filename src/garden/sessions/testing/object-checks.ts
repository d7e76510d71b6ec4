import { expect } from "vitest";
import { canonicalJson } from "../../../base/canonical.ts";
import { BRIEFING_FILE, sessionDossier } from "../../../domain/layout.ts";
import { builtInKinds, isA, type KindRegistry, kindProblem, withKind } from "../../../domain/session/kinds.ts";
import { briefingObject, readTypedObject, type TypedValue, typedObject } from "../../../domain/session/typed-object.ts";
import { readKinds, registerKind } from "../kind-library.ts";
import { spawnSession } from "../spawn-session.ts";
import { codeOf, gitWith, newSpace, reopened, spawned } from "./space.ts";

/** A named check of the lists in the design of sessions: names and order are stable. */
export type SessionCheck = readonly [name: string, holds: () => unknown];

const id = (value: unknown): string => typedObject({ type: "briefing", ...(value as object) }).id;
export const refusedBy = async (work: () => unknown): Promise<boolean> => (await codeOf(work)) === "VALIDATION_FAILED";
const is = (kind: string, ancestor: string, kinds: KindRegistry = builtInKinds): boolean => isA(kinds, kind, ancestor);
export const registered = withKind(withKind(builtInKinds, { name: "review", parent: "finding" }), {
  name: "deep-review",
  parent: "review",
});

/** S1 to S23. */
export const objectChecks: readonly SessionCheck[] = [
  ["key order does not change the id", () => expect(id({ a: 1, b: 2 })).toBe(id({ b: 2, a: 1 }))],
  ["nested key order does not change the id", () => expect(id({ x: { a: 1, b: 2 } })).toBe(id({ x: { b: 2, a: 1 } }))],
  ["array order does change the id", () => expect(id({ x: [1, 2] })).not.toBe(id({ x: [2, 1] }))],
  [
    "id equals git hash-object of the canonical bytes",
    async () => {
      const { dir } = await newSpace();
      const object = typedObject({ type: "briefing", goal: "Дізнатися", n: [1, null, true] });
      expect(gitWith(dir, object.bytes, "hash-object", "--stdin")).toBe(object.id);
    },
  ],
  [
    "same id in another repository",
    async () => {
      const ids = await Promise.all(
        [0, 1].map(async () => {
          const space = await newSpace();
          await spawned(space, "scout", "Find");
          return (await space.repo.read((await space.repo.resolve(sessionDossier("scout")))!, BRIEFING_FILE))!.oid;
        }),
      );
      expect(ids[0]).toBe(ids[1]);
    },
  ],
  ["1.0 and 1 are one number", () => expect(id({ n: JSON.parse("1.0") as number })).toBe(id({ n: 1 }))],
  ["-0 is 0", () => expect(id({ n: -0 })).toBe(id({ n: 0 }))],
  ["1e21 canonical", () => expect(canonicalJson({ n: 1e21 })).toBe('{"n":1e+21}')],
  ["undefined members are dropped", () => expect(id({ a: 1, b: undefined })).toBe(id({ a: 1 }))],
  ["undefined in array refused", async () => expect(await refusedBy(() => id({ a: [undefined] }))).toBe(true)],
  ["NaN refused", async () => expect(await refusedBy(() => id({ a: Number.NaN }))).toBe(true)],
  ["Infinity refused", async () => expect(await refusedBy(() => id({ a: Number.POSITIVE_INFINITY }))).toBe(true)],
  ["lone surrogate refused", async () => expect(await refusedBy(() => id({ a: "\ud800" }))).toBe(true)],
  ["Date refused", async () => expect(await refusedBy(() => id({ a: new Date(0) }))).toBe(true)],
  ["BigInt refused", async () => expect(await refusedBy(() => id({ a: 1n }))).toBe(true)],
  ["function refused", async () => expect(await refusedBy(() => id({ a: () => 1 }))).toBe(true)],
  [
    "UTF-16 key order (RFC 8785)",
    () => expect(canonicalJson({ "\uff21": 1, "\u{1f600}": 2, a: 3 })).toBe('{"a":3,"\u{1f600}":2,"\uff21":1}'),
  ],
  [
    "NFD input gets the NFC id (й, ї)",
    () =>
      expect(id({ goal: "Знайти йод і їжу".normalize("NFD") })).toBe(id({ goal: "Знайти йод і їжу".normalize("NFC") })),
  ],
  [
    "untyped object refused",
    async () =>
      expect([
        await refusedBy(() => typedObject({ goal: "x" } as unknown as TypedValue)),
        await refusedBy(() => typedObject({ type: "nope" })),
      ]).toEqual([true, true]),
  ],
  [
    "round trip",
    () => {
      const made = typedObject({ type: "behaviour", kind: "prompt", body: 'ПОЧАТОК\n"x"' });
      expect(readTypedObject(made.bytes)).toEqual(made);
    },
  ],
  [
    "briefing without goal refused",
    async () => expect(await refusedBy(() => briefingObject({ goal: " " }))).toBe(true),
  ],
  [
    "briefing keeps open fields",
    () =>
      expect(briefingObject({ goal: "g", trigger: { kind: "cron" } }).value).toEqual({
        type: "briefing",
        goal: "g",
        trigger: { kind: "cron" },
      }),
  ],
  [
    "briefing id is the blob id in the dossier",
    async () => {
      const space = await newSpace();
      const answer = await spawnSession(space, { name: "scout", briefing: { goal: "Find", depth: 2 } });
      expect(answer).toMatchObject({ briefing: space.git("rev-parse", `${sessionDossier("scout")}:${BRIEFING_FILE}`) });
    },
  ],
];

/** S24 to S44. */
export const kindChecks: readonly SessionCheck[] = [
  ["is-a spawn agent-commit = true", () => expect(is("spawn", "agent-commit")).toBe(true)],
  ["is-a finding agent-commit = true", () => expect(is("finding", "agent-commit")).toBe(true)],
  ["is-a refactor agent-commit = true", () => expect(is("refactor", "agent-commit")).toBe(true)],
  ["is-a test agent-commit = true", () => expect(is("test", "agent-commit")).toBe(true)],
  ["is-a session-merge agent-commit = true", () => expect(is("session-merge", "agent-commit")).toBe(true)],
  ["is-a decision agent-commit = true", () => expect(is("decision", "agent-commit")).toBe(true)],
  ["is-a briefing agent-commit = false", () => expect(is("briefing", "agent-commit")).toBe(false)],
  ["is-a finding finding = true", () => expect(is("finding", "finding")).toBe(true)],
  ["is-a agent-commit finding = false", () => expect(is("agent-commit", "finding")).toBe(false)],
  ["is-a nope nope = false", () => expect(is("nope", "nope")).toBe(false)],
  ["is-a finding nope = false", () => expect(is("finding", "nope")).toBe(false)],
  ["is-a transitive", () => expect(is("deep-review", "agent-commit", registered)).toBe(true)],
  [
    "create-only",
    () => expect(kindProblem(registered, { name: "review", parent: "test" })?.en).toContain("exists already"),
  ],
  [
    "create-only for builtins",
    () => expect(kindProblem(builtInKinds, { name: "spawn", parent: "test" })?.en).toContain("exists already"),
  ],
  [
    "parent must exist",
    () => expect(kindProblem(builtInKinds, { name: "review", parent: "nope" })?.en).toContain("no kind"),
  ],
  [
    "name grammar",
    () =>
      expect(
        ["Review", "1a", "", "a b", "a/b", "огляд", "-a"].filter(
          (name) => !kindProblem(builtInKinds, { name, parent: "test" }),
        ),
      ).toEqual([]),
  ],
  ["no own parent", () => expect(kindProblem(builtInKinds, { name: "self", parent: "self" })).toBeDefined()],
  [
    "imported cycle cannot hang is-a",
    () => expect(is("a", "agent-commit", new Map([...builtInKinds, ["a", "b"], ["b", "a"]]))).toBe(false),
  ],
  [
    "runtime kind persists across reopen",
    async () => {
      const space = await newSpace();
      await registerKind(space, { name: "review", parent: "finding" });
      expect(is("review", "agent-commit", await readKinds((await reopened(space.dir)).repo))).toBe(true);
    },
  ],
  [
    "runtime create-only across handles",
    async () => {
      const space = await newSpace();
      const other = await reopened(space.dir);
      await registerKind(space, { name: "review", parent: "finding" });
      expect(await refusedBy(() => registerKind(other, { name: "review", parent: "test" }))).toBe(true);
    },
  ],
  [
    "two handles registering the same kind: one wins",
    async () => {
      const space = await newSpace();
      const other = await reopened(space.dir);
      const codes = await Promise.all(
        [space, other].map((each, index) =>
          codeOf(registerKind(each, { name: "review", parent: ["finding", "test"][index]! })),
        ),
      );
      expect(codes.toSorted()).toEqual(["VALIDATION_FAILED", "done"]);
    },
  ],
];
