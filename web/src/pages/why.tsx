import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { AnswerOf } from "../api/client.ts";
import { reading } from "../api/queries.ts";
import { Shown } from "../parts/state.tsx";
import { When } from "../parts/tags.tsx";
import { type Text, useSay } from "../words/say.ts";
import "../style/why.css";

type Chain = AnswerOf<"GET /audit/why">;
type ChainLink = Chain["links"][number];

/** P-11: the chain behind anything, as a picture: what it came of, and what came of it. Every link can be asked about in turn. */
export function Why() {
  const say = useSay();
  const navigate = useNavigate();
  const { subject } = useSearch({ strict: false }) as { subject?: string };
  const [asked, setAsked] = useState(subject ?? "");
  useEffect(() => setAsked(subject ?? ""), [subject]);
  return (
    <div className="stack">
      <h1>{say(words.title)}</h1>
      <form
        className="row ask"
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: "/why", search: { subject: asked.trim() } });
        }}
      >
        <label className="labelled">
          <span>{say(words.about)}</span>
          <input className="field" value={asked} onChange={({ target }) => setAsked(target.value)} />
        </label>
        <button type="submit" className="button primary" disabled={asked.trim() === ""}>
          {say(words.ask)}
        </button>
      </form>
      {subject === undefined || subject === "" ? (
        <p className="quiet">{say(words.how)}</p>
      ) : (
        <Answer key={subject} subject={subject} />
      )}
    </div>
  );
}

function Answer({ subject }: { readonly subject: string }) {
  const chain = useQuery(reading("GET /audit/why", { query: { subject } }));
  return <Shown of={chain}>{(found) => <Drawn chain={found} />}</Shown>;
}

function Drawn({ chain: { links, missing } }: { readonly chain: Chain }) {
  const say = useSay();
  const part = (direction: ChainLink["direction"]) => links.filter((link) => link.direction === direction);
  return (
    <div className="chain">
      <Part title={say(words.subject)} links={part("subject")} />
      <Part title={say(words.because)} links={part("because")} />
      <Part title={say(words.ledTo)} links={part("led-to")} />
      {missing.length > 0 && (
        <section className="stack tight" aria-label={say(words.missing)}>
          <h2>{say(words.missing)}</h2>
          <ul className="stack tight">
            {missing.map(({ link, id, why }) => (
              <li key={`${link} ${id}`} className="card">
                <span className="tag bad">{say(kinds[link] ?? { en: link, uk: link })}</span> <code>{id}</code>{" "}
                {say(why)}
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
            <One link={link} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function One({ link }: { readonly link: ChainLink }) {
  const say = useSay();
  return (
    <>
      <p className="row">
        <span className="tag info">{say(kinds[link.kind] ?? { en: link.kind, uk: link.kind })}</span>
        <Open link={link} />
        {link.at !== undefined && (
          <span className="quiet small">
            {link.by} · <When at={link.at} />
          </span>
        )}
      </p>
      <p className="break">{withoutName(link, say)}</p>
      {link.remarks.map((remark) => (
        <p key={remark.en} className="quiet small">
          {say(remark)}
        </p>
      ))}
      {link.problems.map((problem) => (
        <p key={problem.en} className="problem" role="alert">
          {say(problem)}
        </p>
      ))}
    </>
  );
}

/** What a link is, without its kind and name: they stand above it already. */
function withoutName({ kind, id, what }: ChainLink, say: ReturnType<typeof useSay>): string {
  const told = say(what);
  const word = say(kinds[kind] ?? { en: kind, uk: kind });
  for (const name of [id, id.slice(0, 10)]) {
    const head = `${word} ${name}`;
    if (told.startsWith(`${head} `) || told.startsWith(`${head}:`))
      return told.slice(head.length).replace(/^:?\s+/, "");
  }
  return told;
}

/** To the page of what a link names, where it has one; else the same question about it. */
function Open({ link: { kind, id } }: { readonly link: ChainLink }) {
  const text = <code className="break">{/^[0-9a-f]{40}$/.test(id) ? id.slice(0, 10) : id}</code>;
  if (id.startsWith("prop_"))
    return (
      <Link to="/proposals/$id" params={{ id }}>
        {text}
      </Link>
    );
  if (kind === "run")
    return (
      <Link to="/runs/$run" params={{ run: id }}>
        {text}
      </Link>
    );
  if (kind === "contract")
    return (
      <Link to="/agents/$slug" params={{ slug: id }} search={{ tab: "contract" }}>
        {text}
      </Link>
    );
  if (kind === "commit" || kind === "path" || kind === "line")
    return (
      <Link to="/why" search={{ subject: id }}>
        {text}
      </Link>
    );
  return text;
}

const kinds: Readonly<Record<string, Text>> = {
  commit: { en: "commit", uk: "коміт" },
  object: { en: "object", uk: "об'єкт" },
  proposal: { en: "proposal", uk: "пропозиція" },
  decision: { en: "decision", uk: "рішення" },
  run: { en: "run", uk: "запуск" },
  step: { en: "step", uk: "крок" },
  icon: { en: "icon", uk: "ікона" },
  logic: { en: "logic", uk: "логіка" },
  contract: { en: "contract", uk: "контракт" },
  trigger: { en: "trigger", uk: "поштовх" },
  entry: { en: "inbox entry", uk: "запис скриньки" },
  line: { en: "line", uk: "рядок" },
  path: { en: "path", uk: "шлях" },
  person: { en: "person", uk: "людина" },
  bookkeeping: { en: "bookkeeping", uk: "облік" },
};

const words = {
  title: { en: "Why is it so?", uk: "Чому це так?" },
  about: {
    en: "A commit, a note or its line (notes/mint.md:3), a proposal, a run",
    uk: "Коміт, нотатка чи її рядок (notes/mint.md:3), пропозиція, запуск",
  },
  ask: { en: "Ask", uk: "Запитати" },
  how: {
    en: "Everything in the garden has a reason that can be followed: line, commit, proposal, decision, run, step, icon.",
    uk: "Усе в саду має причину, яку можна простежити: рядок, коміт, пропозиція, рішення, запуск, крок, ікона.",
  },
  subject: { en: "What was asked about", uk: "Про що запитано" },
  because: { en: "Because", uk: "Тому що" },
  ledTo: { en: "What came of it", uk: "Що з цього вийшло" },
  missing: { en: "Missing links", uk: "Бракує ланок" },
} as const satisfies Record<string, Text>;
