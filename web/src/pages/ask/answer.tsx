import { Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck, Copy, FilePlus2, TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { storeDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "../note/note-links.ts";
import { answerMarkdown, askedNoteName, type Exchange, keyStems, markedParts, type Reference } from "./conversation.ts";

/** The answer with its numbers as links, then every quotation with its place. */
export function Answer({ question, answer = "", references }: Omit<Exchange, "note">) {
  const stems = keyStems(question);
  return (
    <>
      {plainAnswer(answer).map((line, index) => (
        // oxlint-disable-next-line no-array-index-key -- lines of one answer
        <p key={index} className="answer break">
          {line.split(/(\[\d+\])/).map((piece, at) => {
            const number = Number(/^\[(\d+)\]$/.exec(piece)?.[1]);
            const reference = references.find(({ citation_number }) => citation_number === number);
            // oxlint-disable-next-line no-array-index-key -- pieces of one line
            return <Fragment key={at}>{reference ? <SourceNumber reference={reference} /> : piece}</Fragment>;
          })}
        </p>
      ))}
      <Checked references={references} />
      <Quotes references={references} stems={stems} />
      <Actions question={question} answer={answer} references={references} />
    </>
  );
}

/** Without the Markdown of the quoted notes. Numbers in brackets stay. */
const plainAnswer = (answer: string): string[] => answer.split("\n").map(plainWords);

/** A quotation counts as found if its words stand in the note. */
function Checked({ references }: Pick<Exchange, "references">) {
  const t = useT();
  const found = references.filter(({ line }) => line !== undefined).length;
  const lost = references.length - found;
  return (
    <p className="row checked">
      <span className="good">
        <CircleCheck size={15} aria-hidden="true" />
        {t(words.found, found)}
      </span>
      {lost > 0 && (
        <span className="warn">
          <TriangleAlert size={15} aria-hidden="true" />
          {t(words.lost, lost)}
        </span>
      )}
    </p>
  );
}

function Quotes({ references, stems }: Pick<Exchange, "references"> & { readonly stems: readonly string[] }) {
  const t = useT();
  return (
    <ol className="quotes" aria-label={t(words.sources)}>
      {references.map((reference) => (
        <li key={reference.citation_number}>
          <SourceNumber reference={reference} />
          <div>
            <p className="reason break">
              {markedParts(plainWords(reference.cited_text), stems).map(({ text, isKey }, index) =>
                // oxlint-disable-next-line no-array-index-key -- pieces of one quotation
                isKey ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
              )}
            </p>
            <p className="meta break">
              <Place reference={reference} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function SourceNumber({ reference }: { readonly reference: Reference }) {
  const t = useT();
  const { path, line, citation_number, source_title } = reference;
  if (path === undefined) return <span className="source-number">{citation_number}</span>;
  return (
    <Link
      to="/notes/$"
      params={{ _splat: path }}
      search={{ line }}
      className="source-number"
      aria-label={t(words.source, citation_number, source_title)}
    >
      {citation_number}
    </Link>
  );
}

function Place({ reference: { path, line, source_title } }: { readonly reference: Reference }) {
  const t = useT();
  if (path === undefined) return source_title;
  return (
    <Link to="/notes/$" params={{ _splat: path }} search={{ line }}>
      {askedNoteName(path)}
      {line !== undefined && `, ${t(words.line, line)}`}
    </Link>
  );
}

function Actions({ question, answer, references }: Omit<Exchange, "note">) {
  const t = useT();
  const toast = useToast();
  const navigate = useNavigate();
  const text = answerMarkdown({ answer, references }, t(words.line));
  const propose = (): void => {
    storeDraft("new-note.title", question);
    storeDraft("new-note.text", text);
    void navigate({ to: "/notes", search: { new: "1" } });
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    toast(t(words.copied));
  };
  return (
    <div className="row">
      <Button onClick={propose}>
        <FilePlus2 size={15} aria-hidden="true" />
        {t(words.propose)}
      </Button>
      <Button tone="ghost" onClick={() => void copy()}>
        <Copy size={15} aria-hidden="true" />
        {t(words.copy)}
      </Button>
    </div>
  );
}

const words = {
  found: {
    en: "{} [quotation|quotations] found word for word",
    uk: "{} [цитату|цитати|цитат] знайдено слово в слово",
  },
  lost: {
    en: "{} [quotation|quotations] not found in the notes",
    uk: "{} [цитати|цитат|цитат] у нотатках не знайдено",
  },
  sources: { en: "Sources", uk: "Джерела" },
  source: { en: "source {}: {}", uk: "джерело {}: {}" },
  line: { en: "line {}", uk: "рядок {}" },
  propose: { en: "Propose as a note", uk: "Запропонувати як нотатку" },
  copy: { en: "Copy with sources", uk: "Копіювати з джерелами" },
  copied: { en: "Copied.", uk: "Скопійовано." },
} as const satisfies Record<string, Text>;
