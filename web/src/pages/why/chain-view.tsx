import type { AnswerOf } from "../../api/client.ts";
import { AgentLink, ProposalLink, RunLink, WhyPageLink } from "../../components/links.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";

type Chain = AnswerOf<"GET /audit/why">;
type ChainLink = Chain["links"][number];

/** P-11: causes and effects of a run, an icon or an object, which have no single story. Every link leads to its own. */
export function ChainView({ chain: { links, missing } }: { readonly chain: Chain }) {
  const t = useT();
  const part = (direction: ChainLink["direction"]) => links.filter((link) => link.direction === direction);
  return (
    <div className="chain stack">
      <Part title={t(words.subject)} links={part("subject")} />
      <Part title={t(words.because)} links={part("because")} />
      <Part title={t(words.ledTo)} links={part("led-to")} />
      {missing.length > 0 && (
        <section className="stack tight" aria-label={t(words.missing)}>
          <h2>{t(words.missing)}</h2>
          <ul className="stack tight">
            {missing.map(({ link, id, why }) => (
              <li key={`${link} ${id}`} className="card">
                <span className="state bad">{t(kinds[link] ?? { en: link, uk: link })}</span> <code>{id}</code> {t(why)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Part({ title, links }: { readonly title: string; readonly links: readonly ChainLink[] }) {
  if (links.length === 0) return null;
  return (
    <section className="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <ol className="links">
        {links.map((link) => (
          <li key={`${link.kind} ${link.id} ${link.where} ${link.depth}`} className={`link ${link.kind}`}>
            <ChainLinkView link={link} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function ChainLinkView({ link }: { readonly link: ChainLink }) {
  const t = useT();
  return (
    <>
      <p className="row">
        <span className="state info">{t(kinds[link.kind] ?? { en: link.kind, uk: link.kind })}</span>
        <ChainLinkTarget link={link} />
        {link.at !== undefined && (
          <span className="quiet small">
            {link.by} · <When at={link.at} />
          </span>
        )}
      </p>
      <p className="break">{withoutName(link, t)}</p>
      {link.remarks.map((remark) => (
        <p key={remark.en} className="quiet small">
          {t(remark)}
        </p>
      ))}
      {link.problems.map((problem) => (
        <p key={problem.en} className="problem" role="alert">
          {t(problem)}
        </p>
      ))}
    </>
  );
}

/** The description of a link without its kind and id, which are shown above it. */
function withoutName({ kind, id, what }: ChainLink, t: Translate): string {
  const text = t(what);
  const word = t(kinds[kind] ?? { en: kind, uk: kind });
  for (const name of [id, id.slice(0, 10)]) {
    const head = `${word} ${name}`;
    if (text.startsWith(`${head} `) || text.startsWith(`${head}:`))
      return text.slice(head.length).replace(/^:?\s+/, "");
  }
  return text;
}

/** Links to the page of the link's subject, or to its own chain. */
function ChainLinkTarget({ link: { kind, id } }: { readonly link: ChainLink }) {
  const text = <code className="break">{/^[0-9a-f]{40}$/.test(id) ? id.slice(0, 10) : id}</code>;
  if (id.startsWith("prop_")) return <ProposalLink id={id}>{text}</ProposalLink>;
  if (kind === "run") return <RunLink run={id}>{text}</RunLink>;
  if (kind === "contract")
    return (
      <AgentLink slug={id} search={{ tab: "contract" }}>
        {text}
      </AgentLink>
    );
  if (kind === "commit" || kind === "path" || kind === "line") return <WhyPageLink subject={id}>{text}</WhyPageLink>;
  return text;
}

const kinds: Readonly<Record<string, Text>> = {
  commit: { en: "commit", uk: "коміт" },
  object: { en: "object", uk: "об’єкт" },
  proposal: { en: "proposal", uk: "пропозиція" },
  decision: { en: "decision", uk: "рішення" },
  run: { en: "run", uk: "запуск" },
  step: { en: "step", uk: "крок" },
  icon: { en: "icon", uk: "ікона" },
  trace: { en: "trace", uk: "слід" },
  logic: { en: "logic", uk: "логіка" },
  contract: { en: "contract", uk: "контракт" },
  trigger: { en: "trigger", uk: "що запустило" },
  entry: { en: "inbox entry", uk: "запис скриньки" },
  line: { en: "line", uk: "рядок" },
  path: { en: "path", uk: "шлях" },
  person: { en: "person", uk: "людина" },
  bookkeeping: { en: "bookkeeping", uk: "облік" },
};

const words = {
  subject: { en: "Subject", uk: "Про що запитано" },
  because: { en: "Because", uk: "Тому що" },
  ledTo: { en: "Led to", uk: "Що з цього вийшло" },
  missing: { en: "Missing links", uk: "Бракує ланок" },
} as const satisfies Record<string, Text>;
