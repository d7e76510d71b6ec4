import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { Failed, Loading } from "../../components/query-result.tsx";
import { useT } from "../../i18n/use-t.ts";
import { titleOf } from "../proposals/title.ts";
import type { ChangePlace, Neighbours } from "./neighbours.ts";
import { OpenChange } from "./open-change.tsx";
import { readAhead } from "./read-ahead.ts";

/** One proposal: its effect, computed from the operation itself, its context, and the decision on exactly that. */
export function ChangePane(props: {
  readonly id: string;
  /** Its row in the queue: the title is shown before the proposal was read. */
  readonly card: ProposalCard | undefined;
  readonly neighbours: Neighbours;
  readonly place: ChangePlace | undefined;
  /** Its title is the title of the page. */
  readonly isPage: boolean;
}) {
  const { id, card, neighbours, place, isPage } = props;
  const t = useT();
  const read = useQuery(query("GET /proposals/:id", { params: { id } }));
  useReadAhead(neighbours, read.data !== undefined);
  if (read.data)
    return (
      <OpenChange {...read.data} readAt={read.dataUpdatedAt} neighbours={neighbours} place={place} isPage={isPage} />
    );
  const Title = isPage ? "h1" : "h2";
  return (
    <article className="change">
      {card && (
        <header className="change-head">
          <Title>{titleOf(card, t)}</Title>
        </header>
      )}
      <div className="change-body">
        {read.error ? <Failed error={read.error} again={() => void read.refetch()} /> : <Loading />}
      </div>
    </article>
  );
}

/** Reads the neighbours ahead, so that the next change opens at once. */
function useReadAhead({ next, previous }: Neighbours, isReady: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isReady) return;
    for (const id of [next, previous]) if (id !== undefined) void readAhead(client, id);
  }, [client, next, previous, isReady]);
}
