import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { WhyPageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The causes of one line, in short. */
export function LineStory({ path, line }: { readonly path: string; readonly line: number }) {
  const t = useT();
  const subject = `${path}:${line}`;
  const chain = useQuery(query("GET /audit/why", { query: { subject } }));
  return (
    <section aria-labelledby="why-line">
      <h2 id="why-line">{t(words.why)}</h2>
      <QueryResult of={chain}>
        {({ links }) => (
          <ol className="places">
            {links.map((link) => (
              <li key={`${link.kind} ${link.id} ${link.depth}`} className="break">
                {t(link.what)}
              </li>
            ))}
          </ol>
        )}
      </QueryResult>
      <WhyPageLink subject={subject}>{t(words.whole)}</WhyPageLink>
    </section>
  );
}

const words = {
  why: { en: "Why this line", uk: "Чому цей рядок такий" },
  whole: { en: "Whole story", uk: "Уся історія" },
} as const satisfies Record<string, Text>;
