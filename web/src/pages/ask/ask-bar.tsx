import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CornerDownLeft, FileText, Folder, X } from "lucide-react";
import type { RefObject } from "react";
import { query } from "../../api/queries.ts";
import { Form } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { askedNoteName } from "./conversation.ts";

/** The question's field at the bottom, with what will be read. Enter asks. */
export function AskBar(props: {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly note: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: () => void;
}) {
  const { field, note, text, onText, isPending, error, onSend } = props;
  const t = useT();
  return (
    <Form className="ask-bar" onSubmit={onSend}>
      {error && <Failed error={error} />}
      <div className="ask-field">
        <textarea
          ref={field}
          aria-label={t(words.question)}
          placeholder={t(words.question)}
          rows={1}
          maxLength={2000}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onSend();
          }}
        />
        <Scope note={note} />
        <button
          type="submit"
          className="button primary icon"
          aria-label={t(words.ask)}
          title={t(words.ask)}
          disabled={text.trim() === "" || isPending}
        >
          <CornerDownLeft size={15} aria-hidden="true" />
        </button>
      </div>
      <p className="meta">{t(words.about)}</p>
    </Form>
  );
}

function Scope({ note }: { readonly note: string | undefined }) {
  const t = useT();
  const total = useQuery(query("GET /folders", { query: { limit: "1" } })).data?.notes;
  if (note === undefined)
    return (
      total !== undefined && (
        <span className="chip">
          <Folder size={13} aria-hidden="true" />
          {t(words.all, total)}
        </span>
      )
    );
  return (
    <span className="chip">
      <FileText size={13} aria-hidden="true" />
      <span className="cut">{t(words.only, askedNoteName(note))}</span>
      <Link to="/ask" aria-label={t(words.askAll)} title={t(words.askAll)}>
        <X size={13} aria-hidden="true" />
      </Link>
    </span>
  );
}

const words = {
  question: { en: "Ask the notes …", uk: "Запитайте нотатки …" },
  ask: { en: "Ask", uk: "Запитати" },
  all: { en: "all {} [note|notes]", uk: "усі {} [нотатка|нотатки|нотаток]" },
  only: { en: "only {}", uk: "лише {}" },
  askAll: { en: "Ask all notes", uk: "Питати всі нотатки" },
  about: {
    en: "Answers are quoted, not known. What the notes do not say is not filled in.",
    uk: "Відповіді — це цитати, а не знання. Чого в нотатках немає, те не вигадується.",
  },
} as const satisfies Record<string, Text>;
