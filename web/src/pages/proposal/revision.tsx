import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { ProposalLink } from "../../components/links.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Section } from "./context-section.tsx";
import { ThreadMessage } from "./message.tsx";
import { useRemarkPlace } from "./remark-place.ts";

/** P-10c: what people asked for when they sent the earlier proposal back. */
export function Revision({ of }: { readonly of: string }) {
  const t = useT();
  const aboutPlace = useRemarkPlace();
  const { data } = useQuery({ ...query("GET /proposals/:id", { params: { id: of } }), retry: false });
  const { approval, source } = data?.proposal ?? {};
  const remarks = (data?.remarks ?? []).filter(({ by }) => by !== source?.identity);
  const isRepeated = approval?.decision_note === remarks.map(({ text }) => text).join("\n");
  return (
    <Section name={t(words.title)} aside={<ProposalLink id={of}>{t(words.before)}</ProposalLink>}>
      <div className="thread flat">
        {approval?.decision_note !== undefined && !isRepeated && (
          <ThreadMessage
            by={approval.decided_by}
            isAgent={false}
            text={approval.decision_note}
            at={approval.decided_at}
          />
        )}
        {remarks.map(({ number, by, text, at, place }) => (
          <ThreadMessage key={number} by={by} isAgent={false} text={text} at={at} about={aboutPlace(place)} />
        ))}
      </div>
    </Section>
  );
}

const words = {
  title: { en: "You asked for", uk: "Ви просили" },
  before: { en: "earlier version", uk: "попередня версія" },
} as const satisfies Record<string, Text>;
