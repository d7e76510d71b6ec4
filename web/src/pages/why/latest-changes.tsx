import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../../api/queries.ts";
import { AuthorFace } from "../../components/author-face.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { actorName } from "../../components/labels.ts";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { titleOf } from "../proposals/title.ts";

/** The latest changes that entered the garden, each with a link to its story. */
export function LatestChanges() {
  const t = useT();
  const read = useQuery(query("GET /proposals/history", { query: { status: "applied", limit: "8" } })).data;
  if (!read || read.proposals.length === 0) return null;
  return (
    <section aria-labelledby="latest-changes">
      <h2 id="latest-changes">{t(words.title)}</h2>
      <ul className="rows">
        {read.proposals.map((card) => (
          <li key={card.id}>
            <Link to="/why" search={{ subject: card.id }} className="list-row">
              <AuthorFace name={card.source.identity} isAgent={card.source.type === "agent"} size={FLOWER_PX.row} />
              <span className="cut">
                <span className="title said">{titleOf(card, t)}</span>
                <span className="meta cut story-of said">
                  {actorName(card.source.identity, t)} · {card.target}
                </span>
              </span>
              <span className="meta">
                <When at={card.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const words = {
  title: { en: "Latest changes", uk: "Останні зміни" },
} as const satisfies Record<string, Text>;
