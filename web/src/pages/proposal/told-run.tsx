import { type Text, useSay } from "../../words/say.ts";
import type { IconPlace, ReplayedRun } from "./report-shape.ts";

/** How one recorded run would have gone on, in words. */
export function Told({ row, mostSteps }: { readonly row: ReplayedRun; readonly mostSteps: number }) {
  const say = useSay();
  const { failure, end, why, detours = [], kind } = row;
  const at = (place: IconPlace | undefined): string => (place ? ` «${place.text.trim() || place.icon}»` : "");
  const lines = [
    failure &&
      `${say(kind === "avoids" ? words.avoided : words.failed)} ${[failure.call, failure.code].filter(Boolean).join(" ")}${at(failure.at)}: ${say(failure.why)}`,
    end &&
      `${end.kind === "endless" ? say(words.endless, mostSteps) : say(ends[end.kind])}${at(end.at)}${end.why ? `: ${say(end.why)}` : ""}`,
    why && say(why),
    detours.length > 0 && `${say(words.detours)}${detours.map(at).join(",")}`,
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
  done: { en: "comes to its end", uk: "доходить до кінця" },
  returned: { en: "comes to its end with a result", uk: "доходить до кінця з результатом" },
  failed: { en: "fails at", uk: "зазнає збою на" },
  stopped: { en: "is stopped at", uk: "зупиняється на" },
} as const satisfies Record<string, Text>;

const words = {
  avoided: { en: "Would not have reached", uk: "Не дійшов би до" },
  failed: { en: "It had failed with", uk: "Він закінчився збоєм" },
  endless: { en: "does not end within {} steps", uk: "не закінчується за {} кроків" },
  detours: { en: "also passes", uk: "ще проходить" },
} as const satisfies Record<string, Text>;
