import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MessageCircleQuestionMark, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { useDraft } from "../components/draft.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { Button } from "../components/form.tsx";
import { IndexingProgress } from "../components/indexing-progress.tsx";
import { Loading } from "../components/query-result.tsx";
import { When } from "../components/tags.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Answer } from "./ask/answer.tsx";
import { AskAside, questionId } from "./ask/ask-aside.tsx";
import { AskBar } from "./ask/ask-bar.tsx";
import { askedNoteName, storeConversation, storedConversation } from "./ask/conversation.ts";
import { NotSaid } from "./ask/not-said.tsx";
import "../style/ask.css";

type AskAnswer = AnswerOf<"POST /ask">;

/** Answers questions with sentences of the notes, each with a link to its source. With `note`, only that note is searched. */
export function AskPage() {
  const t = useT();
  const { note, q } = useSearch({ strict: false }) as { note?: string; q?: string | number };
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
      const asked = { question, ...(note !== undefined && { note }), answer, references, at: new Date().toISOString() };
      setConversation(storeConversation([...conversation, asked]));
      setTyped(undefined);
    },
    onSettled: () => setSoFar(undefined),
  });
  const send = (): void => {
    if (typed.trim() !== "" && !ask.isPending) ask.mutate(typed.trim());
  };
  useAskedInAddress(q, ask.mutate);
  const count = conversation.length + (ask.isPending ? 1 : 0);
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count, ask.isPending, soFar]);
  return (
    <>
      <TopBar icon={MessageCircleQuestionMark} crumbs={[]} title={t(words.place)}>
        {conversation.length > 0 && (
          <>
            <Button tone="ghost small" onClick={() => setConversation(storeConversation([]))}>
              {t(words.clear)}
            </Button>
            <Button tone="ghost small" onClick={() => field.current?.focus()}>
              <Plus size={15} aria-hidden="true" />
              {t(words.another)} <kbd>/</kbd>
            </Button>
          </>
        )}
      </TopBar>
      <div className={`bleed ask-page ${conversation.length === 0 ? "alone" : ""}`}>
        <div className="ask-main">
          <div className="thread">
            <h1 className={count > 0 ? "hidden-visually" : "page-title"}>{t(words.title)}</h1>
            {count === 0 && <NothingAsked />}
            <ol aria-live="polite" aria-label={t(words.talk)}>
              {conversation.map(({ question, answer, references, note: only, at }, index) => (
                // oxlint-disable-next-line no-array-index-key -- exchanges keep their order
                <li key={index} id={questionId(index)}>
                  <Question question={question} note={only}>
                    {at !== undefined && <When at={at} />}
                  </Question>
                  {answer === undefined ? (
                    <NotSaid question={question} note={only} />
                  ) : (
                    <Answer question={question} answer={answer} references={references} />
                  )}
                </li>
              ))}
              {ask.isPending && (
                <li>
                  <Question question={ask.variables} note={note} />
                  {soFar ? <IndexingProgress reading={soFar.reading} /> : <Loading />}
                  {soFar && soFar.references.length > 0 && (
                    <Answer question={ask.variables} answer={soFar.answer} references={soFar.references} />
                  )}
                </li>
              )}
            </ol>
            <div ref={end} className="thread-end" />
          </div>
          <AskBar
            field={field}
            note={note}
            text={typed}
            onText={setTyped}
            isPending={ask.isPending}
            error={ask.error}
            onSend={send}
          />
        </div>
        <AskAside conversation={conversation} />
      </div>
    </>
  );
}

function NothingAsked() {
  const t = useT();
  const picture = <MessageCircleQuestionMark size={40} strokeWidth={1.5} aria-hidden="true" />;
  return (
    <EmptyState picture={picture} title={t(words.first)}>
      {t(words.example)}
    </EmptyState>
  );
}

/** Asks the question that the address brings (`?q=`) once, and takes it out of the address: a reload must not ask it again. */
function useAskedInAddress(q: string | number | undefined, ask: (question: string) => void): void {
  const navigate = useNavigate();
  const asked = useRef<string | number>(undefined);
  useEffect(() => {
    const isNew = q !== undefined && q !== asked.current;
    asked.current = q;
    if (!isNew) return;
    ask(String(q));
    void navigate({ to: "/ask", search: {}, replace: true });
  }, [q, ask, navigate]);
}

function Question(props: {
  readonly question: string;
  readonly note?: string | undefined;
  readonly children?: ReactNode;
}) {
  const { question, note, children } = props;
  const t = useT();
  return (
    <header className="asked-question">
      <h2 className="break">{question}</h2>
      <span className="meta">
        {note !== undefined && `${t(words.only, askedNoteName(note))} `}
        {children}
      </span>
    </header>
  );
}

const words = {
  place: { en: "Ask", uk: "Питання" },
  title: { en: "Ask the notes", uk: "Запитати нотатки" },
  first: { en: "What do you want to know?", uk: "Що ви хочете знати?" },
  example: {
    en: "Ask in your own words, in English or Ukrainian. Every answer is made of sentences from your notes, each with its place.",
    uk: "Питайте своїми словами, українською чи англійською. Кожна відповідь складається з речень ваших нотаток, кожне зі своїм місцем.",
  },
  only: { en: "only in {}", uk: "лише в {}" },
  talk: { en: "Conversation", uk: "Розмова" },
  another: { en: "New question", uk: "Нове питання" },
  clear: { en: "Clear conversation", uk: "Очистити розмову" },
} as const satisfies Record<string, Text>;
