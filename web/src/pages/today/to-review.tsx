import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProposalCard, ProposalGroup } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { AuthorFace } from "../../components/author-face.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { actorName } from "../../components/labels.ts";
import { ProposalLink } from "../../components/links.tsx";
import { span } from "../../i18n/day.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";

/** Groups that are shown; the rest is in Review. */
const SHOWN = 6;

/** Pending changes by sender and run, each group as one line. */
export function ToReview() {
  const t = useT();
  const read = useQuery(query("GET /proposals/groups", { query: {} })).data;
  if (!read || read.groups.length === 0) return null;
  const { groups, whole } = read;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <section aria-labelledby="to-review">
      <div className="section-head">
        <h2 id="to-review">{t(words.title)}</h2>
        <Link to="/proposals">{t(words.all, whole ? String(count) : `${count}+`)}</Link>
      </div>
      <ul className="rows">
        {groups.slice(0, SHOWN).map((group) => (
          <Row key={`${group.identity} ${group.run_id ?? ""}`} group={group} />
        ))}
      </ul>
    </section>
  );
}

function Row({ group: { identity, type, count, proposals } }: { readonly group: ProposalGroup }) {
  const t = useT();
  const { language } = usePreferences();
  const first = proposals[0]!;
  const newest = proposals.reduce((last, { created_at }) => (created_at > last ? created_at : last), first.created_at);
  const by = actorName(identity, t);
  return (
    <li>
      <ProposalLink id={first.id} className="list-row">
        <AuthorFace name={type === "agent" ? identity : by} isAgent={type === "agent"} size={FLOWER_PX.row} />
        <span className="cut">
          <span className="title">
            {count === 1 ? first.summary : identity === "owner" ? t(words.yours, count) : t(words.changes, count, by)}
          </span>
          <span className="meta cut second">
            {count === 1 ? `${by} · ${first.target}` : kindsOf(proposals, count, t)}
          </span>
        </span>
        <time className="meta" dateTime={newest} title={dateTime(newest, language)}>
          {span(Date.now() - Date.parse(newest), language)}
        </time>
      </ProposalLink>
    </li>
  );
}

/** "2 edits, 1 comment"; of a group that was not read in full, the first titles. */
function kindsOf(proposals: readonly ProposalCard[], count: number, t: Translate): string {
  if (proposals.length < count) return proposals.map(({ summary }) => summary).join(" · ");
  const kinds = Map.groupBy(proposals, ({ action }) => action);
  return [...kinds].map(([action, some]) => t(kindWords[action], some.length)).join(", ");
}

const kindWords = {
  "propose-note": { en: "{} new [note|notes]", uk: "{} [нова нотатка|нові нотатки|нових нотаток]" },
  "propose-edit": { en: "{} [edit|edits]", uk: "{} [правка|правки|правок]" },
  "propose-tag": { en: "{} [set|sets] of tags", uk: "{} [набір|набори|наборів] тегів" },
  "propose-comment": { en: "{} [comment|comments]", uk: "{} [коментар|коментарі|коментарів]" },
  "propose-summary": { en: "{} [summary|summaries]", uk: "{} [підсумок|підсумки|підсумків]" },
  "propose-artifact": { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  "memory-update": { en: "{} memory [update|updates]", uk: "{} [оновлення|оновлення|оновлень] пам’яті" },
  "logic-update": { en: "{} [change|changes] of logic", uk: "{} [зміна|зміни|змін] логіки" },
  "logic-rollback": { en: "{} logic [rollback|rollbacks]", uk: "{} [повернення|повернення|повернень] логіки" },
  "propose-merge": { en: "{} session [merge|merges]", uk: "{} [злиття|злиття|злиттів] сесії" },
} as const satisfies Record<ProposalCard["action"], Text>;

const words = {
  title: { en: "To review", uk: "До перегляду" },
  all: { en: "All {}", uk: "Усі {}" },
  yours: { en: "Your {} [change|changes]", uk: "{} [ваша зміна|ваші зміни|ваших змін]" },
  changes: { en: "{} [change|changes] by {}", uk: "{} [зміна|зміни|змін] від {}" },
} as const satisfies Record<string, Text>;
