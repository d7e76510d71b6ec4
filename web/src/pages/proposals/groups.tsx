import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ProposalGroup } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { actorName } from "../../components/labels.ts";
import { RunLink } from "../../components/links.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { BatchDialog } from "./batch-decision.tsx";
import { Card } from "./card.tsx";
import type { Filter } from "./filters.tsx";
import { isForMany, MOST } from "./for-many.ts";

type Pending = { readonly action?: "propose-note" };

/** Pending proposals by sender and run: each group with its size and its first proposals. */
export function Groups({ filter }: { readonly filter: Filter }) {
  const t = useT();
  const groups = useQuery(query("GET /proposals/groups", { query: filter as Filter & Pending }));
  return (
    <QueryResult of={groups}>
      {({ groups: found }) =>
        found.length === 0 ? (
          <Empty>{t(words.none)}</Empty>
        ) : (
          <div className="stack">
            {found.map((group) => (
              <Group key={`${group.identity} ${group.run_id ?? ""}`} group={group} filter={filter} />
            ))}
          </div>
        )
      }
    </QueryResult>
  );
}

function Group({ group, filter }: { readonly group: ProposalGroup; readonly filter: Filter }) {
  const t = useT();
  const { identity, type, run_id: run, count, proposals } = group;
  const [isDeciding, setIsDeciding] = useState(false);
  const more = count - proposals.length;
  const own: Filter = { ...filter, ...(type === "agent" && { agent: identity }), ...(run !== undefined && { run }) };
  const title = t(words.title, actorName(identity, t), count);
  return (
    <section className="group" aria-label={title}>
      <header className="row between">
        <h2>
          {title}
          {run !== undefined && (
            <RunLink run={run} className="quiet small">
              <When at={proposals[0]!.created_at} />
            </RunLink>
          )}
        </h2>
        {run !== undefined && proposals.some(isForMany) && (
          <Button tone="small" onClick={() => setIsDeciding(true)}>
            {t(words.decide)}
          </Button>
        )}
      </header>
      <ul>
        {proposals.map((card) => (
          <li key={card.id}>
            <Card card={card} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Link to="/proposals" search={{ ...own, group: "none" }} className="more">
          {t(words.more, more)}
        </Link>
      )}
      {isDeciding && <GroupDialog filter={own} onClose={() => setIsDeciding(false)} />}
    </section>
  );
}

/** Approves a group, after each of its changes was read. Changes of logic are decided one by one. */
function GroupDialog({ filter, onClose }: { readonly filter: Filter; readonly onClose: () => void }) {
  const page = useQuery(
    query("GET /proposals/pending", { query: { ...(filter as Filter & Pending), limit: String(MOST) } }),
  );
  if (!page.data) return null;
  return (
    <BatchDialog
      cards={page.data.proposals.filter(isForMany)}
      readAt={page.dataUpdatedAt}
      verdict="approve"
      onDone={(left) => left.length === 0 && onClose()}
      onClose={onClose}
    />
  );
}

const words = {
  none: { en: "No proposals waiting", uk: "Жодна пропозиція не чекає" },
  title: { en: "{}: {} [proposal|proposals]", uk: "{}: {} [пропозиція|пропозиції|пропозицій]" },
  decide: { en: "Approve group…", uk: "Схвалити групу…" },
  more: { en: "{} more like [this|these]", uk: "ще {} [така|такі|таких]" },
} as const satisfies Record<string, Text>;
