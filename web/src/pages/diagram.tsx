import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Refusal } from "../api/client.ts";
import { reading } from "../api/queries.ts";
import { Shown } from "../parts/state.tsx";
import { type Text, useSay } from "../words/say.ts";
import { Workshop } from "./diagram/workshop.tsx";
import "../parts/picture.tsx";
import "../style/diagram.css";

/** The diagram that an agent follows, to be changed by hand. Saving is a proposal. */
export function Diagram() {
  const say = useSay();
  const { slug } = useParams({ from: "/agents/$slug/diagram" });
  const logic = useQuery({
    ...reading("GET /logic/:agentId/read", {
      params: { agentId: slug },
      query: { format: "drakon", maxTokens: "100000" },
    }),
    retry: false,
  });
  // An agent that follows a text has no diagram yet: one can be begun here.
  const missing = logic.error instanceof Refusal && logic.error.code === "NOT_FOUND" ? logic.error : undefined;
  const agent = useQuery({ ...reading("GET /agents/:slug", { params: { slug } }), enabled: missing !== undefined });
  return (
    <div className="diagram-page stack tight">
      <header className="row between">
        <h1>
          <Link to="/agents/$slug" params={{ slug }}>
            {slug}
          </Link>{" "}
          · {say(title)}
        </h1>
      </header>
      {missing ? (
        <Shown of={agent}>
          {() => (
            <>
              <p className="quiet">
                {missing.message}. {say(begin)}
              </p>
              <Workshop key={slug} current={{ slug, version: undefined, text: "{}\n" }} />
            </>
          )}
        </Shown>
      ) : (
        <Shown of={logic}>
          {({ logicVersion, content }) => (
            <Workshop key={slug} current={{ slug, version: logicVersion, text: content }} />
          )}
        </Shown>
      )}
    </div>
  );
}

const title: Text = { en: "Diagram", uk: "Діаграма" };
const begin: Text = {
  en: "Choose the header and begin one, or import it.",
  uk: "Виберіть заголовок і почніть її або імпортуйте.",
};
