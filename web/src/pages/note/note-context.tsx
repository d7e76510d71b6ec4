import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink, Share2 } from "lucide-react";
import { isLoopback } from "../../../../src/domain/garden-address.ts";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Backlinks } from "./backlinks.tsx";
import { Comments } from "./comments.tsx";
import { LineStory } from "./line-story.tsx";
import { Outline } from "./outline.tsx";
import { UnlinkedMentions } from "./unlinked-mentions.tsx";

/** The context of a note: the story of a line, backlinks, mentions, outline, comments. */
export function NoteContext(props: {
  readonly note: AnswerOf<"GET /notes/:path">;
  readonly text: string;
  readonly line: number | undefined;
  readonly around: UseQueryResult<AnswerOf<"GET /links/:path">>;
}) {
  const { note, text, line, around } = props;
  const t = useT();
  const me = useQuery({ ...query("GET /me", {}), staleTime: 0 }).data;
  const vault = me?.garden?.vault;
  return (
    <aside className="context" data-scroll="" aria-label={t(words.context)}>
      {line !== undefined && <LineStory key={line} path={note.path} line={line} />}
      <Backlinks path={note.path} around={around} />
      <UnlinkedMentions path={note.path} />
      <Outline path={note.path} text={text} />
      <Comments note={note} />
      <section className="row">
        <Link to="/notes" search={{ graph: note.path }} className="button small">
          <Share2 size={14} aria-hidden="true" />
          {t(words.graph)}
        </Link>
        <Link to="/ask" search={{ note: note.path }} className="button small">
          {t(words.ask)}
        </Link>
        {vault !== undefined && isLoopback(location.hostname) && (
          <a className="button small" href={`obsidian://open?path=${encodeURIComponent(`${vault}/${note.path}`)}`}>
            <ExternalLink size={14} aria-hidden="true" />
            {t(words.obsidian)}
          </a>
        )}
      </section>
    </aside>
  );
}

const words = {
  context: { en: "About this note", uk: "Про цю нотатку" },
  graph: { en: "Graph", uk: "Граф" },
  obsidian: { en: "Open in Obsidian", uk: "Відкрити в Obsidian" },
  ask: { en: "Ask about this note", uk: "Запитати про цю нотатку" },
} as const satisfies Record<string, Text>;
