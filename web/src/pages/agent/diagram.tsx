import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { Refusal } from "../../api/client.ts";
import { reading } from "../../api/queries.ts";
import { Picture } from "../../parts/picture.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** The diagram that the agent follows now; every version and the editor are one step away. */
export function AgentDiagram({ slug }: { readonly slug: string }) {
  const say = useSay();
  const logic = useQuery({
    ...reading("GET /logic/:agentId/read", { params: { agentId: slug }, query: { format: "drakon" } }),
    retry: false,
  });
  const ways = (
    <p className="row">
      <Link to="/agents/$slug/logic" params={{ slug }} className="button">
        {say(words.versions)}
      </Link>
      <Link to="/agents/$slug/diagram" params={{ slug }} className="button">
        {say(words.editor)}
      </Link>
    </p>
  );
  return (
    <div className="stack">
      {ways}
      {logic.error instanceof Refusal && logic.error.status === 404 ? (
        <Empty>{say(words.none)}</Empty>
      ) : (
        <Shown of={logic}>
          {({ content, logicVersion }) => <Drawn content={content} name={`${slug} ${logicVersion}`} />}
        </Shown>
      )}
    </div>
  );
}

function Drawn({ content, name }: { readonly content: string; readonly name: string }) {
  const say = useSay();
  const diagram = useMemo(() => readDiagram(content).diagram, [content]);
  return diagram ? <Picture diagram={diagram} name={name} /> : <Empty>{say(words.unread)}</Empty>;
}

const words = {
  versions: { en: "Versions and figures", uk: "Версії та показники" },
  editor: { en: "Edit the diagram", uk: "Редагувати діаграму" },
  none: { en: "This agent has no diagram yet.", uk: "У цього агента ще немає діаграми." },
  unread: { en: "The diagram cannot be read.", uk: "Діаграму неможливо прочитати." },
} as const satisfies Record<string, Text>;
