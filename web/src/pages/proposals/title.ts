import { cardTitle } from "../../../../src/domain/proposal/card-title.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import type { Text, Translate } from "../../i18n/use-t.ts";

type Titled = Pick<ProposalCard, "action" | "summary" | "target" | "source">;

/** The title of a proposal: what changes, in words for people. */
export function titleOf(card: Titled, t: Translate): string {
  if (card.action === "memory-update") return t(words.memory, card.target.replace(/^memory\//, ""));
  return cardTitle(card);
}

/** The name of a note: its file name without the ending. */
export const noteName = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");

const words = {
  memory: { en: "Update the memory of {}", uk: "Оновити пам’ять агента {}" },
} as const satisfies Record<string, Text>;
