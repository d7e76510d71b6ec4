import { join } from "node:path";
import { expect } from "vitest";
import { scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import { canonicalId } from "../../../base/canonical.ts";
import { messageWithTrailers } from "../../../domain/git/trailers.ts";
import { BRIEFING_FILE, kindFile, LIBRARY_REF, sessionBranch, sessionDossier } from "../../../domain/layout.ts";
import { builtInKinds, isCommitKind, type KindRegistry } from "../../../domain/session/kinds.ts";
import { type CommitFields, decodeTypedCommit, encodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import { briefingObject, type TypedValue, typedObject } from "../../../domain/session/typed-object.ts";
import { commitSession } from "../commit-session.ts";
import { relateSessions } from "../edge-stream.ts";
import { registerKind } from "../kind-library.ts";
import { refusedBy, registered, type SessionCheck } from "./object-checks.ts";
import { codeOf, file, filesOf, gitWith, newSpace, type SessionSpace, spawned } from "./space.ts";

const encoded = (fields: CommitFields, kind = "finding", kinds?: KindRegistry): string => {
  const { message, trailers } = encodeTypedCommit({ kind, message: "Look", body: "Why.", fields }, kinds);
  return messageWithTrailers(message, trailers);
};
const roundTrip = (fields: CommitFields): void => {
  expect(decodeTypedCommit(encoded(fields))).toEqual({ kind: "finding", message: "Look", body: "Why.", fields });
};
const block = (...lines: string[]): string => `finding: Look\n\n${lines.join("\n")}\n`;

/** One session with one commit that has open fields. */
async function oneSession(): Promise<SessionSpace & { head: string }> {
  const space = await newSpace();
  const expected = await spawned(space, "scout", "Find the leak");
  const done = await commitSession(space, "scout", {
    expect: expected,
    kind: "finding",
    message: "It is in the cellar",
    fields: { confidence: 0.9, where: ["a.ts"] },
    tree: filesOf({ "notes/a.md": "a\n" }),
  });
  if (done.kind !== "committed") throw new Error(done.kind);
  return { ...space, head: done.commit };
}

const commitTree = async (files: Record<string, string>): Promise<string> => {
  const space = await newSpace();
  const head = await spawned(space, "scout");
  return codeOf(commitSession(space, "scout", { expect: head, kind: "test", message: "x", tree: filesOf(files) }));
};

/** S45 to S56. */
export const fieldChecks: readonly SessionCheck[] = [
  ["fields round trip: plain", () => roundTrip({ agent: "scout", briefing: "a".repeat(40) })],
  ["fields round trip: open scalar", () => roundTrip({ agent: "scout", confidence: 0.9, ok: true, none: null })],
  ["fields round trip: open nested", () => roundTrip({ agent: "scout", at: { files: ["a.ts", { line: 3 }] } })],
  ["fields round trip: newline in value", () => roundTrip({ agent: "a\nAgentic-Owner: me", note: "x\n\ny" })],
  ["fields round trip: quotes, backslashes", () => roundTrip({ agent: 'a "b" \\n', note: '\\"\\\\' })],
  ["fields round trip: leading space in a lifted field", () => roundTrip({ agent: " scout", behaviour: "x " })],
  ["fields round trip: non-string in a lifted field", () => roundTrip({ agent: 7, merged: ["a"] })],
  ["fields round trip: 20 kB value", () => roundTrip({ agent: "scout", log: "й".repeat(10_000) })],
  ["fields round trip: key with spaces and colon", () => roundTrip({ "a b: c": 1, "": 2 })],
  [
    "fields round trip: looks like a trailer",
    () => roundTrip({ note: "Agentic-Kind: decision", agent: "Agentic-Kind: x" }),
  ],
  [
    "git reads the same trailers",
    async () => {
      const { head, git, repo } = await oneSession();
      const typed = decodeTypedCommit((await repo.commit(head)).message)!;
      const read = (key: string): string =>
        git("log", "-1", `--format=%(trailers:key=${key},valueonly,separator=)`, head);
      expect([
        read("Agentic-Kind"),
        read("Agentic-Agent"),
        JSON.parse(read("Agentic-Fields")),
        read("Change-Id"),
      ]).toEqual([typed.kind, typed.fields["agent"], { confidence: 0.9, where: ["a.ts"] }, typed.fields["changeId"]]);
    },
  ],
  [
    "open field takes part in the commit id",
    async () => {
      const [a, b] = await Promise.all(
        [1, 2].map(async (confidence) => {
          const space = await newSpace();
          const expected = await spawned(space, "scout");
          const tree = filesOf({ a: "1" });
          return commitSession(space, "scout", {
            expect: expected,
            kind: "test",
            message: "m",
            fields: { confidence },
            tree,
          });
        }),
      );
      expect(a).toMatchObject({ kind: "committed" });
      expect(a).not.toEqual(b);
    },
  ],
];

/** S57 to S69. */
export const codecChecks: readonly SessionCheck[] = [
  ["unknown kind refused", async () => expect(await refusedBy(() => encoded({}, "nope"))).toBe(true)],
  [
    "object kind is not a commit kind",
    async () =>
      expect([await refusedBy(() => encoded({}, "briefing")), isCommitKind(builtInKinds, "briefing")]).toEqual([
        true,
        false,
      ]),
  ],
  ["runtime kind accepted", () => expect(decodeTypedCommit(encoded({}, "review", registered))?.kind).toBe("review")],
  [
    "reserved field cannot be overridden",
    async () => {
      const names = ["kind", "type", "message", "body", "tree", "parents"];
      expect(await Promise.all(names.map((name) => refusedBy(() => encoded({ [name]: "x" }))))).toEqual(
        names.map(() => true),
      );
      expect(decodeTypedCommit(block("Agentic-Kind: finding", 'Agentic-Fields: {"kind":"decision"}'))).toBeUndefined();
    },
  ],
  [
    "newline in subject refused",
    async () =>
      expect(
        await refusedBy(() => encodeTypedCommit({ kind: "test", message: "a\nAgentic-Kind: decision", fields: {} })),
      ).toBe(true),
  ],
  [
    "a name in a trailer AND in the JSON is malformed, not overridden",
    () =>
      expect(
        decodeTypedCommit(
          block("Agentic-Kind: spawn", "Agentic-Owner: SHA256:a", 'Agentic-Fields: {"owner":"SHA256:b"}'),
        ),
      ).toBeUndefined(),
  ],
  [
    "a doubled trailer is malformed",
    () =>
      expect(
        ["Agentic-Owner: a\nagentic-owner: b", "Agentic-Kind: test", "Change-Id: I1\nChange-Id: I2"].map((lines) =>
          decodeTypedCommit(block("Agentic-Kind: finding", lines)),
        ),
      ).toEqual([undefined, undefined, undefined]),
  ],
  [
    "broken JSON in the block is untyped, not a crash",
    () =>
      expect(
        ["{", "[1]", "null", '"x"', ""].map((json) =>
          decodeTypedCommit(block("Agentic-Kind: finding", `Agentic-Fields: ${json}`)),
        ),
      ).toEqual(Array.from({ length: 5 }, () => undefined)),
  ],
  [
    "__proto__ in the JSON stays data",
    () => {
      const typed = decodeTypedCommit(block("Agentic-Kind: finding", 'Agentic-Fields: {"__proto__":{"owner":"me"}}'))!;
      expect([Object.keys(typed.fields), typed.fields["owner"], Object.getPrototypeOf(typed.fields)]).toEqual([
        ["__proto__"],
        undefined,
        Object.prototype,
      ]);
    },
  ],
  ["human commit decodes as untyped", () => expect(decodeTypedCommit("Fix a typo\n\nIt was wrong.\n")).toBeUndefined()],
  [
    "body that looks like trailers does not type a commit without the block",
    () =>
      expect([
        decodeTypedCommit("finding: x\n\nAgentic-Kind: finding\n\nAnd more text.\n"),
        decodeTypedCommit("Agentic-Kind: finding\n"),
      ]).toEqual([undefined, undefined]),
  ],
  [
    "Signed-off-by appended to the block keeps the type",
    () =>
      expect(decodeTypedCommit(`${encoded({ agent: "scout" })}Signed-off-by: Olia <o@example.org>\n`)?.fields).toEqual({
        agent: "scout",
      }),
  ],
  [
    "system commits are not agent commits",
    async () => {
      const space = await oneSession();
      await spawned(space, "other");
      await relateSessions(space, { kind: "reviews", from: "scout", to: "other" });
      await registerKind(space, { name: "review", parent: "finding" });
      const refs = space.git("for-each-ref", "--format=%(refname)", "refs/agentic").split("\n");
      expect(refs).toHaveLength(4);
      const messages = refs.map((ref) => space.git("log", "-1", "--format=%B", ref));
      expect(messages.map(decodeTypedCommit)).toEqual(refs.map(() => undefined));
    },
  ],
];

/** S70 to S78. */
export const repositoryChecks: readonly SessionCheck[] = [
  [
    "git fsck --strict is clean",
    async () => expect((await oneSession()).git("fsck", "--strict", "--no-dangling")).toBe(""),
  ],
  [
    "gc --prune=now keeps every object of the space",
    async () => {
      const space = await oneSession();
      await registerKind(space, { name: "review", parent: "finding" });
      await space.repo.close();
      space.git("reflog", "expire", "--expire=now", "--all");
      space.git("gc", "--quiet", "--prune=now");
      const names = [
        `${sessionDossier("scout")}:${BRIEFING_FILE}`,
        `${sessionBranch("scout")}:notes/a.md`,
        `${LIBRARY_REF}:${kindFile("review")}`,
      ];
      expect(names.map((name) => space.git("cat-file", "-t", name))).toEqual(["blob", "blob", "blob"]);
    },
  ],
  [
    "mirror clone carries every object",
    async () => {
      const space = await oneSession();
      const copy = join(scratch(), "mirror.git");
      space.git("clone", "-q", "--mirror", space.dir, copy);
      const { id: briefing } = briefingObject({ goal: "Find the leak" });
      expect(gitWith(copy, "", "cat-file", "-t", briefing)).toBe("blob");
    },
  ],
  [
    "prototype pollution key survives as data",
    () => {
      const value = JSON.parse('{"type":"briefing","goal":"x","__proto__":{"polluted":true}}') as TypedValue;
      const made = typedObject(value);
      expect([Object.keys(made.value).includes("__proto__"), ({} as { polluted?: boolean }).polluted]).toEqual([
        true,
        undefined,
      ]);
      expect(made.id).toBe(canonicalId(value));
    },
  ],
  ["path traversal refused", async () => expect(await commitTree({ "../x": "1" })).toBe("VALIDATION_FAILED")],
  [".git path refused", async () => expect(await commitTree({ ".git/config": "1" })).toBe("VALIDATION_FAILED")],
  [".GIT refused too", async () => expect(await commitTree({ "a/.GIT/config": "1" })).toBe("VALIDATION_FAILED")],
  ["file/dir clash refused", async () => expect(await commitTree({ a: "1", "a/b": "2" })).toBe("VALIDATION_FAILED")],
  [
    "git agrees with our tree order",
    async () => {
      const space = await newSpace();
      const names = ["a-b", "a/x", "a.b", "a0", "ab", "й.md", "A", "z/y/x"];
      const tree = { files: new Map(names.map((name) => [name, file(name)])) };
      const answer = await commitSession(space, "scout", {
        expect: await spawned(space, "scout"),
        kind: "test",
        message: "x",
        tree,
      });
      if (answer.kind !== "committed") throw new Error(answer.kind);
      for (const name of names)
        gitWith(
          space.dir,
          "",
          "update-index",
          "--add",
          "--cacheinfo",
          `100644,${space.git("rev-parse", `${answer.commit}:${name}`)},${name}`,
        );
      expect(space.git("write-tree")).toBe(space.git("rev-parse", `${answer.commit}^{tree}`));
    },
  ],
];
