import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { isOid, refName, repoPathProblem } from "../git/git-names.ts";
import { messageWithTrailers, trailerOf, trailersOf } from "../git/trailers.ts";
import { isViewKey } from "../layout.ts";
import { isReadableKey, keyProblem, keySegment } from "../store-key.ts";
import { isSlug } from "./slug.ts";

/** The inverse of `keySegment`, in composed form. */
function textOfSegment(segment: string): string {
  const plain = segment.replace(/\^(.)/gu, (_, lower: string) => lower.toUpperCase());
  return plain.replace(/(?:%[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}

describe("segments of store keys", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).filter((any) => any.isWellFormed());

  it("any text becomes a valid segment, and is read back in composed form", () => {
    fc.assert(
      fc.property(text, (any) => {
        const segment = keySegment(any);
        expect({
          problem: keyProblem(segment),
          isReadable: isReadableKey(segment),
          text: textOfSegment(segment),
        }).toEqual({ problem: undefined, isReadable: true, text: any.normalize("NFC") });
      }),
      { numRuns: tries(3000) },
    );
  });

  it("two texts never share a segment, even if case is ignored", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a.normalize("NFC") !== b.normalize("NFC"));
        expect(keySegment(a).toLowerCase().toUpperCase()).not.toBe(keySegment(b).toLowerCase().toUpperCase());
      }),
      { numRuns: tries(3000) },
    );
  });

  it.each([
    ["README.md", "^r^e^a^d^m^e.md"],
    ["Їжак", "^їжак"],
    ["a/b", "a%2fb"],
    [".git", "%2egit"],
    ["..", "%2e%2e"],
    ["con", "%63on"],
    ["100%", "100%25"],
    ["İ", "%c4%b0"],
    ["x.", "x%2e"],
    ["straße", "stra%c3%9fe"],
    ["ẞ", "%e1%ba%9e"],
  ])("%s is stored as %s", (any, segment) =>
    expect({ segment: keySegment(any), text: textOfSegment(segment) }).toEqual({ segment, text: any }),
  );
});

describe("views", () => {
  it.each([
    ["registry.json", true],
    ["proposals/pending/p.json", true],
    ["proposals/applied/2026-02/p.json", true],
    ["inbox/rejected/2026-02/i.json", true],
    ["agents/a/runs/r/status.json", true],
    ["proposals/log/p/0000.json", false],
    ["agents/a/runs/r/manifest.json", false],
    ["agents/a/runs/r/steps/01-load-context.json", false],
    ["agents/a/_agent.md", false],
    ["audit/2026/x.json", false],
    ["agents/registry.json", false],
  ])("G-2 %s: %s", (key, view) => expect(isViewKey(key)).toBe(view));
});

describe("slugs", () => {
  it.each([
    ["archivist-violin", true],
    ["a", true],
    ["a".repeat(63), true],
    ["a".repeat(64), false],
    ["-a", false],
    ["a-", false],
    ["A", false],
    ["a_b", false],
    ["", false],
    ["архів", false],
    ["a\n", false],
  ])("S-2a %j: %s", (slug, good) => expect(isSlug(slug)).toBe(good));
});

describe("ref names", () => {
  const takes = (name: string): boolean => {
    try {
      return refName(name) === name;
    } catch {
      return false;
    }
  };

  it("git accepts every name that we accept", () => {
    const part = fc.string({ unit: fc.constantFrom(..."aZ0.-_@{/\\~^:?*[ \u0000й"), minLength: 1, maxLength: 6 });
    const names = fc.sample(fc.tuple(part, part), 300).map(([a, b]) => `refs/${a}/${b}`);
    const wrong = names.filter(takes).filter((name) => {
      try {
        execFileSync("git", ["check-ref-format", name]);
        return false;
      } catch {
        return true;
      }
    });
    expect(wrong).toEqual([]);
  });

  it.each(["refs/heads/main", "refs/heads/agents/архіваріус", "refs/notes/trace", "refs/agentic/agents/a-b"])(
    "%s is one",
    (name) => expect(takes(name)).toBe(true),
  );

  it.each([
    "main",
    "refs/heads",
    "refs/heads/",
    "refs/heads/-x",
    "refs/heads/a..b",
    "refs/heads/a.lock",
    "refs/heads/@{x",
    "refs/heads/a b",
    "refs//a",
    "refs/heads/.a",
    "refs/heads/a\n",
    "HEAD",
  ])("%j is not a ref name", (name) => expect(takes(name)).toBe(false));

  it("an object id is forty lower-case hex digits", () => {
    expect({
      lower: isOid("a".repeat(40)),
      upper: isOid("A".repeat(40)),
      short: isOid("a".repeat(39)),
      lineEnd: isOid(`${"a".repeat(40)}\n`),
    }).toEqual({ lower: true, upper: false, short: false, lineEnd: false });
  });
});

describe("paths of the work tree", () => {
  it.each([
    "",
    "/etc/passwd",
    "../x",
    "a/../b",
    "a//b",
    "./a",
    ".git/config",
    "a/.GIT/x",
    "a/.git./x",
    "git~1/x",
    ".g\u200cit/x",
    ".git::$INDEX_ALLOCATION/x",
    ".bloom/keys/k",
    ".BLOOM/x",
    "a\\b",
    "a\0b",
    "a\nb",
    "x".repeat(300),
    "\ud800",
  ])("%j is refused: it leads out, into git or into the machine's folder", (path) =>
    expect(repoPathProblem(path)).toBeDefined(),
  );

  it.each([
    "notes/Моя нотатка.md",
    "notes/.obsidian/app.json",
    "a",
    "gitignore/x",
    "notes/a b/c'd\"e.md",
    ".github/x.yml",
  ])("%s is a valid path", (path) => expect(repoPathProblem(path)).toBeUndefined());
});

describe("P-8 trailers", () => {
  const message = messageWithTrailers("[archivist] Резюме\n\nТіло.", [
    ["Proposal", "prop_1"],
    ["Agent", "archivist v007"],
  ]);

  it("stand in the last paragraph, and git reads the same ones", () => {
    const git = execFileSync("git", ["interpret-trailers", "--parse"], { input: message }).toString();
    expect({ trailers: trailersOf(message), git }).toEqual({
      trailers: [
        ["Proposal", "prop_1"],
        ["Agent", "archivist v007"],
      ],
      git: "Proposal: prop_1\nAgent: archivist v007\n",
    });
  });

  it.each([
    ["a value with a line break", [["Proposal", "a\nApproved-by: me"]]],
    ["a name with a colon", [["Pro:posal", "a"]]],
    ["a name with a space", [["Pro posal", "a"]]],
  ] as [string, [string, string][]][])("cannot be forged by %s", (_, trailers) =>
    expect(() => messageWithTrailers("x", trailers)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" })),
  );

  it.each([
    ["a subject alone", "Proposal: x"],
    ["prose after the block", "x\n\nProposal: y\n\nand so on"],
    ["a block with a line of prose", "x\n\nProposal: y\nprose"],
    ["no block", "x\n\nbody"],
  ])("do not exist in a message with %s", (_, text) => expect(trailersOf(text)).toEqual([]));

  it("that occur twice, in any case of letters, count as missing", () => {
    expect({
      twice: trailerOf("x\n\nProposal: a\nproposal: b", "Proposal"),
      once: trailerOf("x\n\nproposal: a", "Proposal"),
    }).toEqual({ twice: undefined, once: "a" });
  });
});
