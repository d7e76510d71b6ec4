import { useSearch } from "@tanstack/react-router";
import { SETTINGS_PLACE } from "../components/places.ts";
import { Tabs } from "../components/tabs.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { AuditLog } from "./audit/audit-log.tsx";
import { EventList } from "./audit/event-list.tsx";
import { RequestList } from "./audit/request-list.tsx";
import "../style/settings.css";

/** The history of the garden: the audit log, requests of the inbox, events from outside. */
export function HistoryPage() {
  const t = useT();
  const wanted = useSearch({ strict: false }).tab;
  const tab = TABS.find((each) => each === wanted) ?? "log";
  return (
    <>
      <TopBar
        icon={SETTINGS_PLACE.icon}
        crumbs={[{ name: t(SETTINGS_PLACE.name), to: SETTINGS_PLACE.to }]}
        title={t(words.title)}
      />
      <div className="page">
        <h1 className="page-title">{t(words.title)}</h1>
        <Tabs
          name={t(words.title)}
          chosen={tab}
          tabs={TABS.map((id) => ({ id, name: t(words[id]), link: { to: "/audit", search: { tab: id } } }))}
        />
        {tab === "log" && <AuditLog />}
        {tab === "requests" && <RequestList />}
        {tab === "events" && <EventList />}
      </div>
    </>
  );
}

const TABS = ["log", "requests", "events"] as const;

const words = {
  title: { en: "What happened", uk: "Що відбулося" },
  log: { en: "Log", uk: "Журнал" },
  requests: { en: "Requests", uk: "Подання" },
  events: { en: "Events", uk: "Події" },
} as const satisfies Record<string, Text>;
