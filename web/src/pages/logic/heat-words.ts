import type { HeatMeasure } from "../../../../src/domain/logic/icon-heat.ts";
import type { AnswerOf } from "../../api/client.ts";
import type { Text } from "../../i18n/use-t.ts";

export type LogicHeat = AnswerOf<"GET /logic/:agentId/heat">;

export const heatWords = {
  visits: { en: "Visits", uk: "Проходи" },
  failures: { en: "Failures", uk: "Збої" },
  tokens: { en: "Tokens", uk: "Токени" },
  time: { en: "Time", uk: "Час" },
  rejected: { en: "Rejected", uk: "Відхилено" },
  bad: { en: "Failure share", uk: "Частка невдалих" },
} as const satisfies Record<HeatMeasure, Text>;
