import { CircleAlert, OctagonX, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { AgentLink, ProposalLink, RunLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RequestForm } from "../run/request-form.tsx";
import { useNeedsOfToday } from "./use-today.ts";

/** Questions with their forms first, because a run is held by each; then what has stopped or failed. Nothing if there is nothing. */
export function NeedsYou() {
  const t = useT();
  const { needs, error, again, readAt } = useNeedsOfToday();
  if (error) return <Failed error={error} again={again} />;
  if (!needs) return null;
  const { requests, troubles, failed, unapplied } = needs;
  if (requests.length + troubles.length + failed.length + unapplied.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{t(words.title)}</h2>
      <div className="stack needs">
        {requests.map((request, index) => (
          <div key={request.id} className="card raised question">
            <AgentFlower slug={request.agent_slug} />
            <RequestForm request={request} answer={undefined} readAt={readAt} hasKeys={index === 0} isElsewhere />
          </div>
        ))}
        {troubles.map(({ slug, why, since }) => (
          <Trouble
            key={slug}
            icon={<Unplug size={18} aria-hidden="true" />}
            title={<AgentLink slug={slug}>{t(words.stopped, slug)}</AgentLink>}
            at={since}
            action={
              <AgentLink slug={slug} className="button small" search={{ tab: "contract" }}>
                {t(words.openContract)}
              </AgentLink>
            }
          >
            {t(why).split("\n", 1)[0]}
          </Trouble>
        ))}
        {failed.map(({ run_id, agent_slug, outcome, finished_at, requested_at }) => (
          <Trouble
            key={run_id}
            icon={<OctagonX size={18} aria-hidden="true" />}
            title={<RunLink run={run_id}>{t(words.failed, agent_slug)}</RunLink>}
            at={finished_at ?? requested_at}
            action={
              <RunLink run={run_id} className="button small">
                {t(words.openRun)}
              </RunLink>
            }
          >
            {outcome?.reason}
          </Trouble>
        ))}
        {unapplied.map(({ id, summary, decided_at, created_at }) => (
          <Trouble
            key={id}
            icon={<CircleAlert size={18} aria-hidden="true" />}
            title={<ProposalLink id={id}>{t(words.unapplied)}</ProposalLink>}
            at={decided_at ?? created_at}
            action={
              <ProposalLink id={id} className="button small">
                {t(words.openChange)}
              </ProposalLink>
            }
          >
            {summary}
          </Trouble>
        ))}
      </div>
    </section>
  );
}

function Trouble(props: {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly at: string | undefined;
  readonly action: ReactNode;
  readonly children: ReactNode;
}) {
  const { icon, title, at, action, children } = props;
  return (
    <div className="card trouble">
      <span className="trouble-icon">{icon}</span>
      <div>
        <p className="title">{title}</p>
        <p className="small quiet break">{children}</p>
        <p className="row">{action}</p>
      </div>
      {at !== undefined && (
        <span className="meta">
          <When at={at} />
        </span>
      )}
    </div>
  );
}

const words = {
  title: { en: "Needs you", uk: "Потрібні ви" },
  stopped: { en: "{} has stopped", uk: "{} зупинено" },
  failed: { en: "The last run of {} failed", uk: "Останній запуск {} був невдалим" },
  unapplied: { en: "An approved change could not be applied", uk: "Схвалену зміну не вдалося застосувати" },
  openContract: { en: "Open its contract", uk: "Відкрити контракт" },
  openRun: { en: "Open the run", uk: "Відкрити запуск" },
  openChange: { en: "Open the change", uk: "Відкрити зміну" },
} as const satisfies Record<string, Text>;
