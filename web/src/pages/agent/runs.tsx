import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { Button } from "../../components/form.tsx";
import { Empty, Failed, Loading } from "../../components/query-result.tsx";
import { RunTable } from "../../components/run-table.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The runs of one agent, newest first. */
export function AgentRuns({ slug }: { readonly slug: string }) {
  const t = useT();
  const list = useInfiniteQuery({
    queryKey: ["GET /runs", "agent", slug],
    queryFn: ({ pageParam, signal }) =>
      call("GET /runs", { query: { agent: slug, limit: "50", ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  if (list.error && !list.data) return <Failed error={list.error} again={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const runs = list.data.pages.flatMap((page) => page.runs);
  if (runs.length === 0) return <Empty>{t(words.none)}</Empty>;
  return (
    <div className="stack">
      <RunTable runs={runs} />
      {list.hasNextPage && (
        <p>
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t(words.more)}
          </Button>
        </p>
      )}
    </div>
  );
}

const words = {
  none: { en: "No runs yet", uk: "Він ще не запускався." },
  more: { en: "Earlier runs", uk: "Раніші запуски" },
} as const satisfies Record<string, Text>;
