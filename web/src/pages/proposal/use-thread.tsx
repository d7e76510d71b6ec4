import { type ReactNode, useState } from "react";
import type { Remark, Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import type { DiffLinePlace } from "../../components/word-diff.tsx";
import { linePlace, type WordLine, wordBlocks } from "../../components/word-lines.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { RemarksOf } from "./effect.tsx";
import { ThreadMessage } from "./message.tsx";
import { type RemarkAt, RemarkForm } from "./remark-form.tsx";
import { useRemarkPlace } from "./remark-place.ts";

interface Thread {
  readonly remarksOf: RemarksOf;
  /** Remarks that belong to no line that is shown, and the field for a new one. */
  readonly others: ReactNode;
  /** Opens the field at the first changed line. */
  readonly begin: () => void;
}

/** P-10c: the remarks on a change, each at its line, and the fields for new ones. A remark decides nothing. */
export function useThread(
  proposal: Whole,
  review: Review | undefined,
  remarks: readonly Remark[],
  /** The diagrams are shown, with the remarks on their icons. */
  isDiagram: boolean,
): Thread {
  const t = useT();
  const aboutPlace = useRemarkPlace();
  const [open, setOpen] = useState<RemarkAt | "change">();
  const files = review?.files ?? [];
  const at = (path: string, { line, side }: DiffLinePlace): readonly Remark[] =>
    remarks.filter(
      ({ place }) => place && "line" in place && place.path === path && place.line === line && place.side === side,
    );
  const shownPlaces = new Set(
    files.flatMap(({ path, patch }) => linesIn(patch).map((line) => nameOf(path, linePlace(line)))),
  );
  const others = remarks.filter(({ place }) => {
    if (!place) return true;
    if ("icon" in place) return !isDiagram;
    return isDiagram || !shownPlaces.has(nameOf(place.path, place));
  });
  const message = (each: Remark, about?: string) => (
    <ThreadMessage
      key={each.number}
      by={each.by}
      isAgent={each.by === proposal.agent?.slug}
      text={each.text}
      at={each.at}
      about={about}
    />
  );
  const form = (place: RemarkAt | undefined) => (
    <RemarkForm
      proposal={proposal.id}
      place={place}
      isRevisable={proposal.status === "pending" && proposal.source.type === "agent"}
      onClose={() => setOpen(undefined)}
    />
  );
  const first = firstChanged(files);
  return {
    begin: () => setOpen((isDiagram ? undefined : first) ?? "change"),
    remarksOf: (path) => ({
      count: (place) => at(path, place).length,
      onComment: (place, quote) => setOpen({ path, ...place, quote }),
      below(place) {
        const said = at(path, place);
        const isOpen = open !== undefined && open !== "change" && nameOf(open.path, open) === nameOf(path, place);
        if (said.length === 0 && !isOpen) return null;
        return (
          <div className="thread">
            {said.map((each) => message(each))}
            {isOpen && form(open)}
          </div>
        );
      },
    }),
    others: (others.length > 0 || open === "change") && (
      <section className="thread apart" aria-label={t(words.comments)}>
        {others.map((each) => message(each, aboutPlace(each.place)))}
        {open === "change" && form(undefined)}
      </section>
    ),
  };
}

const nameOf = (path: string, { line, side }: DiffLinePlace): string => `${path} ${side} ${line}`;

const linesIn = (patch: string): readonly WordLine[] =>
  wordBlocks(patch, undefined).flatMap((block) => (block.kind === "lines" ? block.lines : []));

function firstChanged(files: Review["files"]): RemarkAt | undefined {
  for (const { path, patch } of files) {
    const line = linesIn(patch).find(({ kind }) => kind !== "same");
    if (line) return { path, ...linePlace(line), quote: line.parts.map(({ text }) => text).join("") };
  }
  return undefined;
}

const words = {
  comments: { en: "Comments", uk: "Коментарі" },
} as const satisfies Record<string, Text>;
