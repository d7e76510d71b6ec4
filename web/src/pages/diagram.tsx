import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { diagramQuery, query } from "../api/queries.ts";
import { QueryResult } from "../components/query-result.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { DiagramEditor } from "./diagram/diagram-editor.tsx";
import "../components/diagram-picture.tsx";
import "../style/diagram.css";

/** Edits the diagram that an agent follows. Saving makes a proposal. */
export function DiagramPage() {
  const t = useT();
  const { slug } = useParams({ from: "/agents/$slug/diagram" });
  const logic = useQuery({ ...diagramQuery(slug), retry: false });
  // An agent that follows a text has no diagram yet: one can be created here.
  const missing = logic.error instanceof ApiError && logic.error.code === "NOT_FOUND" ? logic.error : undefined;
  const agent = useQuery({ ...query("GET /agents/:slug", { params: { slug } }), enabled: missing !== undefined });
  if (missing)
    return (
      <QueryResult of={agent}>
        {() => (
          <>
            <p className="banner" role="status">
              {missing.message}. {t(begin)}
            </p>
            <DiagramEditor key={slug} current={{ slug, version: undefined, text: "{}\n" }} />
          </>
        )}
      </QueryResult>
    );
  return (
    <QueryResult of={logic}>
      {({ logicVersion, content }) => (
        <DiagramEditor key={slug} current={{ slug, version: logicVersion, text: content }} />
      )}
    </QueryResult>
  );
}

const begin: Text = {
  en: "Select the header and start one, or import a file.",
  uk: "Виберіть заголовок і почніть її або імпортуйте.",
};
