import { joinLines, lineEndOf, type MarkdownLine, markdownLines, withClosedFence } from "../note/markdown-lines.ts";

/** Line range of a section: its heading, and the lines below it up to the next heading of its level. */
interface Place {
  readonly heading: number;
  readonly end: number;
}

/** The lines below a heading; undefined if no heading has this title. `twice`: the title is ambiguous. */
export type FoundSection = { readonly kind: "found"; readonly text: string } | { readonly kind: "none" | "twice" };

export function sectionIn(file: string, title: string): FoundSection {
  const lines = markdownLines(file);
  const places = placesOf(lines, title);
  if (places.length !== 1) return { kind: places.length === 0 ? "none" : "twice" };
  const { heading, end } = places[0]!;
  return { kind: "found", text: joinLines(lines.slice(heading + 1, end)) };
}

/** Appends text to a section, which is created if it is missing; without a title, to the file. */
export function withAppendedText(file: string, title: string | undefined, text: string): string {
  const end = lineEndOf(file);
  const added = blockOf(text, end);
  if (title === undefined) return `${joinedTo(withClosedFence(file), end)}${added}`;
  const lines = markdownLines(file);
  const place = placesOf(lines, title)[0];
  if (!place) return `${spaced(withClosedFence(file), end)}## ${title}${end}${end}${added}`;
  let last = place.end;
  while (last > place.heading + 1 && lines[last - 1]!.text.trim() === "") last--;
  const before = joinedTo(withClosedFence(joinLines(lines.slice(0, last))), end);
  const gap = last === place.heading + 1 ? end : "";
  const rest = joinLines(lines.slice(last));
  return `${before}${gap}${added}${rest === "" || rest.startsWith("\n") || rest.startsWith("\r\n") ? rest : `${end}${rest}`}`;
}

/** Replaces the lines of a section, which is created if it is missing. */
export function withReplacedSection(file: string, title: string, text: string): string {
  const end = lineEndOf(file);
  const lines = markdownLines(file);
  const place = placesOf(lines, title)[0];
  if (!place) return withAppendedText(file, title, text);
  const before = joinedTo(joinLines(lines.slice(0, place.heading + 1)), end);
  const rest = joinLines(lines.slice(place.end));
  const body = text.trim() === "" ? "" : `${end}${blockOf(text, end)}`;
  return `${before}${body}${rest === "" ? "" : `${end}${rest}`}`;
}

/** Text with the file's line ends, one final line end, and no open code fence. */
export const blockOf = (text: string, end: string): string =>
  `${withClosedFence(text.replace(/\r\n?/g, "\n"))
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd()
    .replaceAll("\n", end)}${end}`;

/** Matches by exact title at any level; deeper headings are part of the section. */
function placesOf(lines: readonly MarkdownLine[], title: string): Place[] {
  return lines.flatMap(({ heading }, index): Place[] => {
    if (heading?.title !== title.trim()) return [];
    const next = lines.findIndex((line, at) => at > index && (line.heading?.level ?? 7) <= heading.level);
    return [{ heading: index, end: next < 0 ? lines.length : next }];
  });
}

const joinedTo = (text: string, end: string): string => (text === "" || text.endsWith("\n") ? text : `${text}${end}`);
const spaced = (text: string, end: string): string => {
  const whole = joinedTo(text, end);
  return whole === "" || /(?:^|\n)[ \t]*\r?\n$/.test(whole) ? whole : `${whole}${end}`;
};
