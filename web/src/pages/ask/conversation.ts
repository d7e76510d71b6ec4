import type { AnswerOf } from "../../api/client.ts";
import { storedJson, storeJson } from "../../browser-storage.ts";

/** A question with its answer. */
export interface Exchange extends Pick<AnswerOf<"POST /ask">, "references"> {
  readonly question: string;
  readonly answer: string | undefined;
  /** The only note that was searched. */
  readonly note?: string;
  readonly at?: string;
}

export type Reference = Exchange["references"][number];

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

/** The name of a note: its file without the ending. */
export const askedNoteName = (path: string): string => path.split("/").at(-1)!.replace(/\.md$/i, "");

/** The answer and its sources as Markdown, for the clipboard and for a new note. */
export function answerMarkdown(
  { answer = "", references }: Pick<Exchange, "answer" | "references">,
  line: string,
): string {
  const sources = references.map(({ citation_number, path, line: at, source_title }) => {
    const where = path === undefined ? source_title : `[[${path.replace(/\.md$/i, "")}]]`;
    return `${citation_number}. ${where}${at === undefined ? "" : `, ${line.replace("{}", String(at))}`}`;
  });
  return `${answer}\n\n${sources.join("\n")}\n`;
}

/** Words of the question and of the answer that carry meaning: their first letters are enough, because endings change. */
export function keyStems(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, Math.max(3, word.length - 2))))];
}

/** A quotation in parts; words with one of the stems are marked. */
export function markedParts(quote: string, stems: readonly string[]): readonly { text: string; isKey: boolean }[] {
  return quote
    .split(/([\p{L}\p{N}]+)/u)
    .filter((part) => part !== "")
    .map((text) => ({ text, isKey: stems.some((stem) => text.toLowerCase().startsWith(stem)) }));
}
