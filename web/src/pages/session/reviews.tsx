import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { Segments } from "../../components/segments.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type SessionReview = AnswerOf<"GET /sessions/:name">["reviews"][number];
type Outcome = SessionReview["outcome"];

const OUTCOMES = ["good", "changes", "comment"] as const;
const TONES: Readonly<Record<Outcome, string>> = { good: "good", changes: "warn", comment: "" };

/** S-4: says something about the work of a session, of this garden or of another one, at its newest commit. It merges nothing. */
export function ReviewSession({ name }: { readonly name: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>("good");
  const [text, setText] = useDraft(`session-review.${name}`);
  const review = useMutation({
    mutationFn: () => call("POST /session-reviews", { body: { session: name, outcome, text: text.trim() } }),
    onSuccess: () => {
      setIsOpen(false);
      setText(undefined);
      toast(t(words.done, name));
      return invalidate(client, "/sessions", "/session-reviews", "/federation");
    },
  });
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        <MessageSquareText size={14} aria-hidden="true" />
        {t(words.open)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.title, name)}
          reason={{ label: t(words.text), text, onChange: setText, isRequired: true }}
          action={{
            label: t(words.save),
            tone: "primary",
            isDisabled: review.isPending,
            onConfirm: () => review.mutate(),
          }}
          error={review.error && <MutationError error={review.error} />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.about)}</p>
          <Segments
            label={t(words.outcome)}
            value={outcome}
            options={OUTCOMES.map((value) => ({ value, name: t(words[value]) }))}
            onChoose={setOutcome}
          />
        </ActionDialog>
      )}
    </>
  );
}

/** The reviews of a session, newest first. Nothing is shown before the first. */
export function ReviewList({ reviews }: { readonly reviews: readonly SessionReview[] }) {
  const t = useT();
  if (reviews.length === 0) return null;
  return (
    <details className="session-goal" open={reviews.length <= FEW}>
      <summary>{t(words.count, reviews.length)}</summary>
      <ul className="plain-list session-reviews" aria-label={t(words.list)}>
        {reviews.map(({ outcome, text, head, at, by }) => (
          <li key={`${at} ${text}`}>
            <p className="meta">
              <span className={`state ${TONES[outcome]}`}>{t(words[outcome])}</span> {by} · <When at={at} /> ·{" "}
              <code>{head.slice(0, 10)}</code>
            </p>
            <p className="said break" lang="">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Up to this many reviews are open at first. */
const FEW = 2;

const words = {
  open: { en: "Review…", uk: "Огляд…" },
  title: { en: "Review {}", uk: "Огляд {}" },
  about: {
    en: "It is kept with the newest commit of the session. It merges nothing, and stays in this garden.",
    uk: "Його записано з найновішим комітом сесії. Він нічого не зливає і лишається в цьому саду.",
  },
  outcome: { en: "Outcome", uk: "Підсумок" },
  good: { en: "Good", uk: "Добре" },
  changes: { en: "Needs changes", uk: "Слід змінити" },
  comment: { en: "Comment", uk: "Зауваження" },
  text: { en: "Text", uk: "Текст" },
  save: { en: "Save the review", uk: "Зберегти огляд" },
  done: { en: "The review of {} is saved.", uk: "Огляд {} збережено." },
  count: { en: "{} [review|reviews]", uk: "{} [огляд|огляди|оглядів]" },
  list: { en: "Reviews", uk: "Огляди" },
} as const satisfies Record<string, Text>;
