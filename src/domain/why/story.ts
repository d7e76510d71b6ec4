import type { Language, Text } from "../../base/text.ts";

/**
 * The result of a check: it holds, it does not, or there is nothing left to check it against. `kept`: it does not hold, and the owner
 * keeps it for a recorded reason.
 */
export const storyMarks = ["verified", "unchecked", "kept", "mismatch"] as const;
export type StoryMark = (typeof storyMarks)[number];

export interface StoryCheck {
  readonly mark: StoryMark;
  readonly text: Text;
}

export const storyLinkKinds = ["wish", "permission", "run", "step", "proposal", "decision", "commit", "since"] as const;
export type StoryLinkKind = (typeof storyLinkKinds)[number];

/** One link of the story of a change. Every link has at least one check: a mark without a reason is not allowed. */
export interface StoryLink {
  readonly kind: StoryLinkKind;
  readonly mark: StoryMark;
  readonly checks: readonly StoryCheck[];
  readonly title: Text;
  readonly at?: string;
  readonly who?: { readonly name: string; readonly isAgent: boolean };
  /** Words of a person or an agent, verbatim. */
  readonly words?: string;
  readonly detail?: Text;
  /** The proposer's reason. Nobody can verify it. */
  readonly reason?: { readonly text: string; readonly by: string };
  /** A unified diff. */
  readonly patch?: string;
  /** Set if the commit does not match its proposal: the ways out that the owner has. */
  readonly repair?: StoryRepair;
  /** The owner's reason to keep a commit that does not match its proposal. */
  readonly kept?: { readonly by: string; readonly at: string; readonly reason: string };
  /** The page that shows more of it. */
  readonly target?: { readonly kind: "proposal" | "run" | "agent" | "commit"; readonly id: string };
}

export interface StoryRepair {
  readonly commit: string;
  /** The approved words are known, so that they can be proposed. */
  readonly proposable: boolean;
}

/** The story of a line or a change: from the wish to today (P-11). */
export interface Story {
  readonly subject: { readonly kind: string; readonly asked: string; readonly id: string };
  readonly path?: string;
  readonly line?: number;
  /** The line and its neighbours at main. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  readonly links: readonly StoryLink[];
  /** The diagram that the run followed, with the icon of the step. */
  readonly diagram?: { readonly agent: string; readonly version: string; readonly text: string; readonly icon: string };
  /** The proposal whose change can be undone. */
  readonly revertible?: string;
}

/** The gravest of the marks: one check that does not hold is enough. */
export const markOf = (checks: readonly Pick<StoryCheck, "mark">[]): StoryMark =>
  GRAVEST_FIRST.find((each) => checks.some(({ mark }) => mark === each)) ?? "verified";

const GRAVEST_FIRST = ["mismatch", "kept", "unchecked"] as const;

/** `day` formats a time as a day in the reader's zone. */
export function storyVerdict(
  { links }: Pick<Story, "links">,
  language: Language,
  day: (at: string) => string,
): { readonly mark: StoryMark; readonly opening: string; readonly result: string } {
  const count = (mark: StoryMark): number => links.filter((link) => link.mark === mark).length;
  const [bad, open, held, good] = [count("mismatch"), count("unchecked"), count("kept"), count("verified")];
  const isEnglish = language === "en";
  const place = links.findIndex(({ mark }) => mark === "mismatch") + 1;
  const wish = links.find(({ kind }) => kind === "wish");
  const commit = links.find(({ kind }) => kind === "commit");
  const opening =
    wish?.at !== undefined && wish.who && commit?.at !== undefined
      ? isEnglish
        ? `${wish.who.name} asked for it on ${day(wish.at)}; it came in on ${day(commit.at)}.`
        : `${wish.who.name}: прохання від ${day(wish.at)}; у саду з ${day(commit.at)}.`
      : commit?.at !== undefined
        ? isEnglish
          ? `It came in on ${day(commit.at)}.`
          : `У саду з ${day(commit.at)}.`
        : "";
  const counts = [
    verified(good, language),
    ...(open > 0 ? [unchecked(open, language)] : []),
    ...(held > 0 ? [kept(held, language)] : []),
  ].join(", ");
  if (bad > 0)
    return {
      mark: "mismatch",
      opening: isEnglish ? `The story breaks at link ${place}.` : `Історія обривається на ланці ${place}.`,
      result: `${counts}.`,
    };
  if (open > 0 || held > 0) return { mark: open > 0 ? "unchecked" : "kept", opening, result: `${counts}.` };
  return {
    mark: "verified",
    opening,
    result: isEnglish
      ? links.length === 1
        ? "Its one link is verified"
        : `All ${links.length} links are verified`
      : `Усі ланки перевірено: ${links.length}`,
  };
}

const plural = (count: number, language: Language, forms: Readonly<Record<string, string>>): string =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms["other"]!;

const verified = (count: number, language: Language): string =>
  language === "en"
    ? `${count} ${plural(count, language, { one: "link is", other: "links are" })} verified`
    : `${count} ${plural(count, language, { one: "ланку", few: "ланки", other: "ланок" })} перевірено`;
const unchecked = (count: number, language: Language): string =>
  language === "en" ? `${count} cannot be checked` : `${count} перевірити не можна`;

const kept = (count: number, language: Language): string =>
  language === "en"
    ? `${count} ${plural(count, language, { one: "differs and is", other: "differ and are" })} kept with a reason`
    : `${count} ${plural(count, language, { one: "відрізняється і лишається", other: "відрізняються і лишаються" })} з причиною`;

/** The name of the file that holds a story. */
export const storyFileName = ({ subject }: Pick<Story, "subject">): string =>
  `why-${subject.id
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(-60)}.html`;
