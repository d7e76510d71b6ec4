import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { otherDiagrams, withCalledDiagrams } from "../../../src/drakon/called-logic.ts";
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
  const files = useQuery(query("GET /agents/:slug/diagrams", { params: { slug } }));
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
            <DiagramEditor key={slug} current={{ slug, version: undefined, text: "{}\n", others: [] }} />
          </>
        )}
      </QueryResult>
    );
  return (
    <QueryResult of={logic}>
      {({ logicVersion, content }) => (
        <QueryResult of={files}>
          {({ diagrams }) => (
            <VersionEditor key={slug} slug={slug} version={logicVersion} content={content} files={diagrams} />
          )}
        </QueryResult>
      )}
    </QueryResult>
  );
}

/** The diagrams of a version. An old one does not hold those that it calls: they are taken from the agent's files. */
function VersionEditor(props: {
  readonly slug: string;
  readonly version: string;
  readonly content: string;
  readonly files: readonly { readonly file: string; readonly text: string; readonly main: boolean }[];
}) {
  const { slug, version, content, files } = props;
  const current = useMemo(() => {
    const mainFile = files.find(({ main }) => main)?.file ?? "";
    const others = otherDiagrams(files, { diagram: content }, mainFile);
    return { slug, version, text: withCalledDiagrams(content, { mainFile, others }).text, others };
  }, [slug, version, content, files]);
  return <DiagramEditor current={current} />;
}

const begin: Text = {
  en: "Select the header and start one, or import a file.",
  uk: "Виберіть заголовок і почніть її або імпортуйте.",
};
