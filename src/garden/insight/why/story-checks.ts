import type { Text } from "../../../base/text.ts";
import { markOf, type StoryCheck, type StoryLink } from "../../../domain/why/story.ts";

/** `isTrue` undefined: there is nothing to check it against. */
export const check = (isTrue: boolean | undefined, holds: Text, fails: Text = holds): StoryCheck => ({
  mark: isTrue === undefined ? "unchecked" : isTrue ? "verified" : "mismatch",
  text: isTrue === false ? fails : holds,
});

/** Problems that an explanation found; without any, one check that holds. */
export const checksOf = (problems: readonly Text[], holds: Text): StoryCheck[] =>
  problems.length === 0 ? [check(true, holds)] : problems.map((text) => ({ mark: "mismatch" as const, text }));

export const storyLink = (draft: Omit<StoryLink, "mark">): StoryLink => ({ ...draft, mark: markOf(draft.checks) });
