import type { AnswerOf } from "../../api/client.ts";

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
export function storedConversation(): readonly Exchange[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as Exchange[];
  } catch {
    return [];
  }
}

/** Stores the last `MOST` exchanges and returns them. */
export function storeConversation(conversation: readonly Exchange[]): readonly Exchange[] {
  const last = conversation.slice(-MOST);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(last));
  } catch {
    // Storage is full or disabled: the conversation is lost when the page is left.
  }
  return last;
}
