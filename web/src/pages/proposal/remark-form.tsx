import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../api/client.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate } from "../../api/queries.ts";
import { useDraft } from "../../components/draft.ts";
import { Button, Form } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import type { DiffLinePlace } from "../../components/word-diff.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

export interface RemarkAt extends DiffLinePlace {
  readonly path: string;
  readonly quote: string;
}

/** An icon of the proposed diagram. */
interface IconRemarkAt {
  readonly path: string;
  readonly side: "after";
  readonly icon: string;
  readonly diagram?: string;
  readonly quote: string;
}

const MAX_QUOTE = 1000;

/** A field for a remark on a line, or on the whole change. What was typed is kept until it is recorded. */
export function RemarkForm(props: {
  readonly proposal: string;
  readonly place: RemarkAt | IconRemarkAt | undefined;
  /** The agent reads it when the change is sent back. */
  readonly isRevisable: boolean;
  readonly onClose: () => void;
}) {
  const { proposal, place, isRevisable, onClose } = props;
  const t = useT();
  const client = useQueryClient();
  const { keyFor, reset } = useIdempotencyKey();
  const field = useRef<HTMLTextAreaElement>(null);
  const where = place && ("line" in place ? place.line : `${place.diagram ?? ""}#${place.icon}`);
  const [text, setText] = useDraft(`remark.${proposal}.${place?.path ?? ""}.${place?.side ?? ""}.${where ?? ""}`);
  useEffect(() => field.current?.focus(), []);
  const send = useMutation({
    mutationFn: () => {
      const body = {
        text: text.trim(),
        ...(place && { place: { ...place, quote: place.quote.slice(0, MAX_QUOTE).toWellFormed() } }),
      };
      return call("POST /proposals/:id/remarks", { params: { id: proposal }, body: { ...body, key: keyFor(body) } });
    },
    async onSuccess() {
      reset();
      setText(undefined);
      onClose();
      await invalidate(client, "/proposals");
    },
  });
  const isEmpty = text.trim() === "";
  return (
    <Form className="remark-form" onSubmit={() => !isEmpty && send.mutate()}>
      <textarea
        ref={field}
        className="field"
        rows={2}
        maxLength={4000}
        aria-label={!place ? t(words.change) : "line" in place ? t(words.line, place.line) : t(words.icon)}
        placeholder={t(words.ask)}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            if (!isEmpty) send.mutate();
          }
        }}
      />
      {send.error && <MutationError error={send.error} fate="repeat" />}
      <div className="row">
        <Button type="submit" tone="small primary" disabled={isEmpty || send.isPending}>
          {t(words.send)}
        </Button>
        <Button tone="small ghost" onClick={onClose}>
          {t(words.close)}
        </Button>
        <span className="meta">{t(isRevisable ? words.goesToAgent : words.decidesNothing)}</span>
      </div>
    </Form>
  );
}

const words = {
  line: { en: "Comment on line {}", uk: "Коментар до рядка {}" },
  icon: { en: "Comment on this icon", uk: "Коментар до цієї ікони" },
  change: { en: "Comment on the change", uk: "Коментар до зміни" },
  ask: { en: "Ask or suggest, without deciding", uk: "Запитайте або запропонуйте, нічого не вирішуючи" },
  send: { en: "Comment", uk: "Додати коментар" },
  close: { en: "Cancel", uk: "Скасувати" },
  goesToAgent: { en: "The agent reads it when you send back.", uk: "Агент прочитає, коли ви повернете зміну." },
  decidesNothing: { en: "Decides nothing.", uk: "Нічого не вирішує." },
} as const satisfies Record<string, Text>;
