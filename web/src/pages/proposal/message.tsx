import { UserRound } from "lucide-react";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { actorName } from "../../components/labels.ts";
import { When } from "../../components/tags.tsx";
import { useT } from "../../i18n/use-t.ts";

/** One message of a thread. */
export function ThreadMessage(props: {
  readonly by: string;
  readonly isAgent: boolean;
  readonly text: string;
  readonly at?: string;
  /** Where it belongs, if it is not shown there. */
  readonly about?: string | undefined;
}) {
  const { by, isAgent, text, at, about } = props;
  const t = useT();
  return (
    <div className="message">
      {isAgent ? <AgentFlower slug={by} size={FLOWER_PX.line} /> : <UserRound size={18} aria-hidden="true" />}
      <div>
        <p className="message-by">
          <strong>{actorName(by, t)}</strong>
          {at !== undefined && (
            <>
              {" · "}
              <When at={at} />
            </>
          )}
          {about !== undefined && ` · ${about}`}
        </p>
        <p className="message-text">{text}</p>
      </div>
    </div>
  );
}
