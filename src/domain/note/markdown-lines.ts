/**
 * A Markdown file as lines, with the facts needed to edit it in place: headings, code fences, line ends. Joining the
 * lines gives the original bytes.
 */
export interface MarkdownLine {
  /** Without its line end. */
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of the file. */
  readonly end: string;
  /** Set for an ATX heading (`## Title`) outside of code. */
  readonly heading?: { readonly level: number; readonly title: string };
  /** True inside a code fence, its fence lines included. */
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

/** The line end that most lines of this file have. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** Closes a code fence that the text left open, so that text after it does not become code. */
export function withClosedFence(text: string): string {
  const { openFence } = scan(text);
  const end = lineEndOf(text);
  return openFence === undefined ? text : `${text.replace(/\r?\n$/, "")}${end}${openFence}${end}`;
}
