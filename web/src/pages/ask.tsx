import { useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Fragment, useEffect, useRef, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { useDraft } from "../components/draft.ts";
import { IndexingProgress } from "../components/indexing-progress.tsx";
import { Empty, Failed, Loading } from "../components/query-result.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { type Exchange, storeConversation, storedConversation } from "./ask/conversation.ts";
import "../style/ask.css";

type Answered = AnswerOf<"POST /ask">;

/** Questions to the notes, answered in their own words: every sentence leads to where it stands. With `note`, to that one alone. */
export function AskPage() {
  const t = useT();
  const { note } = useSearch({ strict: false }) as { note?: string };
  const [talk, setTalk] = useState(storedConversation);
  const [typed, setTyped] = useDraft("ask");
  const field = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [soFar, setSoFar] = useState<Answered>();
  useKeys({ "/": () => field.current?.focus() });
  const ask = useMutation({
    mutationFn: async (question: string) => {
      const body = { question, ...(note !== undefined && { note }) };
      for (;;) {
        const answer = await call("POST /ask", { body });
        if (!answer.reading) return answer;
        setSoFar(answer); // what those notes say that are read by now
      }
    },
    onSuccess: ({ answer, references }, question) => {
      const now = [...talk, { question, ...(note !== undefined && { note }), answer, references }];
      setTalk(storeConversation(now));
      setTyped(undefined);
    },
    onSettled: () => setSoFar(undefined),
  });
  const send = (): void => {
    if (typed.trim() !== "" && !ask.isPending) ask.mutate(typed.trim());
  };
  const count = talk.length + (ask.isPending ? 1 : 0);
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count, ask.isPending, soFar]);
  return (
    <div className="stack ask">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        {talk.length > 0 && (
          <button type="button" className="button quiet" onClick={() => setTalk(storeConversation([]))}>
            {t(words.clear)}
          </button>
        )}
      </div>
      <p className="quiet">{t(words.about)}</p>
      {note !== undefined && (
        <p className="row">
          <span>{t(words.only)}</span>
          <Link to="/notes/$" params={{ _splat: note }} className="break">
            {note}
          </Link>
          <Link to="/ask">{t(words.all)}</Link>
        </p>
      )}
      {count === 0 && <Empty>{t(words.example)}</Empty>}
      <ol className="talk" aria-live="polite" aria-label={t(words.talk)}>
        {talk.map((exchange, index) => (
          // oxlint-disable-next-line no-array-index-key -- what was said stays where it is
          <li key={index} className="stack tight">
            <Question {...exchange} />
            <Said {...exchange} />
          </li>
        ))}
        {ask.isPending && (
          <li className="stack tight">
            <Question question={ask.variables} note={note} />
            {soFar ? <IndexingProgress reading={soFar.reading} /> : <Loading />}
            {soFar && soFar.references.length > 0 && (
              <Said question={ask.variables} answer={soFar.answer} references={soFar.references} />
            )}
          </li>
        )}
      </ol>
      <div ref={end} className="talk-end" />
      <form
        className="asking"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {ask.error && <Failed error={ask.error} />}
        <label className="labelled">
          <span>{t(words.question)}</span>
          <textarea
            ref={field}
            className="field"
            rows={2}
            maxLength={2000}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
        </label>
        <button type="submit" className="button primary" disabled={typed.trim() === "" || ask.isPending}>
          {t(words.ask)}
        </button>
      </form>
    </div>
  );
}

function Question({ question, note }: { readonly question: string; readonly note?: string | undefined }) {
  return (
    <p className="question break">
      {question}
      {note !== undefined && <code className="quiet small"> {note}</code>}
    </p>
  );
}

/** The answer with its numbers as links, and where each is from. */
function Said({ question, answer, references }: Omit<Exchange, "note">) {
  const t = useT();
  if (answer === undefined)
    return (
      <p className="card quiet">
        {t(words.nothing)}{" "}
        <Link to="/notes" search={{ q: question.slice(0, 400) }}>
          {t(words.search)}
        </Link>
      </p>
    );
  return (
    <div className="card stack tight">
      {answer.split("\n").map((line, index) => (
        // oxlint-disable-next-line no-array-index-key -- lines of one answer
        <p key={index} className="break">
          {line.split(/(\[\d+\])/).map((piece, place) => {
            const number = Number(/^\[(\d+)\]$/.exec(piece)?.[1]);
            const reference = references.find(({ citation_number }) => citation_number === number);
            // oxlint-disable-next-line no-array-index-key -- pieces of one line
            return <Fragment key={place}>{reference ? <Place reference={reference} text={piece} /> : piece}</Fragment>;
          })}
        </p>
      ))}
      <ul className="sources small" aria-label={t(words.sources)}>
        {references.map((reference) => (
          <li key={reference.citation_number} className="break">
            [{reference.citation_number}] <Place reference={reference} text={reference.source_title} />{" "}
            {reference.line !== undefined && (
              <span className="quiet">
                {reference.path}, {t(words.line, reference.line)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Place(props: { readonly reference: Exchange["references"][number]; readonly text: string }) {
  const { reference, text } = props;
  const t = useT();
  const { path, line, source_title } = reference;
  if (path === undefined) return text;
  const isNumber = text !== source_title;
  return (
    <Link
      to="/notes/$"
      params={{ _splat: path }}
      search={{ line }}
      {...(isNumber && { "aria-label": t(words.source, reference.citation_number, source_title) })}
    >
      {text}
    </Link>
  );
}

const words = {
  title: { en: "Ask the notes", uk: "Запитати нотатки" },
  about: {
    en: "Answers are sentences of the notes, each with a link to where it stands. Nothing is made up.",
    uk: "Відповіді — це речення з нотаток, кожне з посиланням на своє місце. Нічого не вигадано.",
  },
  only: { en: "Only this note is asked:", uk: "Питання лише до цієї нотатки:" },
  all: { en: "ask all notes", uk: "питати всі нотатки" },
  example: {
    en: "Ask in your own words, in English or Ukrainian. The conversation stays in this tab.",
    uk: "Питайте своїми словами, українською чи англійською. Розмова лишається в цій вкладці.",
  },
  talk: { en: "Conversation", uk: "Розмова" },
  question: {
    en: "Question (Enter asks, Shift+Enter begins a line)",
    uk: "Питання (Enter — запитати, Shift+Enter — новий рядок)",
  },
  ask: { en: "Ask", uk: "Запитати" },
  clear: { en: "Clear the conversation", uk: "Очистити розмову" },
  nothing: {
    en: "Nothing found: the notes say nothing about this.",
    uk: "Нічого не знайдено: у нотатках про це не сказано.",
  },
  search: { en: "Search for these words", uk: "Шукати ці слова" },
  sources: { en: "Where it stands", uk: "Де це сказано" },
  source: { en: "source {}: {}", uk: "джерело {}: {}" },
  line: { en: "line {}", uk: "рядок {}" },
} as const satisfies Record<string, Text>;
