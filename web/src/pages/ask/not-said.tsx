import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { NotebookText } from "lucide-react";
import { query } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "../note/note-links.ts";
import { AskLibrarian } from "./ask-librarian.tsx";
import { askedNoteName } from "./conversation.ts";

/** Notes that come near are shown, without a number: they do not answer. */
const MOST_NEAR = 2;

/** "The notes do not say": how much was read, and what came near. */
export function NotSaid({ question, note }: { readonly question: string; readonly note?: string | undefined }) {
  const t = useT();
  const total = useQuery(query("GET /folders", { query: { limit: "1" } })).data?.notes;
  const search = { q: question.slice(0, 400) };
  const near = useQuery({
    ...query("GET /search", { query: { ...search, limit: String(MOST_NEAR) } }),
    enabled: note === undefined,
  }).data?.hits;
  const read = note !== undefined ? t(words.one, askedNoteName(note)) : total === undefined ? "" : t(words.read, total);
  return (
    <>
      <div className="not-said">
        <NotebookText size={20} strokeWidth={1.6} aria-hidden="true" />
        <p className="answer">
          <strong>{t(words.nothing)}</strong> <span className="quiet">{read}</span>{" "}
          {near && <span className="quiet">{near.length > 0 ? t(words.near) : t(words.none)}</span>}
        </p>
      </div>
      {near && near.length > 0 && (
        <ul className="quotes" aria-label={t(words.near)}>
          {near.map(({ path, quote }) => (
            <li key={path}>
              <span className="source-number near" aria-hidden="true" />
              <div>
                <p className="reason break">{plainWords(quote)}</p>
                <p className="meta break">
                  <Link to="/notes/$" params={{ _splat: path }}>
                    {askedNoteName(path)}
                  </Link>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Link to="/notes" search={search} className="button">
          {t(words.search)}
        </Link>
        {note === undefined && <AskLibrarian question={question} />}
      </div>
    </>
  );
}

const words = {
  nothing: { en: "The notes do not say.", uk: "У нотатках про це не сказано." },
  read: { en: "{} [note was|notes were] read.", uk: "Прочитано {} [нотатку|нотатки|нотаток]." },
  one: { en: "Only “{}” was read.", uk: "Прочитано лише «{}»." },
  near: { en: "These come near, but do not answer:", uk: "Найближче до питання, але це не відповідь:" },
  none: { en: "None comes near.", uk: "Нічого близького немає." },
  search: { en: "Search for these words", uk: "Шукати ці слова" },
} as const satisfies Record<string, Text>;
