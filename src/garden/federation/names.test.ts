import { describe, expect, test } from "vitest";
import { looksLike } from "../../domain/federation/lookalike.ts";
import { announcementRefusals } from "../../domain/federation/refusals.ts";
import type { RefName } from "../../domain/git/git-names.ts";
import { sessionBranch } from "../../domain/layout.ts";
import { announcedAs } from "./ref-classes.ts";

describe("S-10 words", () => {
  test.each(Object.entries(announcementRefusals))("the refusal %s says what is wrong and what to do", (_why, words) => {
    for (const text of [words.en, words.uk]) expect(text).toMatch(/^\p{Lu}[^]+\. \p{Lu}[^]+\.$/u);
  });
});

describe("S-10 names", () => {
  const named: readonly (readonly [RefName, boolean])[] = [
    [sessionBranch("scout"), true],
    ["refs/heads/agents/", false],
    ["refs/heads/agents/a/b", false],
    ["refs/heads/agents/A", false],
    ["refs/heads/agents/-x", false],
    ["refs/heads/agents/a.lock", false],
    ["refs/heads/agents/a..b", false],
    ["refs/heads/agents/a@{1}", false],
    ["refs/heads/agents/\u0430", false],
    ["refs/heads/agents/a\\b", false],
    [`refs/heads/agents/${"a".repeat(64)}`, false],
    ["refs/heads/main", false],
    ["refs/agentic/caps", false],
    ["refs/agentic/peer-book", false],
    ["refs/agentic/announce", false],
    ["refs/agentic/peers/x/announce", false],
    ["refs/remotes/x/agents/y", false],
    ["refs/bloom/fence", false],
    ["refs/replace/1111111111111111111111111111111111111111", false],
    ["refs/tags/v1", false],
    ["HEAD", false],
    ["", false],
  ];
  test.each(named)("the ref %s may be announced: %s", (name, isAllowed) => {
    expect(announcedAs(name) !== undefined).toBe(isAllowed);
  });

  test.each([
    ["alice", "a1ice", true],
    ["alice", "al-ice", true],
    ["modern", "modem", true],
    ["bob", "b0b", true],
    ["alice", "bob", false],
    ["rose", "roses", false],
  ])("the names %s and %s look alike: %s", (a, b, isAlike) => {
    expect(looksLike(a, b)).toBe(isAlike);
  });
});
