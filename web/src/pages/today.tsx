import { type Text, useT } from "../i18n/use-t.ts";
import { NeedsYou } from "./today/needs-you.tsx";
import { RecentActivity } from "./today/recent-activity.tsx";
import { Running } from "./today/running.tsx";
import "../style/today.css";

/** Items that need the owner, runs in progress, and recent activity. */
export function TodayPage() {
  const t = useT();
  return (
    <div className="stack">
      <h1>{t(words.title)}</h1>
      <div className="today">
        <section className="card stack tight" aria-labelledby="waiting">
          <h2 id="waiting">{t(words.waiting)}</h2>
          <NeedsYou />
        </section>
        <section className="card stack tight" aria-labelledby="running">
          <h2 id="running">{t(words.running)}</h2>
          <Running />
        </section>
        <RecentActivity />
      </div>
    </div>
  );
}

const words = {
  title: { en: "Today", uk: "Сьогодні" },
  waiting: { en: "Needs you", uk: "Чекає на вас" },
  running: { en: "Running now", uk: "Працює зараз" },
} as const satisfies Record<string, Text>;
