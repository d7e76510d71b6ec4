import { useQuery } from "@tanstack/react-query";
import { query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";

const LOOK_MS = 10 * 60_000;

/** Says that another version of the program is installed on the garden's machine than the one that serves this page. */
export function UpgradeNotice() {
  const t = useT();
  const program = useQuery({ ...query("GET /me", {}), staleTime: 0, refetchInterval: LOOK_MS }).data?.program;
  if (!program || program.installed === program.running) return null;
  return (
    <p className="banner" role="status">
      {t(words.restart, program.installed, program.running)} <code>bloom up</code>
    </p>
  );
}

const words = {
  restart: {
    en: "Version {} is installed, but the garden is still served by {}. To use the new one, stop the server and start it again:",
    uk: "Встановлено версію {}, але сад досі працює на {}. Щоб перейти на нову, зупиніть сервер і запустіть знову:",
  },
} as const satisfies Record<string, Text>;
