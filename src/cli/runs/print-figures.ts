import type { Text } from "../../base/text.ts";
import type { AgentFigures, RunFigures } from "../../garden/insight/run-figures.ts";
import type { Style } from "../style.ts";
import { formatTime, inBothLanguages, oneLine } from "../text-layout.ts";

/** A table of agents: runs and failures in these days, success of all time with its interval, cost, and the next time. */
export function figuresText({ agents, currency, days }: RunFigures, style: Style): Text {
  return inBothLanguages((language) => {
    const head = [words.agent, words.runs, words.failed, words.success, words.cost, words.next].map(
      (each) => each[language],
    );
    const rows = agents.map((agent) => [
      oneLine(agent.slug),
      String(agent.runs),
      String(agent.days.reduce((sum, { failed }) => sum + failed, 0)),
      shareText(agent.success),
      agent.cost === null ? "–" : `${agent.cost} ${currency}`,
      agent.next === null ? "–" : formatTime(agent.next),
    ]);
    const widths = head.map((each, column) => Math.max(each.length, ...rows.map((row) => row[column]!.length)));
    const line = (row: readonly string[]): string =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd();
    const costs = agents.flatMap(({ cost }) => cost ?? []);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    return [
      style.dim(line(head)),
      ...rows.map(line),
      ...(costs.length === 0
        ? []
        : ["", `${words.total[language].replace("{}", String(days.length))} ${Number(total.toFixed(6))} ${currency}`]),
    ].join("\n");
  });
}

const percent = (rate: number): string => `${Math.round(rate * 100)}`;

const shareText = (share: AgentFigures["success"]): string =>
  share === null ? "–" : `${share.hits}/${share.of} (${percent(share.low)}–${percent(share.high)} %)`;

const words = {
  agent: { en: "AGENT", uk: "АГЕНТ" },
  runs: { en: "RUNS", uk: "ЗАПУСКІВ" },
  failed: { en: "FAILED", uk: "НЕВДАЛИХ" },
  success: { en: "SUCCESS (95 %)", uk: "ВДАЛИХ (95 %)" },
  cost: { en: "COST", uk: "ВАРТІСТЬ" },
  next: { en: "NEXT", uk: "ДАЛІ" },
  total: { en: "Total of {} days:", uk: "Разом, днів {}:" },
} as const satisfies Record<string, Text>;
