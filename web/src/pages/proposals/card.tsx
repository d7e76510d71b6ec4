import { cardTitle } from "../../../../src/domain/proposal/card-title.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { actionLabels, actorName } from "../../components/labels.ts";
import { ProposalLink } from "../../components/links.tsx";
import { isRead } from "../../components/read-proposals.ts";
import { StateTag, When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Preview } from "./preview.tsx";

/** One proposal in a list: its title, the change in one line, and what it is. Unread ones have a heavier title. */
export function Card({ card }: { readonly card: ProposalCard }) {
  const t = useT();
  const isUnread = card.status === "pending" && !isRead(card);
  return (
    <>
      <div className="stack tight">
        <ProposalLink id={card.id} className={isUnread ? "title unread break" : "title break"}>
          {cardTitle(card)}
        </ProposalLink>
        <Preview card={card} />
        <span className="quiet small break">
          {t(actionLabels[card.action]!)} · <code>{card.target}</code> · {actorName(card.source.identity, t)} ·{" "}
          <When at={card.decided_at ?? card.created_at} />
        </span>
      </div>
      <span className="row">
        {card.priority === "high" && <span className="tag bad">{t(words.high)}</span>}
        {card.forked_from !== undefined && <span className="tag info">{t(words.fork)}</span>}
        {card.waiting && (
          <span className="tag wait" title={t(card.waiting)}>
            {t(words.git)}
          </span>
        )}
        {card.status !== "pending" && <StateTag kind="proposal" state={card.status} />}
      </span>
    </>
  );
}

const words = {
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  git: { en: "not applied yet: git is busy", uk: "ще не застосовано: git зайнятий" },
} as const satisfies Record<string, Text>;
