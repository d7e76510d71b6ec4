import type { Text } from "../../base/text.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { lineEndOf, markdownLines, withClosedFence } from "./markdown-lines.ts";

export type SectionText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly why: Text };

const USUAL_LEVEL = 2;

/**
 * Replaces one section by `content`: the first one with this heading keeps its heading line, and its content up to
 * the next heading of the same or a higher level is replaced; without one, a section is appended. `## Title` requires
 * a level; `Title` takes the existing level, or the second.
 */
export function withSection(text: string, heading: string, content: string): SectionText {
  const asked = /^(#{1,6})(?:[ \t]+(.*))?$/.exec(heading.trim());
  const title = (asked ? (asked[2] ?? "") : heading).replace(/[ \t]+#+[ \t]*$/, "").trim();
  const level = asked?.[1]!.length;
  if (title === "") return refused({ en: "the heading is empty", uk: "заголовок порожній" });
  const end = lineEndOf(text);
  const front = splitFrontMatter(text);
  const before = front ? text.slice(0, text.length - front.body.length) : "";
  const lines = markdownLines(text.slice(before.length));
  const at = lines.findIndex(
    (line) => line.heading?.title === title && (level === undefined || line.heading.level === level),
  );
  const depth = at < 0 ? (level ?? USUAL_LEVEL) : lines[at]!.heading!.level;
  const trouble = contentTrouble(content, depth);
  if (trouble) return refused(trouble);
  const body = content.replaceAll("\r\n", "\n").trim().replaceAll("\n", end);
  if (at < 0) {
    const rest = text.trimEnd();
    const gap = rest === "" || rest === before.trimEnd() ? (rest === "" ? "" : end + end) : end + end;
    return { kind: "text", text: `${rest}${gap}${"#".repeat(depth)} ${title}${end}${end}${body}${end}` };
  }
  const next = lines.findIndex(
    (line, index) => index > at && line.heading !== undefined && line.heading.level <= depth,
  );
  const joined = (part: typeof lines): string => part.map((line) => line.text + line.end).join("");
  const after = next < 0 ? "" : end + joined(lines.slice(next));
  return {
    kind: "text",
    text: `${before}${joined(lines.slice(0, at))}${lines[at]!.text}${end}${end}${body}${end}${after}`,
  };
}

/** The reason why content would reach beyond the section: a heading of its own level, or an unclosed code block. */
function contentTrouble(content: string, level: number): Text | undefined {
  if (content.trim() === "") return { en: "the section would be empty", uk: "розділ був би порожнім" };
  if (withClosedFence(content) !== content) {
    return { en: "a code block in the text is not closed", uk: "блок коду в тексті не закрито" };
  }
  const high = markdownLines(content).find((line) => line.heading !== undefined && line.heading.level <= level);
  return (
    high && {
      en: `“${high.text.trim()}” would end the section: headings inside it need at least ${level + 1} #`,
      uk: `«${high.text.trim()}» закінчить розділ: заголовки всередині потребують щонайменше ${level + 1} #`,
    }
  );
}

const refused = (why: Text): SectionText => ({ kind: "refused", why });
