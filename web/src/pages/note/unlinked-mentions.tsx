import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { linkMention } from "../../../../src/domain/note/note-mentions.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink, ProposalLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { MarkedLine } from "./marked-line.tsx";

type Mention = AnswerOf<"GET /mentions/:path">["mentions"][number];

/** Notes that name this one without a link. A button proposes the link. */
export function UnlinkedMentions({ path }: { readonly path: string }) {
  const t = useT();
  const found = useQuery({ ...query("GET /mentions/:path", { params: { path } }), refetchInterval: untilIndexed });
  const { mentions = [], more = false } = found.data ?? {};
  if (mentions.length === 0) return null;
  return (
    <section aria-labelledby="mentions">
      <h2 id="mentions">
        {t(words.mentions)}
        <span className="count">{`${mentions.length}${more ? "+" : ""}`}</span>
      </h2>
      <ul className="places">
        {mentions.map((mention) => (
          <MentionRow key={`${mention.path} ${mention.line} ${mention.column}`} of={path} mention={mention} />
        ))}
      </ul>
    </section>
  );
}

function MentionRow({ of, mention }: { readonly of: string; readonly mention: Mention }) {
  const t = useT();
  const client = useQueryClient();
  const [sent, setSent] = useState<string>();
  const name = of.slice(of.lastIndexOf("/") + 1).replace(/\.md$/i, "");
  const propose = useMutation({
    mutationFn: async () => {
      const { path } = mention;
      const { text = "", commit } = await call("GET /notes/:path", { params: { path } });
      const linked = linkMention(text, mention, name);
      if (linked === undefined) throw new Error(t(words.moved));
      return call("POST /inbox/submit", {
        body: {
          intent: {
            action: "propose-edit",
            payload: { path, text: linked, base: commit },
            summary: t(words.summary, mention.title, name),
          },
        },
      });
    },
    onSuccess: ({ proposal_id }) => {
      setSent(proposal_id);
      void invalidate(client, "/proposals", "/mentions", "/links");
    },
  });
  return (
    <li>
      <span className="row between">
        <NotePageLink path={mention.path} className="place-title break">
          {mention.title}
        </NotePageLink>
        {sent === undefined ? (
          <Button
            tone="small quiet"
            disabled={propose.isPending}
            aria-label={t(words.linkIn, mention.title, mention.line)}
            onClick={() => propose.mutate()}
          >
            {t(words.link)}
          </Button>
        ) : (
          <ProposalLink id={sent} className="small">
            {t(words.sent)}
          </ProposalLink>
        )}
      </span>
      <NotePageLink path={mention.path} search={{ line: mention.line }} className="place-line">
        <MarkedLine text={mention.text} names={[mention.words]} />
      </NotePageLink>
      {propose.error && <Failed error={propose.error} />}
    </li>
  );
}

const words = {
  mentions: { en: "Mentions without a link", uk: "Згадки без посилання" },
  link: { en: "Link", uk: "Зробити посиланням" },
  linkIn: { en: "Propose a link in {}, line {}", uk: "Запропонувати посилання в {}, рядок {}" },
  sent: { en: "Proposed", uk: "Запропоновано" },
  summary: { en: "Link {} to {}", uk: "Посилання з {} на {}" },
  moved: { en: "The line has changed meanwhile. Reload the page.", uk: "Рядок тим часом змінився. Оновіть сторінку." },
} as const satisfies Record<string, Text>;
