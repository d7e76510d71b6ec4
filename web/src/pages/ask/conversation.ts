import type { AnswerOf } from "../../api/client.ts";
import { storedJson, storeJson } from "../../browser-storage.ts";

/** A question with its answer. */
export interface Exchange extends Pick<AnswerOf<"POST /ask">, "references"> {
  readonly question: string;
  readonly answer: string | undefined;
  /** The only note that was searched. */
  readonly note?: string;
}

const KEY = "garden-bloom.ask";
const MOST = 50;

/** The conversation of this tab, oldest first. */
export const storedConversation = (): readonly Exchange[] => (storedJson(KEY, "sessionStorage") ?? []) as Exchange[];

/** Stores the last `MOST` exchanges and returns them. */
export function storeConversation(conversation: readonly Exchange[]): readonly Exchange[] {
  const last = conversation.slice(-MOST);
  storeJson(KEY, last, "sessionStorage");
  return last;
}
