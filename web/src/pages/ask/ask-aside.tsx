import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { NotePageLink, RunLink } from "../../components/links.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Marked, questionParts } from "../run/question-parts.tsx";
import { askedNoteName, type Exchange } from "./conversation.ts";

/** Beside the answers: the notes that the last one quotes, questions of runs that wait for the person, and the questions of this tab. */
export function AskAside({ conversation }: { readonly conversation: readonly Exchange[] }) {
  const t = useT();
  const open = useQuery({ ...query("GET /requests", {}), staleTime: 0 }).data?.requests ?? [];
  const quoted = Map.groupBy(conversation.at(-1)?.references ?? [], ({ path, source_title }) => path ?? source_title);
  return (
    <aside className="ask-aside" aria-label={t(words.aside)}>
      {quoted.size > 0 && (
        <section>
          <h2 className="label">{t(words.quoted)}</h2>
          <ul className="stack tight">
            {[...quoted].map(([path, references]) => (
              <li key={path} className="row between small">
                {references[0]!.path === undefined ? (
                  path
                ) : (
                  <NotePageLink path={path}>{askedNoteName(path)}</NotePageLink>
                )}
                <span className="meta">{t(words.lines, references.length)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {open.length > 0 && (
        <section>
          <h2 className="label">{t(words.open)}</h2>
          <ul className="stack tight">
            {open.map(({ id, run_id, agent_slug, ask }) => (
              <li key={id}>
                <RunLink run={run_id}>
                  <span className="serif">
                    <Marked text={questionParts(ask).title} />
                  </span>
                </RunLink>
                <p className="meta">{t(words.askedBy, agent_slug)}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {conversation.length > 0 && (
        <section>
          <h2 className="label">{t(words.earlier)}</h2>
          <ul className="stack tight">
            {conversation
              .map(({ question, answer, references, at }, index) => ({ question, answer, references, at, index }))
              .toReversed()
              .map(({ question, answer, references, at, index }) => (
                <li key={index}>
                  <button type="button" className="earlier" onClick={() => scrollToQuestion(index)}>
                    <span className="serif">{question}</span>
                    <span className="meta">
                      {at !== undefined && <When at={at} />}
                      {at !== undefined && " · "}
                      {answer === undefined ? t(words.nothing) : t(words.quotes, references.length)}
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

export const questionId = (index: number): string => `question-${index}`;

const scrollToQuestion = (index: number): void => document.getElementById(questionId(index))?.scrollIntoView();

const words = {
  aside: { en: "Sources and questions", uk: "Джерела і питання" },
  quoted: { en: "Quoted notes", uk: "Цитовані нотатки" },
  lines: { en: "{} [line|lines]", uk: "{} [рядок|рядки|рядків]" },
  open: { en: "Runs ask you", uk: "Запуски питають вас" },
  askedBy: { en: "asked by {}", uk: "питає {}" },
  earlier: { en: "Questions in this tab", uk: "Питання в цій вкладці" },
  nothing: { en: "the notes do not say", uk: "у нотатках не сказано" },
  quotes: { en: "{} [quotation|quotations]", uk: "{} [цитата|цитати|цитат]" },
} as const satisfies Record<string, Text>;
