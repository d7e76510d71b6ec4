import type { Text } from "../../../base/text.ts";

/**
 * The answer of `bloom why` and of `GET /audit/why`: a list of links, each one step deeper where `depth` grows. `because`
 * leads to causes, `led-to` to what came of it. A link whose `problems` are empty was checked against the records; any
 * other is missing or false, and stands in `missing` too.
 */
export interface WhyReport {
  readonly subject: { readonly kind: SubjectKind; readonly asked: string; readonly id: string };
  readonly links: readonly WhyLink[];
  readonly missing: readonly MissingLink[];
}

export type SubjectKind = "commit" | "line" | "path" | "object" | "proposal" | "run" | "icon";

export type WhyLinkKind =
  | "commit"
  | "object"
  | "proposal"
  | "decision"
  | "run"
  | "step"
  | "contract"
  | "logic"
  | "icon"
  /** Somebody who did it by hand or asked for it: the end of a chain. */
  | "person"
  | "bookkeeping";

export interface WhyLink {
  readonly kind: WhyLinkKind;
  readonly id: string;
  /** Where to look: a commit id, a path of the repository, a key of the store (`store:…`). */
  readonly where: string;
  readonly direction: "subject" | "because" | "led-to";
  readonly depth: number;
  /** One line. Words of agents and people in it are quoted as they are; whoever prints them takes control characters out. */
  readonly what: Text;
  readonly at?: string;
  readonly by?: string;
  readonly remarks: readonly Text[];
  readonly problems: readonly Text[];
}

export interface MissingLink {
  readonly link: WhyLinkKind;
  readonly id: string;
  readonly where: string;
  readonly why: Text;
}

/** A link in the making. */
export type WhyLinkDraft = Omit<WhyLink, "remarks" | "problems"> & Partial<Pick<WhyLink, "remarks" | "problems">>;

export const linkOf = (draft: WhyLinkDraft): WhyLink => ({
  ...draft,
  remarks: draft.remarks ?? [],
  problems: draft.problems ?? [],
});

export const whyReport = (subject: WhyReport["subject"], links: readonly WhyLink[]): WhyReport => ({
  subject,
  links,
  missing: links.flatMap(({ kind, id, where, problems }) => problems.map((why) => ({ link: kind, id, where, why }))),
});
