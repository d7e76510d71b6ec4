/**
 * A Markdown file as lines, with what is needed to change it in place and nothing else: which lines are headings, which lie
 * in a code fence, how lines end. Joining the lines gives the very bytes that were there.
 */
export interface MarkdownLine {
  /** Without its line end. */
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of the file. */
  readonly end: string;
  /** Of an ATX heading (`## Title`) outside of code. */
  readonly heading?: { readonly level: number; readonly title: string };
  /** Inside a code fence, its own lines included. */
  readonly code: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;

export const markdownLines = (text: string): MarkdownLine[] => scan(text).lines;

function scan(text: string): { readonly lines: MarkdownLine[]; readonly openFence: string | undefined } {
  const lines: MarkdownLine[] = [];
  let fence: string | undefined;
  for (const [, line = "", end = ""] of text.matchAll(/([^\r\n]*(?:\r(?!\n)[^\r\n]*)*)(\r?\n|$)/g)) {
    if (line === "" && end === "") break;
    const mark = FENCE.exec(line);
    if (fence !== undefined) {
      lines.push({ text: line, end, code: true });
      if (mark && mark[1]![0] === fence[0] && mark[1]!.length >= fence.length && mark[2]!.trim() === "")
        fence = undefined;
    } else if (mark && !(mark[1]!.startsWith("`") && mark[2]!.includes("`"))) {
      fence = mark[1]!;
      lines.push({ text: line, end, code: true });
    } else {
      const heading = HEADING.exec(line);
      lines.push({
        text: line,
        end,
        code: false,
        ...(heading && { heading: { level: heading[1]!.length, title: (heading[2] ?? "").trim() } }),
      });
    }
  }
  return { lines, openFence: fence };
}

export const joinLines = (lines: readonly Pick<MarkdownLine, "text" | "end">[]): string =>
  lines.map(({ text, end }) => text + end).join("");

/** How lines of this file end: as most of them do. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** The text with a code fence that it left open closed: what comes behind it must not become code. */
export function withClosedFence(text: string): string {
  const { openFence } = scan(text);
  const end = lineEndOf(text);
  return openFence === undefined ? text : `${text.replace(/\r?\n$/, "")}${end}${openFence}${end}`;
}
