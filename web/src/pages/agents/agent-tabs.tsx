import { Tabs } from "../../components/tabs.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The two lists of the place Agents: the agents, and the behaviours that they follow. */
export function AgentTabs({ chosen }: { readonly chosen: "agents" | "library" }) {
  const t = useT();
  const tabs = [
    { id: "agents", name: t(words.agents), link: { to: "/agents" } },
    { id: "library", name: t(words.library), link: { to: "/library" } },
  ];
  return (
    <div className="agent-tabs">
      <Tabs name={t(words.lists)} tabs={tabs} chosen={chosen} />
    </div>
  );
}

const words = {
  lists: { en: "Agents and behaviours", uk: "Агенти й поведінки" },
  agents: { en: "Agents", uk: "Агенти" },
  library: { en: "Library", uk: "Бібліотека" },
} as const satisfies Record<string, Text>;
