import { Link } from "@tanstack/react-router";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { actorName } from "../../components/labels.ts";
import { AgentLink, NotePageLink, ProposalLink, RunLink, WhyPageLink } from "../../components/links.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Target, proposer, time and related proposals. */
export function ProposalFacts({ proposal }: { readonly proposal: Whole }) {
  const t = useT();
  const { source, agent, target, created_at, expires_at, edits, reverts } = proposal;
  const isNote = target.endsWith(".md") && !/^(?:memory|logic|agents)\//.test(target);
  return (
    <dl className="facts">
      <FactRow name={t(words.target)}>
        {isNote ? (
          <NotePageLink path={target}>
            <code>{target}</code>
          </NotePageLink>
        ) : (
          <Target path={target} isApplied={proposal.status === "applied"} />
        )}
      </FactRow>
      <FactRow name={t(words.by)}>
        {agent ? (
          <AgentLink slug={agent.slug}>
            {agent.slug} {agent.logic ?? agent.version}
          </AgentLink>
        ) : (
          actorName(source.identity, t)
        )}
        {source.run_id !== undefined && (
          <>
            {" · "}
            <RunLink run={source.run_id}>{t(words.run)}</RunLink>
          </>
        )}
      </FactRow>
      <FactRow name={t(words.made)}>
        <When at={created_at} />
        {proposal.status === "pending" && (
          <>
            {" · "}
            {t(words.expires)} <When at={expires_at} />
          </>
        )}
        {" · "}
        <WhyPageLink subject={proposal.id}>{t(words.why)}</WhyPageLink>
      </FactRow>
      {[edits, reverts].map(
        (other, index) =>
          other !== undefined && (
            <FactRow key={other} name={t(index === 0 ? words.edits : words.reverts)}>
              <ProposalLink id={other}>
                <code>{other}</code>
              </ProposalLink>
            </FactRow>
          ),
      )}
    </dl>
  );
}

/** Links to the target: an applied file, or the page of the logic or memory. */
function Target({ path, isApplied }: { readonly path: string; readonly isApplied: boolean }) {
  const [, slug, file] = /^agents\/([^/]+)\/artifacts\/(.+)$/.exec(path) ?? [];
  const [, of, owner] = /^(logic|memory)\/([^/]+)$/.exec(path) ?? [];
  const shown = <code>{path}</code>;
  if (slug !== undefined && file !== undefined && isApplied)
    return (
      <AgentLink slug={slug} search={{ tab: "artifacts", file }}>
        {shown}
      </AgentLink>
    );
  if (of === "logic" && owner !== undefined)
    return (
      <Link to="/agents/$slug/logic" params={{ slug: owner }}>
        {shown}
      </Link>
    );
  if (of === "memory" && owner !== undefined)
    return (
      <AgentLink slug={owner} search={{ tab: "memory" }}>
        {shown}
      </AgentLink>
    );
  return shown;
}

export function Citations({ proposal: { content } }: { readonly proposal: Whole }) {
  const t = useT();
  const { citations } = content;
  if (citations.length === 0) return null;
  return (
    <section className="stack tight">
      <h2>{t(words.citations)}</h2>
      <ul className="stack tight">
        {citations.map(({ source, quote, line, step }) => (
          <li key={`${source} ${line ?? ""} ${step ?? ""} ${quote ?? ""}`}>
            <code>
              {source}
              {line !== undefined && `:${line}`}
            </code>
            {step !== undefined && (
              <span className="quiet">
                {" "}
                {t(words.step)} {step}
              </span>
            )}
            {quote !== undefined && <blockquote className="said">{quote}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const words = {
  citations: { en: "Sources", uk: "Джерела" },
  step: { en: "run step", uk: "крок запуску" },
  target: { en: "Target", uk: "Про що" },
  by: { en: "From", uk: "Від" },
  run: { en: "run", uk: "запуск" },
  made: { en: "Created", uk: "Створено" },
  expires: { en: "expires", uk: "спливає" },
  why: { en: "why?", uk: "чому?" },
  edits: { en: "Edited version of", uk: "Змінена версія" },
  reverts: { en: "Reverts", uk: "Скасовує" },
} as const satisfies Record<string, Text>;
