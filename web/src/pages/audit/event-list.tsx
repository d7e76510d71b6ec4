import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Form, TextField } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError } from "../settings/section.tsx";

/** Events from outside, and a form that publishes one: agents that subscribe to it start a run. */
export function EventList() {
  const t = useT();
  const events = useQuery(query("GET /events/recent", { query: { limit: "100" } }));
  return (
    <>
      <p className="audit-about">{t(words.about)}</p>
      <PublishForm />
      <QueryResult of={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <p className="quiet">{t(words.none)}</p>
          ) : (
            list.map(({ id, name, at, pending }) => (
              <div key={id} className="audit-row">
                <span className="meta">
                  <When at={at} />
                </span>
                <code>{name}</code>
                <code className="break">{id}</code>
                <span className={`state ${pending ? "info" : "good"}`}>{t(pending ? words.pending : words.done)}</span>
              </div>
            ))
          )
        }
      </QueryResult>
    </>
  );
}

function PublishForm() {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [subject, setSubject] = useState("");
  const publish = useMutation({
    mutationFn: () =>
      call("POST /events", {
        body: { name: name.trim(), ...(subject.trim() !== "" && { subject: subject.trim() }) },
      }),
    onSuccess: ({ event }) => {
      toast(t(words.published, event.name));
      setSubject("");
    },
    onSettled: () => invalidate(client, "/events", "/runs"),
  });
  return (
    <>
      <Form className="audit-filters" onSubmit={() => publish.mutate()}>
        <TextField label={t(words.name)} value={name} onText={setName} placeholder="mail/received" />
        <TextField label={t(words.subject)} value={subject} onText={setSubject} />
        <button type="submit" className="button" disabled={name.trim() === "" || publish.isPending}>
          {t(words.publish)}
        </button>
      </Form>
      {publish.error && <RowError error={publish.error} />}
    </>
  );
}

const words = {
  about: {
    en: "Events from other programs. An agent that waits for one starts a run.",
    uk: "Події від інших програм. Агент, що чекає на подію, починає запуск.",
  },
  name: { en: "Event", uk: "Подія" },
  subject: { en: "About (optional)", uk: "Про що (необов’язково)" },
  publish: { en: "Publish", uk: "Опублікувати" },
  published: { en: "Published {}", uk: "Опубліковано {}" },
  none: { en: "No events yet", uk: "Подій ще не було" },
  pending: { en: "being delivered", uk: "доставляється" },
  done: { en: "delivered", uk: "доставлено" },
} as const satisfies Record<string, Text>;
