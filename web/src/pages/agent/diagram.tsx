import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { ApiError } from "../../api/client.ts";
import { diagramQuery } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The diagram that the agent follows, with links to its versions and the editor. */
export function AgentDiagramTab({ slug }: { readonly slug: string }) {
  const t = useT();
  const logic = useQuery({ ...diagramQuery(slug), retry: false });
  const links = (
    <p className="row">
      <Link to="/agents/$slug/logic" params={{ slug }} className="button">
        {t(words.versions)}
      </Link>
      <Link to="/agents/$slug/diagram" params={{ slug }} className="button">
        {t(words.editor)}
      </Link>
    </p>
  );
  return (
    <div className="stack">
      {links}
      {logic.error instanceof ApiError && logic.error.status === 404 ? (
        <Empty>{t(words.none)}</Empty>
      ) : (
        <QueryResult of={logic}>
          {({ content, logicVersion }) => <Drawn content={content} name={`${slug} ${logicVersion}`} />}
        </QueryResult>
      )}
    </div>
  );
}

function Drawn({ content, name }: { readonly content: string; readonly name: string }) {
  const t = useT();
  const diagram = useMemo(() => readDiagram(content).diagram, [content]);
  return diagram ? <DiagramPicture diagram={diagram} name={name} /> : <Empty>{t(words.unread)}</Empty>;
}

const words = {
  versions: { en: "Versions and performance", uk: "Версії та показники" },
  editor: { en: "Edit diagram", uk: "Редагувати діаграму" },
  none: { en: "No diagram yet", uk: "У цього агента ще немає діаграми." },
  unread: { en: "The diagram cannot be read.", uk: "Діаграму неможливо прочитати." },
} as const satisfies Record<string, Text>;
