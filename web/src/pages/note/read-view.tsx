import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { type MarginOf, Markdown } from "../../components/markdown.tsx";
import { Empty } from "../../components/query-result.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { LineMargin } from "./line-margin.tsx";
import { NoteContext } from "./note-context.tsx";
import { storedNoteDraft } from "./note-draft.ts";
import { embedOfNote, linkOfNote } from "./note-links.ts";
import { noteTitle, titleInText } from "./note-title.ts";
import { Properties } from "./properties.tsx";
import { SubmittedProposal } from "./submitted-proposal.tsx";
import { useLineOrigins } from "./use-line-origins.ts";

/** A note as Obsidian shows it, with its authors in the margin and what belongs to it beside it. */
export function ReadView(props: {
  readonly note: AnswerOf<"GET /notes/:path">;
  readonly text: string;
  readonly line: number | undefined;
  readonly proposal: string | undefined;
}) {
  const { note, text, line, proposal } = props;
  const t = useT();
  const { path } = note;
  const repeated = useMemo(() => titleInText(path, text), [path, text]);
  const around = useQuery({ ...query("GET /links/:path", { params: { path } }), refetchInterval: untilIndexed });
  const linkOf = useMemo(() => linkOfNote(path, around.data, true), [path, around.data]);
  const embedOf = useMemo(() => embedOfNote(around.data), [around.data]);
  const { want, groupsIn } = useLineOrigins(path);
  const marginOf = useMemo<MarginOf>(
    () => (block, before) => (
      <LineMargin
        path={path}
        block={block}
        groups={groupsIn(block.first, block.last)}
        above={before && groupsIn(before.first, before.last).at(-1)}
        line={line}
      />
    ),
    [path, groupsIn, line],
  );
  const [isContextOpen, setContextOpen] = useState(false);
  useKeys({ i: () => setContextOpen(!isContextOpen) });
  return (
    <div className={isContextOpen ? "note-panes with-context" : "note-panes"}>
      <article className="pane" data-scroll="">
        <div className="note-text">
          <div className="note-head">
            <h1 className={repeated && repeated.line === line ? "note-title meant" : "note-title"}>
              {repeated?.title ?? noteTitle(path)}
            </h1>
            {proposal !== undefined && <SubmittedProposal id={proposal} />}
            {storedNoteDraft(path) && (
              <p className="warning">
                {t(words.begun)}{" "}
                <NotePageLink path={path} search={{ view: "edit" }}>
                  {t(words.goOn)}
                </NotePageLink>
              </p>
            )}
            <Properties of={note} />
            <button
              type="button"
              className="button small context-switch"
              onClick={() => setContextOpen(!isContextOpen)}
            >
              {t(isContextOpen ? words.closeContext : words.context)} <kbd>i</kbd>
            </button>
          </div>
          {text.trim() === "" ? (
            <Empty>{t(words.empty)}</Empty>
          ) : (
            <Markdown
              text={text}
              linkOf={linkOf}
              embedOf={embedOf}
              line={line}
              hiddenLine={repeated?.line}
              marginOf={marginOf}
              onPart={want}
            />
          )}
        </div>
      </article>
      <NoteContext note={note} text={text} line={line} around={around} />
    </div>
  );
}

const words = {
  empty: { en: "The note is empty.", uk: "Нотатка порожня." },
  begun: { en: "You have unsaved changes to this note.", uk: "Ви почали змінювати цю нотатку." },
  goOn: { en: "Continue editing", uk: "Продовжити" },
  context: { en: "Links, outline, comments", uk: "Посилання, зміст, коментарі" },
  closeContext: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
