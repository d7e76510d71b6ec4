import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { query } from "../../api/queries.ts";
import { TextField } from "../../components/form.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Finds facts, open questions and sentences of an agent's memory by words, older layers included. */
export function MemorySearchField({ slug }: { readonly slug: string }) {
  const t = useT();
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed.trim());
  const found = useQuery({
    ...query("GET /memory/:agentId/search", { params: { agentId: slug }, query: { q: wanted, deep: "true" } }),
    enabled: wanted !== "",
  });
  return (
    <div className="stack tight">
      <TextField label={t(words.label)} type="search" value={typed} onText={setTyped} />
      {wanted !== "" && (
        <QueryResult of={found}>
          {({ hits, total }) =>
            hits.length === 0 ? (
              <Empty>{t(words.none)}</Empty>
            ) : (
              <>
                <p className="meta" role="status">
                  {t(words.count, total)}
                </p>
                <ul className="stack tight">
                  {hits.map(({ file, section, text }) => (
                    <li key={`${file} ${text}`} className="card">
                      <p className="break">{text}</p>
                      <p className="meta">
                        <code>{file}</code> {section}
                      </p>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </QueryResult>
      )}
    </div>
  );
}

const words = {
  label: { en: "Search the memory", uk: "Шукати в пам’яті" },
  none: { en: "Nothing in its memory matches", uk: "У пам’яті такого немає" },
  count: { en: "{} [place|places]", uk: "{} [місце|місця|місць]" },
} as const satisfies Record<string, Text>;
