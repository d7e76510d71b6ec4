import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type Shown = "diff" | "report";

/** The difference that one change made to the memory, and the report of the run that made it. Both are read when asked for. */
export function MemoryChangeDetails(props: {
  readonly slug: string;
  readonly commit: string;
  /** The change before it; undefined for the first one. */
  readonly before: string | undefined;
  readonly run: string | null;
}) {
  const { slug, commit, before, run } = props;
  const t = useT();
  const [shown, setShown] = useState<Shown>();
  const toggle = (part: Shown): void => setShown(shown === part ? undefined : part);
  return (
    <>
      <span className="row">
        {before !== undefined && (
          <Button tone="ghost small" aria-expanded={shown === "diff"} onClick={() => toggle("diff")}>
            {t(words.diff)}
          </Button>
        )}
        {run !== null && (
          <Button tone="ghost small" aria-expanded={shown === "report"} onClick={() => toggle("report")}>
            {t(words.report)}
          </Button>
        )}
      </span>
      {shown === "diff" && before !== undefined && <Difference slug={slug} from={before} to={commit} />}
      {shown === "report" && run !== null && <RunReport slug={slug} run={run} />}
    </>
  );
}

function Difference({ slug, from, to }: { readonly slug: string; readonly from: string; readonly to: string }) {
  const found = useQuery(query("GET /memory/:agentId/diff", { params: { agentId: slug }, query: { from, to } }));
  return <QueryResult of={found}>{({ diff }) => <pre className="value small">{diff}</pre>}</QueryResult>;
}

function RunReport({ slug, run }: { readonly slug: string; readonly run: string }) {
  const found = useQuery(query("GET /memory/:agentId/runs/:run", { params: { agentId: slug, run } }));
  return <QueryResult of={found}>{({ text }) => <Markdown text={text} />}</QueryResult>;
}

const words = {
  diff: { en: "What changed", uk: "Що змінилося" },
  report: { en: "Report of the run", uk: "Звіт запуску" },
} as const satisfies Record<string, Text>;
