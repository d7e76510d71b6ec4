import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import type { CapabilityGrant, CapabilityQuestion } from "../../domain/federation/capability.ts";
import { CAPABILITIES_REF } from "../../domain/layout.ts";
import { registerKind } from "../sessions/kind-library.ts";
import { readCapabilities } from "../sessions/read-capabilities.ts";
import { codeOf, newSpace, type SessionSpace } from "../sessions/testing/space.ts";
import { grantCapability, revokeCapability } from "./capabilities.ts";

const NOW = Date.parse("2026-02-14T08:00:00Z");
const grant: CapabilityGrant = { peer: "alice", agenticType: "finding", trigger: "head-move" };
const question: CapabilityQuestion = { peer: "alice", kind: "finding", trigger: "head-move", now: NOW };
const bare = (): Promise<SessionSpace> => newSpace({ bare: true });
const allowed = async (space: SessionSpace, more: Partial<CapabilityQuestion> = {}): Promise<boolean> =>
  (await readCapabilities(space.repo)).allows({ ...question, ...more }) !== undefined;

/** The checks of capabilities, C1 to C14. */
const checks: readonly (readonly [string, () => Promise<void>])[] = [
  [
    "grant is a content-addressed object",
    async () => {
      const space = await bare();
      const { id, commit } = await grantCapability(space, grant);
      expect(space.git("rev-parse", `${commit}:${id}.json`)).toBe(id);
    },
  ],
  [
    "same grant, same id, no new commit",
    async () => {
      const space = await bare();
      const first = await grantCapability(space, grant);
      expect(await grantCapability(space, { ...grant })).toEqual({ id: first.id });
      expect(space.git("rev-list", "--count", CAPABILITIES_REF)).toBe("1");
    },
  ],
  [
    "fact lookup",
    async () => {
      const space = await bare();
      const { id } = await grantCapability(space, grant);
      const set = await readCapabilities(space.repo);
      expect([set.allows(question)?.trigger, set.objects[0]!.id]).toEqual(["head-move", id]);
    },
  ],
  [
    "other peer / type / trigger denied",
    async () => {
      const space = await bare();
      await grantCapability(space, grant);
      const others = [{ peer: "bob" }, { kind: "test" }, { trigger: "merge" }] as const;
      expect(await Promise.all(others.map((other) => allowed(space, other)))).toEqual([false, false, false]);
    },
  ],
  [
    "subtypes inherit",
    async () => {
      const space = await bare();
      await registerKind(space, { name: "leak", parent: "finding" });
      await grantCapability(space, grant);
      expect(await allowed(space, { kind: "leak" })).toBe(true);
    },
  ],
  [
    "supertypes do not",
    async () => {
      const space = await bare();
      await grantCapability(space, grant);
      expect(await allowed(space, { kind: "agent-commit" })).toBe(false);
    },
  ],
  ["default deny", async () => expect(await allowed(await bare())).toBe(false)],
  [
    "revocation is a ref move",
    async () => {
      const space = await bare();
      const { id } = await grantCapability(space, grant);
      const { commit } = await revokeCapability(space, id);
      expect([await allowed(space), space.git("rev-parse", CAPABILITIES_REF)]).toEqual([false, commit]);
    },
  ],
  [
    "the past set is still readable",
    async () => {
      const space = await bare();
      const { id, commit } = await grantCapability(space, grant);
      await revokeCapability(space, id);
      expect((await readCapabilities(space.repo, commit)).allows(question)?.peer).toBe("alice");
    },
  ],
  [
    "revoke twice is a no-op",
    async () => {
      const space = await bare();
      const { id } = await grantCapability(space, grant);
      await revokeCapability(space, id);
      expect(await revokeCapability(space, id)).toEqual({ id });
    },
  ],
  [
    "re-grant works",
    async () => {
      const space = await bare();
      const { id } = await grantCapability(space, grant);
      await revokeCapability(space, id);
      expect([(await grantCapability(space, grant)).id, await allowed(space)]).toEqual([id, true]);
    },
  ],
  [
    "expiry",
    async () => {
      const space = await bare();
      await grantCapability(space, { ...grant, notAfter: "2026-02-14T08:00:01Z" });
      expect([await allowed(space), await allowed(space, { now: NOW + 1000 })]).toEqual([true, false]);
    },
  ],
  [
    "malformed grant refused",
    async () => {
      const space = await bare();
      const bad: readonly object[] = [
        { ...grant, peer: "Alice" },
        { ...grant, peer: "аlice" }, // the first letter is Cyrillic
        { ...grant, agenticType: "nothing" },
        { ...grant, trigger: "everything" },
        { ...grant, notAfter: "tomorrow" },
        { ...grant, execute: true },
        { ...grant, more: 1 },
      ];
      const codes = await Promise.all(bad.map((each) => codeOf(grantCapability(space, each as CapabilityGrant))));
      expect([new Set(codes), space.git("for-each-ref")]).toEqual([new Set(["VALIDATION_FAILED"]), ""]);
    },
  ],
  [
    "audit = git log of the caps ref",
    async () => {
      const space = await bare();
      const { id } = await grantCapability(space, grant);
      await revokeCapability(space, id);
      const log = space.git("log", "--format=%s", CAPABILITIES_REF).split("\n");
      expect(log).toEqual([`revoke: ${id}`, "grant: alice head-move finding"]);
    },
  ],
];

describe("S-10 capabilities", () => {
  test.each(checks.map(([name, holds], index) => ({ name: `C${index + 1}. ${name}`, holds })))(
    "$name",
    async ({ holds }) => {
      await holds();
    },
  );

  test("a file that a person put into the tree by hand allows nothing", async () => {
    const space = await newSpace({ bare: true, world: fixedWorld("2026-02-14T08:00:00Z") });
    const { commit, id } = await grantCapability(space, grant);
    const object = (await space.repo.read(commit!, `${id}.json`))!.bytes;
    const by = { name: "Hand", email: "hand@example.org", at: NOW };
    const forged = await space.repo.build({
      parents: [commit!],
      edits: [
        { path: `${id}.json`, bytes: undefined },
        { path: "mine.json", bytes: object },
        { path: `${"0".repeat(40)}.json`, bytes: object },
        { path: "broken.json", bytes: Buffer.from("{") },
      ],
      author: by,
      committer: by,
      message: "By hand",
    });
    expect((await readCapabilities(space.repo, forged)).objects).toEqual([]);
  });
});
