import { useMemo } from "react";
import { readPatch, wordParts } from "../../components/patch.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Changed lines shown in a story; the page of the proposal shows all. */
const MOST_ROWS = 6;

/** The changed lines of a patch, with the changed words marked by colour, underline and strike. */
export function StoryChange({ patch }: { readonly patch: string }) {
  const t = useT();
  const rows = useMemo(() => readPatch(patch).flatMap((hunk) => hunk.rows.filter(({ same }) => !same)), [patch]);
  const textOf = (pieces: readonly { readonly text: string }[] | undefined): string =>
    pieces?.map(({ text }) => text).join("") ?? "";
  return (
    <div className="story-change">
      {rows.slice(0, MOST_ROWS).map(({ before, after }) => (
        <p key={`${before?.line} ${after?.line}`}>
          {wordParts(textOf(before?.pieces), textOf(after?.pieces)).map(({ text, mark }, index) =>
            mark === "same" ? (
              // oxlint-disable-next-line no-array-index-key -- words keep their order
              <span key={index}>{text}</span>
            ) : mark === "added" ? (
              // oxlint-disable-next-line no-array-index-key -- words keep their order
              <ins key={index}>{text}</ins>
            ) : (
              // oxlint-disable-next-line no-array-index-key -- words keep their order
              <del key={index}>{text}</del>
            ),
          )}
        </p>
      ))}
      {rows.length > MOST_ROWS && <p className="meta">{t(words.more, rows.length - MOST_ROWS)}</p>}
    </div>
  );
}

const words = {
  more: { en: "and {} more changed [line|lines]", uk: "і ще {} [змінений рядок|змінені рядки|змінених рядків]" },
} as const satisfies Record<string, Text>;
