import type { Garden } from "../../core/garden.ts";
import { linkOf, type WhyLink, type WhyLinkDraft } from "./why-report.ts";

export type WhyGarden = Pick<Garden, "repo" | "store">;

/** The links so far, in the order in which they are told. */
export interface Chain {
  readonly garden: WhyGarden;
  readonly links: WhyLink[];
  add(draft: WhyLinkDraft): void;
  /** The first link is what was asked about; the others lead somewhere. */
  directionAt(depth: number): WhyLink["direction"];
}

export function newChain(garden: WhyGarden): Chain {
  const links: WhyLink[] = [];
  return {
    garden,
    links,
    add: (draft) => void links.push(linkOf(draft)),
    directionAt: (depth) => (depth === 0 ? "subject" : "because"),
  };
}
