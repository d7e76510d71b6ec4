import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../components/form.tsx";
import { CommitLink, ProposalLink, RunLink } from "../../components/links.tsx";
import { Failed, Loading } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The author of each line. A block links to its proposal and run, a line number to its chain of causes. */
export function Blame({ path, text }: { readonly path: string; readonly text: string }) {
  const t = useT();
  const lines = useMemo(() => text.split(/\r?\n/), [text]);
  const found = useInfiniteQuery({
    queryKey: ["GET /lines/:path", "parts", path],
    queryFn: ({ pageParam, signal }) =>
      call("GET /lines/:path", { params: { path }, query: { first: String(pageParam), limit: "500" }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
  });
  if (found.error && !found.data) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const parts = found.data.pages.flatMap((page) => page.parts);
  return (
    <div className="stack">
      <table className="blame">
        <caption className="hidden-visually">{t(words.caption)}</caption>
        <tbody>
          {parts.map(({ first, last, commit, at, author, subject, proposal, run }) => (
            <tr key={first}>
              <th scope="row" className="of">
                <span className="break">{subject}</span>
                <span className="row quiet">
                  <span>{author}</span>
                  <When at={at} />
                </span>
                <span className="row">
                  {proposal !== undefined && <ProposalLink id={proposal}>{t(words.proposal)}</ProposalLink>}
                  {run !== undefined && <RunLink run={run}>{t(words.run)}</RunLink>}
                  <CommitLink commit={commit} />
                </span>
              </th>
              <td>
                <ol>
                  {lines.slice(first - 1, last).map((line, index) => (
                    // oxlint-disable-next-line no-array-index-key -- lines keep their order
                    <li key={first + index}>
                      <Link
                        to="/why"
                        search={{ subject: `${path}:${first + index}` }}
                        aria-label={t(words.why, first + index)}
                      >
                        {first + index}
                      </Link>
                      <span>{line}</span>
                    </li>
                  ))}
                </ol>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.hasNextPage && (
        <p>
          <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t(words.more)}
          </Button>
        </p>
      )}
    </div>
  );
}

const words = {
  caption: { en: "Who wrote which lines", uk: "Хто написав які рядки" },
  proposal: { en: "proposal", uk: "пропозиція" },
  run: { en: "run", uk: "запуск" },
  why: { en: "Why line {}?", uk: "Чому рядок {} саме такий?" },
  more: { en: "More lines", uk: "Ще рядки" },
} as const satisfies Record<string, Text>;
