import type { Garden } from "../../core/garden.ts";
import { type Link, type LinkDraft, linkOf } from "./why-report.ts";

export type WhyGarden = Pick<Garden, "repo" | "store">;

/** The links so far, in the order in which they are told. */
export interface Chain {
  readonly garden: WhyGarden;
  readonly links: Link[];
  add(draft: LinkDraft): void;
  /** The first link is what was asked about; the others lead somewhere. */
  directionAt(depth: number): Link["direction"];
}

export function chainIn(garden: WhyGarden): Chain {
  const links: Link[] = [];
  return {
    garden,
    links,
    add: (draft) => void links.push(linkOf(draft)),
    directionAt: (depth) => (depth === 0 ? "subject" : "because"),
  };
}
