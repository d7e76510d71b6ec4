import type { Text } from "../../../base/text.ts";

/**
 * The answer of `bloom why` and `GET /audit/why`: links in order, with their depth. `because` leads to causes, `led-to` to results. A
 * link without `problems` was verified against the records; any other is missing or false, and is listed in `missing` too.
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
  /** The console of a session, bound to one of its commits (S-6). */
  | "trace"
  /** A person who committed or requested it: the end of a chain. */
  | "person"
  | "bookkeeping";

export interface WhyLink {
  readonly kind: WhyLinkKind;
  readonly id: string;
  /** A commit id, a path of the repository, or a key of the store (`store:…`). */
  readonly where: string;
  readonly direction: "subject" | "because" | "led-to";
  readonly depth: number;
  /** One line. Contains raw text of agents and people: strip control characters before printing. */
  readonly what: Text;
  readonly at?: string;
  readonly by?: string;
  /** The commit that contains this contract for the first time; only for contracts. */
  readonly commit?: string;
  readonly remarks: readonly Text[];
  readonly problems: readonly Text[];
}

export interface MissingLink {
  readonly link: WhyLinkKind;
  readonly id: string;
  readonly where: string;
  readonly why: Text;
}

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
