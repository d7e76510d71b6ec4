import type { Language } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { Condition } from "../tree.ts";
import { bareOrQuoted } from "./escape.ts";
import { inlineWords } from "./keywords.ts";
import { durationRemark } from "./remarks.ts";

/** A condition as one line, with brackets around every nested "and" and "or". Appends the icons of its questions to `icons`. */
export function conditionText(condition: Condition, language: Language, icons: IconId[]): string {
  const [and, or, not] = [inlineWords.and[language], inlineWords.or[language], inlineWords.not[language]];
  const parts: string[] = [];
  // A work list instead of recursion: a condition may be nested very deeply.
  const work: (string | Condition)[] = [condition];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next === "string") parts.push(next);
    else if (next.is === "question") {
      icons.push(next.icon);
      parts.push(bareOrQuoted(next.text, "question"));
      if (next.duration) {
        icons.push(next.duration.icon);
        parts.push(durationRemark(next.duration.text, language));
      }
    } else if (next.is === "not") {
      parts.push(not, " ");
      bracketed(next.of);
    } else {
      const between = ` ${next.is === "and" ? and : or} `;
      for (let index = next.of.length - 1; index >= 0; index--) {
        bracketed(next.of[index]!);
        if (index > 0) work.push(between);
      }
    }
  }
  return parts.join("");

  function bracketed(inner: Condition): void {
    if (inner.is === "and" || inner.is === "or") work.push(")", inner, "(");
    else work.push(inner);
  }
}
