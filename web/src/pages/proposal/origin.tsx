import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { actorName } from "../../components/labels.ts";
import { AgentLink, NotePageLink, ProposalLink, RunLink, WhyPageLink } from "../../components/links.tsx";
import { dateTime, money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** The run, step, logic version, model and cost that a change came from, and related proposals. */
export function ProposalOrigin({ proposal }: { readonly proposal: Whole }) {
  const t = useT();
  const { source, agent, target, edits, reverts, revises } = proposal;
  const isNote = target.endsWith(".md") && !/^(?:memory|logic|agents)\//.test(target);
  return (
    <>
      <dl className="origin">
        <FactRow name={t(words.target)}>
          {isNote ? (
            <NotePageLink path={target}>{target}</NotePageLink>
          ) : (
            <Target path={target} isApplied={proposal.status === "applied"} />
          )}
        </FactRow>
        <FactRow name={t(words.by)}>
          {agent ? <AgentLink slug={agent.slug}>{agent.slug}</AgentLink> : actorName(source.identity, t)}
        </FactRow>
        {source.run_id !== undefined && <RunFacts run={source.run_id} proposal={proposal.id} />}
        {agent && (
          <FactRow name={t(words.logic)}>
            <Link to="/agents/$slug/logic" params={{ slug: agent.slug }}>
              {agent.logic ?? agent.version}
            </Link>
          </FactRow>
        )}
        {(
          [
            [edits, words.edits],
            [reverts, words.reverts],
            [revises, words.revises],
          ] as const
        ).map(
          ([other, name]) =>
            other !== undefined && (
              <FactRow key={other} name={t(name)}>
                <ProposalLink id={other}>{t(words.proposal)}</ProposalLink>
              </FactRow>
            ),
        )}
      </dl>
      <WhyPageLink subject={proposal.id} className="why-link">
        {t(words.why)} <kbd aria-hidden="true">w</kbd>
      </WhyPageLink>
    </>
  );
}

function RunFacts({ run, proposal }: { readonly run: string; readonly proposal: string }) {
  const t = useT();
  const { language } = usePreferences();
  const { data } = useQuery({ ...query("GET /runs/:run", { params: { run } }), retry: false });
  const at = data?.steps.find(({ proposals }) => proposals.includes(proposal));
  const model = (data?.manifest as { readonly model?: unknown } | null | undefined)?.model;
  return (
    <>
      <FactRow name={t(words.run)}>
        <RunLink run={run}>
          {data ? dateTime(data.run.started_at ?? data.run.requested_at, language) : t(words.open)}
        </RunLink>
      </FactRow>
      {at && data && (
        <FactRow name={t(words.step)}>
          {t(words.stepOf, at.position, data.steps.length)} <code>{at.name}</code>
        </FactRow>
      )}
      {typeof model === "string" && <FactRow name={t(words.model)}>{model}</FactRow>}
      {data?.cost && <FactRow name={t(words.cost)}>{money(data.cost.amount, data.cost.currency, language)}</FactRow>}
    </>
  );
}

/** Links to the target: an applied file, or the page of the logic or memory. */
function Target({ path, isApplied }: { readonly path: string; readonly isApplied: boolean }) {
  const [, slug, file] = /^agents\/([^/]+)\/artifacts\/(.+)$/.exec(path) ?? [];
  const [, of, owner] = /^(logic|memory)\/([^/]+)$/.exec(path) ?? [];
  if (slug !== undefined && file !== undefined && isApplied)
    return (
      <AgentLink slug={slug} search={{ tab: "artifacts", file }}>
        {file}
      </AgentLink>
    );
  if (of === "logic" && owner !== undefined)
    return (
      <Link to="/agents/$slug/logic" params={{ slug: owner }}>
        {path}
      </Link>
    );
  if (of === "memory" && owner !== undefined)
    return (
      <AgentLink slug={owner} search={{ tab: "memory" }}>
        {path}
      </AgentLink>
    );
  return <span className="break">{path}</span>;
}

const words = {
  target: { en: "Target", uk: "Ціль" },
  by: { en: "From", uk: "Від" },
  run: { en: "Run", uk: "Запуск" },
  open: { en: "open", uk: "відкрити" },
  step: { en: "Step", uk: "Крок" },
  stepOf: { en: "{} of {},", uk: "{} з {}," },
  logic: { en: "Logic", uk: "Логіка" },
  model: { en: "Model", uk: "Модель" },
  cost: { en: "Cost", uk: "Вартість" },
  edits: { en: "Edits", uk: "Редакція" },
  revises: { en: "Revises", uk: "Доопрацьовує" },
  reverts: { en: "Reverts", uk: "Скасовує" },
  proposal: { en: "an earlier proposal", uk: "ранішої пропозиції" },
  why: { en: "Whole chain of causes", uk: "Увесь ланцюг причин" },
} as const satisfies Record<string, Text>;
