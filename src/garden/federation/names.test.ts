import { describe, expect, test } from "vitest";
import { readAnnouncement } from "../../domain/federation/announcement.ts";
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

describe("S-10 an announcement is read strictly", () => {
  const OID = "1".repeat(40);
  const SCOUT = sessionBranch("scout");
  const text = (fields: string, part = "announcement"): string =>
    `announcement 2\n\nAgentic-System: ${part}\nAgentic-Fields: ${fields}\n`;
  const good = text('{"seq":2,"space":"SHA256:x"}');
  const list = `${OID} ${SCOUT}\n`;

  test.each([
    ["as a garden writes it", good, list, true],
    ["of nothing", good, "", true],
    ["without a list", good, undefined, false],
    ["with a ref twice", good, list + list, false],
    ["with more than names", good, `${OID} ${SCOUT} x\n`, false],
    ["without its last line end", good, list.trimEnd(), false],
    ["with an id in capitals", good, `${"A".repeat(40)} ${SCOUT}\n`, false],
    ["of another format", text('{"seq":2,"space":"SHA256:x"}', "announcement-2"), list, false],
    ["with its fields twice", `${good}Agentic-Fields: {"seq":3,"space":"SHA256:x"}\n`, list, false],
    ["with a number beyond all numbers", text('{"seq":9007199254740992,"space":"SHA256:x"}'), list, false],
    ["with half a number", text('{"seq":1.5,"space":"SHA256:x"}'), list, false],
    ["with a number in words", text('{"seq":"2","space":"SHA256:x"}'), list, false],
    ["that names no garden", text('{"seq":2}'), list, false],
    ["with a next key that is none", text('{"next":"ssh-rsa AAAA","seq":2,"space":"SHA256:x"}'), list, false],
  ])("one %s", (_name, message, file, isGood) => {
    const read = readAnnouncement(message, file === undefined ? undefined : Buffer.from(file));
    expect(read !== undefined).toBe(isGood);
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
