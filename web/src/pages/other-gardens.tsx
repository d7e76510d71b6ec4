import { useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { query } from "../api/queries.ts";
import { QueryResult } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { FollowedSection } from "./other-gardens/followed.tsx";
import { GrantSection } from "./other-gardens/grants.tsx";
import { OwnKeySection } from "./other-gardens/own-key.tsx";
import { PublishSection } from "./other-gardens/publish.tsx";
import "../style/agents.css";
import "../style/settings.css";
import "../style/other-gardens.css";

/** S-10: the key of this garden, the gardens that it follows, what they may do here, and what leaves for others. */
export function OtherGardensPage() {
  const t = useT();
  const read = useQuery(query("GET /federation", {}));
  return (
    <>
      <TopBar
        icon={Activity}
        crumbs={[
          { name: t(words.runs), to: "/runs" },
          { name: t(words.sessions), to: "/sessions" },
        ]}
        title={t(words.title)}
      />
      <div className="page other-gardens">
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <QueryResult of={read}>
          {({ identity, gardens, grants }) => (
            <div className="settings-sections">
              <OwnKeySection identity={identity} />
              <FollowedSection gardens={gardens} />
              <GrantSection gardens={gardens} grants={grants} />
              {identity && <PublishSection published={identity.sessions} />}
            </div>
          )}
        </QueryResult>
      </div>
    </>
  );
}

const words = {
  runs: { en: "Runs", uk: "Запуски" },
  sessions: { en: "Sessions", uk: "Сесії" },
  title: { en: "Other gardens", uk: "Інші сади" },
} as const satisfies Record<string, Text>;
