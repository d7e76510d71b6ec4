import type { Garden } from "../../core/garden.ts";
import { linkOf, type WhyLink, type WhyLinkDraft } from "./why-report.ts";

export type WhyGarden = Pick<Garden, "repo" | "store" | "config">;

/** The links found so far, in order. */
export interface Chain {
  readonly garden: WhyGarden;
  readonly links: WhyLink[];
  add(draft: WhyLinkDraft): void;
  /** `subject` for the first link, else `because`. */
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
