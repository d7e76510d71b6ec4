import { Tabs } from "../../components/tabs.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

export function RunTabs({ chosen }: { readonly chosen: "runs" | "sessions" | "spending" }) {
  const t = useT();
  return (
    <Tabs
      name={t(words.views)}
      chosen={chosen}
      tabs={[
        { id: "runs", name: t(words.runs), link: { to: "/runs" } },
        { id: "sessions", name: t(words.sessions), link: { to: "/sessions" } },
        { id: "spending", name: t(words.spending), link: { to: "/runs/spending" } },
      ]}
    />
  );
}

const words = {
  views: { en: "Views of runs", uk: "Подання запусків" },
  runs: { en: "Runs", uk: "Запуски" },
  sessions: { en: "Sessions", uk: "Сесії" },
  spending: { en: "Spending", uk: "Витрати" },
} as const satisfies Record<string, Text>;
