import { type Text, useT } from "../../i18n/use-t.ts";

/** The goal of a session below its title, if it has more lines than the title shows. */
export function WholeGoal({ goal }: { readonly goal: string | null }) {
  const t = useT();
  if (goal === null || !goal.includes("\n")) return null;
  return (
    <details className="session-goal">
      <summary>{t(words.show)}</summary>
      <p className="reason said break" lang="">
        {goal}
      </p>
    </details>
  );
}

const words = {
  show: { en: "Show the whole goal", uk: "Показати всю мету" },
} as const satisfies Record<string, Text>;
