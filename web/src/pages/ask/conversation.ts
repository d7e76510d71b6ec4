import type { AnswerOf } from "../../api/client.ts";

/** A question, and what the notes said. */
export interface Exchange extends Pick<AnswerOf<"POST /ask">, "references"> {
  readonly question: string;
  readonly answer: string | undefined;
  /** The one note that was asked. */
  readonly note?: string;
}

const KEY = "garden-bloom.ask";
const MOST = 50;

/** What was said in this tab, oldest first. Another tab is another conversation. */
export function storedConversation(): readonly Exchange[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as Exchange[];
  } catch {
    return [];
  }
}

/** The last of it; where the browser keeps nothing, it is on the page until that is left. */
export function storeConversation(talk: readonly Exchange[]): readonly Exchange[] {
  const last = talk.slice(-MOST);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(last));
  } catch {
    // A full or closed storage.
  }
  return last;
}
