import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { AuthorFace } from "../../components/author-face.tsx";
import { Button } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { Failed, Loading } from "../../components/query-result.tsx";
import { Segments } from "../../components/segments.tsx";
import { When } from "../../components/tags.tsx";
import { monthWithYear } from "../../i18n/day.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Status = "pending" | "processed" | "rejected";

/** Requests as they arrived in the inbox: who asked for what, and the proposal or the refusal that came of it. */
export function RequestList() {
  const t = useT();
  const { language } = usePreferences();
  const [status, setStatus] = useState<Status>("processed");
  const stats = useQuery(query("GET /inbox/stats", {})).data;
  const list = useInfiniteQuery({
    queryKey: ["GET /inbox/entries", status],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("GET /inbox/entries", {
        query: { status, limit: "50", ...(pageParam !== "" && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next }) => next,
  });
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <p className="audit-about">{t(words.about)}</p>
      <div className="audit-filters">
        <Segments<Status>
          label={t(words.show)}
          value={status}
          options={(["pending", "processed", "rejected"] as const).map((each) => ({
            value: each,
            name: stats ? t(words[each], stats[each]) : t(words[each], ""),
          }))}
          onChoose={setStatus}
        />
        {stats && <span className="meta">{t(words.month, monthWithYear(stats.month, language))}</span>}
      </div>
      {list.error && <Failed error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && entries.length === 0 && <p className="quiet">{t(words.none)}</p>}
      {entries.map((entry) => (
        <RequestRow key={entry.id} entry={entry} />
      ))}
      {list.hasNextPage && (
        <p>
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t(words.more)}
          </Button>
        </p>
      )}
    </>
  );
}

function RequestRow({ entry }: { readonly entry: AnswerOf<"GET /inbox/entries">["entries"][number] }) {
  const t = useT();
  const { source, intent, proposal_id, rejection } = entry;
  return (
    <div className="audit-row">
      <span className="meta">
        <When at={source.timestamp} />
      </span>
      <span className="audit-who">
        <AuthorFace name={source.identity} isAgent={source.type === "agent"} size={18} />
        <span className="cut said">{source.identity}</span>
      </span>
      <span>{t(actionLabels[intent.action] ?? { en: intent.action, uk: intent.action })}</span>
      <span className="break said">
        {proposal_id === undefined ? (
          (intent.summary ?? intent.target)
        ) : (
          <Link to="/proposals/$id" params={{ id: proposal_id }} title={t(words.proposal)}>
            {intent.summary ?? intent.target}
          </Link>
        )}{" "}
        {rejection && <span className="state bad">{t(rejection.text)}</span>}
      </span>
    </div>
  );
}

const words = {
  about: {
    en: "Every wish for a change, from people, agents, webhooks and guests. None is lost; a refused one says why.",
    uk: "Кожне бажання щось змінити: від людей, агентів, вебхуків і гостей. Жодне не губиться; відхилене каже чому.",
  },
  show: { en: "Show", uk: "Показати" },
  pending: { en: "Waiting {}", uk: "Чекають {}" },
  processed: { en: "Became proposals {}", uk: "Стали пропозиціями {}" },
  rejected: { en: "Refused {}", uk: "Відхилено {}" },
  month: { en: "in {}", uk: "{}" },
  none: { en: "No requests of this kind", uk: "Таких подань немає" },
  more: { en: "Show more", uk: "Показати ще" },
  proposal: { en: "Open the proposal", uk: "Відкрити пропозицію" },
} as const satisfies Record<string, Text>;
