import { useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Fragment, useEffect, useRef, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { useDraft } from "../components/draft.ts";
import { Button, Form } from "../components/form.tsx";
import { IndexingProgress } from "../components/indexing-progress.tsx";
import { NotePageLink } from "../components/links.tsx";
import { Empty, Failed, Loading } from "../components/query-result.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { type Exchange, storeConversation, storedConversation } from "./ask/conversation.ts";
import "../style/ask.css";

type AskAnswer = AnswerOf<"POST /ask">;

/** Answers questions with sentences of the notes, each with a link to its source. With `note`, only that note is searched. */
export function AskPage() {
  const t = useT();
  const { note } = useSearch({ strict: false }) as { note?: string };
  const [conversation, setConversation] = useState(storedConversation);
  const [typed, setTyped] = useDraft("ask");
  const field = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [soFar, setSoFar] = useState<AskAnswer>();
  useKeys({ "/": () => field.current?.focus() });
  const ask = useMutation({
    mutationFn: async (question: string) => {
      const body = { question, ...(note !== undefined && { note }) };
      for (;;) {
        const answer = await call("POST /ask", { body });
        if (!answer.reading) return answer;
        setSoFar(answer); // from the notes indexed so far
      }
    },
    onSuccess: ({ answer, references }, question) => {
      const now = [...conversation, { question, ...(note !== undefined && { note }), answer, references }];
      setConversation(storeConversation(now));
      setTyped(undefined);
    },
    onSettled: () => setSoFar(undefined),
  });
  const send = (): void => {
    if (typed.trim() !== "" && !ask.isPending) ask.mutate(typed.trim());
  };
  const count = conversation.length + (ask.isPending ? 1 : 0);
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count, ask.isPending, soFar]);
  return (
    <div className="stack ask">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        {conversation.length > 0 && (
          <Button tone="quiet" onClick={() => setConversation(storeConversation([]))}>
            {t(words.clear)}
          </Button>
        )}
      </div>
      <p className="quiet">{t(words.about)}</p>
      {note !== undefined && (
        <p className="row">
          <span>{t(words.only)}</span>
          <NotePageLink path={note} className="break">
            {note}
          </NotePageLink>
          <Link to="/ask">{t(words.all)}</Link>
        </p>
      )}
      {count === 0 && <Empty>{t(words.example)}</Empty>}
      <ol className="talk" aria-live="polite" aria-label={t(words.talk)}>
        {conversation.map((exchange, index) => (
          // oxlint-disable-next-line no-array-index-key -- exchanges keep their order
          <li key={index} className="stack tight">
            <Question {...exchange} />
            <Answer {...exchange} />
          </li>
        ))}
        {ask.isPending && (
          <li className="stack tight">
            <Question question={ask.variables} note={note} />
            {soFar ? <IndexingProgress reading={soFar.reading} /> : <Loading />}
            {soFar && soFar.references.length > 0 && (
              <Answer question={ask.variables} answer={soFar.answer} references={soFar.references} />
            )}
          </li>
        )}
      </ol>
      <div ref={end} className="talk-end" />
      <QuestionForm
        field={field}
        text={typed}
        onText={setTyped}
        isPending={ask.isPending}
        error={ask.error}
        onSend={send}
      />
    </div>
  );
}

function QuestionForm(props: {
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: () => void;
}) {
  const { field, text, onText, isPending, error, onSend } = props;
  const t = useT();
  return (
    <Form className="asking" onSubmit={onSend}>
      {error && <Failed error={error} />}
      <label className="labelled">
        <span>{t(words.question)}</span>
        <textarea
          ref={field}
          className="field"
          rows={2}
          maxLength={2000}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onSend();
          }}
        />
      </label>
      <button type="submit" className="button primary" disabled={text.trim() === "" || isPending}>
        {t(words.ask)}
      </button>
    </Form>
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

/** The answer with its citation numbers as links, and the list of sources. */
function Answer({ question, answer, references }: Omit<Exchange, "note">) {
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
          {line.split(/(\[\d+\])/).map((piece, at) => {
            const number = Number(/^\[(\d+)\]$/.exec(piece)?.[1]);
            const reference = references.find(({ citation_number }) => citation_number === number);
            // oxlint-disable-next-line no-array-index-key -- pieces of one line
            return <Fragment key={at}>{reference ? <Source reference={reference} text={piece} /> : piece}</Fragment>;
          })}
        </p>
      ))}
      <ul className="sources small" aria-label={t(words.sources)}>
        {references.map((reference) => (
          <li key={reference.citation_number} className="break">
            [{reference.citation_number}] <Source reference={reference} text={reference.source_title} />{" "}
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

function Source(props: { readonly reference: Exchange["references"][number]; readonly text: string }) {
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
    en: "Answers are sentences from your notes, each with a link to its source. Nothing is made up.",
    uk: "Відповіді — це речення з нотаток, кожне з посиланням на своє місце. Нічого не вигадано.",
  },
  only: { en: "Searching only this note:", uk: "Питання лише до цієї нотатки:" },
  all: { en: "Ask all notes", uk: "питати всі нотатки" },
  example: {
    en: "Ask in your own words, in English or Ukrainian. The conversation is kept in this tab only.",
    uk: "Питайте своїми словами, українською чи англійською. Розмова лишається в цій вкладці.",
  },
  talk: { en: "Conversation", uk: "Розмова" },
  question: {
    en: "Question (Enter to ask, Shift+Enter for a new line)",
    uk: "Питання (Enter — запитати, Shift+Enter — новий рядок)",
  },
  ask: { en: "Ask", uk: "Запитати" },
  clear: { en: "Clear conversation", uk: "Очистити розмову" },
  nothing: { en: "The notes do not say.", uk: "Нічого не знайдено: у нотатках про це не сказано." },
  search: { en: "Search for these words", uk: "Шукати ці слова" },
  sources: { en: "Sources", uk: "Де це сказано" },
  source: { en: "source {}: {}", uk: "джерело {}: {}" },
  line: { en: "line {}", uk: "рядок {}" },
} as const satisfies Record<string, Text>;
