import { type Text, useT } from "../../i18n/use-t.ts";
import type { ReplayedRun, ReplayPlace } from "./logic-report.ts";

/** The course of one replayed run, in words. */
export function ReplayedRunText({ row, mostSteps }: { readonly row: ReplayedRun; readonly mostSteps: number }) {
  const t = useT();
  const { failure, end, why, detours = [], kind } = row;
  const at = (place: ReplayPlace | undefined): string => (place ? ` «${place.text.trim() || place.icon}»` : "");
  const lines = [
    failure &&
      `${t(kind === "avoids" ? words.avoided : words.failed)} ${[failure.call, failure.code].filter(Boolean).join(" ")}${at(failure.at)}: ${t(failure.why)}`,
    end &&
      `${end.kind === "endless" ? t(words.endless, mostSteps) : t(ends[end.kind])}${at(end.at)}${end.why ? `: ${t(end.why)}` : ""}`,
    why && t(why),
    detours.length > 0 && `${t(words.detours)}${detours.map(at).join(",")}`,
  ];
  return (
    <>
      {lines.map(
        (line) =>
          typeof line === "string" && (
            <p key={line} className="small">
              {line}
            </p>
          ),
      )}
    </>
  );
}

const ends = {
  done: { en: "Completes", uk: "доходить до кінця" },
  returned: { en: "Completes with a result", uk: "доходить до кінця з результатом" },
  failed: { en: "Fails at", uk: "зазнає збою на" },
  stopped: { en: "Stops at", uk: "зупиняється на" },
} as const satisfies Record<string, Text>;

const words = {
  avoided: { en: "Would not have reached", uk: "Не дійшов би до" },
  failed: { en: "Failed with", uk: "Він закінчився збоєм" },
  endless: { en: "Does not end within {} steps", uk: "не закінчується за {} кроків" },
  detours: { en: "Also passes", uk: "ще проходить" },
} as const satisfies Record<string, Text>;
