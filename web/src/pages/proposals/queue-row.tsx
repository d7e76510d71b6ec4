import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { proposalStateLabels } from "../../components/labels.ts";
import { age } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { readAhead } from "../proposal/read-ahead.ts";
import { KindIcon } from "./kind-icon.tsx";
import { Preview } from "./preview.tsx";
import { isDecidedTogether } from "./queue-rows.ts";
import { titleOf } from "./title.ts";
import { type SwipeSide, useSwipe } from "./use-swipe.ts";

/**
 * One proposal in the queue: the icon of its kind, its title, the change in one line, its age. Unread ones have a heavier title.
 * Memoized, and a plain link: ten thousand of these are scrolled through.
 */
export const QueueCard = memo(
  (props: {
    readonly card: ProposalCard;
    readonly isSelected: boolean;
    /** Set while an approval of this browser can be withdrawn: when it is applied. */
    readonly until: number | undefined;
    readonly isChosen: boolean;
    /** It can be chosen for a decision on several. */
    readonly isChoosable: boolean;
    readonly isRead: boolean;
    readonly onChoose: (id: string, isChosen: boolean) => void;
    /** A swipe of a finger asks for a verdict. */
    readonly onSwipe: (card: ProposalCard, side: SwipeSide) => void;
    readonly onOpen: (id: string) => void;
  }) => {
    const { card, isSelected, until, isChosen, isChoosable, onChoose, onSwipe, onOpen } = props;
    const row = useRef<HTMLDivElement>(null);
    const canSwipe = card.status === "pending" && isDecidedTogether(card);
    useSwipe(row, canSwipe ? (side) => onSwipe(card, side) : undefined);
    const t = useT();
    const { language } = usePreferences();
    const client = useQueryClient();
    const title = titleOf(card, t);
    const isPending = card.status === "pending" && until === undefined;
    const isUnread = isPending && !props.isRead;
    const prefetch = (): void => void readAhead(client, card.id);
    const at = card.decided_at ?? card.created_at;
    return (
      <div
        ref={row}
        data-right={t(words.approve)}
        data-left={t(words.reject)}
        className={`queue-card ${isSelected ? "selected" : ""} ${isUnread ? "unread" : ""} ${until === undefined ? "" : "decided"} ${isChosen ? "chosen" : ""}`}
      >
        {isPending && (
          <input
            type="checkbox"
            aria-label={t(words.choose, title)}
            checked={isChosen}
            disabled={!isChoosable}
            onChange={({ target }) => onChoose(card.id, target.checked)}
          />
        )}
        <a
          href={`/app/proposals/${card.id}${location.search}`}
          aria-current={isSelected ? "true" : undefined}
          onPointerEnter={prefetch}
          onFocus={prefetch}
          onClick={(event) => {
            if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onOpen(card.id);
          }}
        >
          <span className="kind">
            {until === undefined ? (
              <KindIcon action={card.action} />
            ) : (
              <CircleCheck size={17} strokeWidth={1.75} aria-hidden="true" />
            )}
          </span>
          <span className="title">{title}</span>
          <time dateTime={at}>{age(at, language)}</time>
          <span className="below">
            {until !== undefined ? (
              <Countdown until={until} />
            ) : isPending ? (
              isDecidedTogether(card) ? (
                <Preview card={card} />
              ) : (
                <LogicPreview card={card} />
              )
            ) : (
              <span className={`state ${card.status}`}>{t(proposalStateLabels[card.status]!)}</span>
            )}
          </span>
        </a>
      </div>
    );
  },
);

/** A change of logic in one line: its risk, and how many recorded runs were replayed. */
function LogicPreview({ card }: { readonly card: ProposalCard }) {
  const t = useT();
  const { data } = useQuery(query("GET /proposals/:id", { params: { id: card.id } }));
  const { riskLevel } = data?.report?.static ?? {};
  const runs = data?.report?.counterfactual?.totals.runs;
  const payload = data?.proposal.operation.payload as { readonly currentVersion?: string } | undefined;
  const parts = [
    payload?.currentVersion !== undefined && t(words.from, payload.currentVersion),
    runs !== undefined && t(words.replayed, runs),
  ].filter((part) => typeof part === "string");
  return (
    <span className="preview">
      {riskLevel && <span className={`risk-word ${riskLevel}`}>{t(risks[riskLevel])}</span>}
      {riskLevel && parts.length > 0 && " · "}
      {parts.join(", ")}
    </span>
  );
}

/** "Approved · commits in 7 s". */
export function Countdown({ until }: { readonly until: number }) {
  const t = useT();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return t(words.commits, Math.max(0, Math.round((until - now) / 1000)));
}

const risks = {
  low: { en: "Low risk", uk: "Низький ризик" },
  medium: { en: "Medium risk", uk: "Середній ризик" },
  high: { en: "High risk", uk: "Високий ризик" },
} as const satisfies Record<string, Text>;

const words = {
  approve: { en: "Approve…", uk: "Схвалити…" },
  reject: { en: "Reject…", uk: "Відхилити…" },
  choose: { en: "Select: {}", uk: "Вибрати: {}" },
  commits: { en: "Approved · commits in {} s", uk: "Схвалено · коміт за {} с" },
  from: { en: "changes {}", uk: "змінює {}" },
  replayed: { en: "{} [run|runs] replayed", uk: "{} [запуск|запуски|запусків] повторено" },
} as const satisfies Record<string, Text>;
