import { type Text, useT } from "../i18n/use-t.ts";
import { AgentsGlance } from "./today/agents-glance.tsx";
import { BetterElsewhere } from "./today/better-elsewhere.tsx";
import { Lede } from "./today/lede.tsx";
import { NeedsYou } from "./today/needs-you.tsx";
import { RecentActivity } from "./today/recent-activity.tsx";
import { Running } from "./today/running.tsx";
import { SpendingGlance } from "./today/spending-glance.tsx";
import { ToReview } from "./today/to-review.tsx";
import "../style/today.css";

/** The first page: work that needs the owner, runs, recent activity, and the health of each agent. */
export function TodayPage() {
  const t = useT();
  return (
    <div className="today">
      <h1 className="hidden-visually">{t(words.title)}</h1>
      <Lede />
      <div className="today-columns">
        <div className="today-main">
          <NeedsYou />
          <ToReview />
          <Running />
          <RecentActivity />
        </div>
        <div className="today-side">
          <AgentsGlance />
          <BetterElsewhere />
          <SpendingGlance />
        </div>
      </div>
    </div>
  );
}

const words = { title: { en: "Today", uk: "Сьогодні" } } as const satisfies Record<string, Text>;
