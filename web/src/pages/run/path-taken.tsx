import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Maximize2 } from "lucide-react";
import { useMemo } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Overlays } from "../../../../src/drakon/draw/paint/overlay.ts";
import type { StepCard } from "../../api/endpoints.gen.ts";
import { diagramQuery } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { litPath } from "./lit-path.ts";

/** The diagram that the run follows: passed icons are lit and bear the numbers of their steps, the current one last. */
export function PathTaken(props: {
  readonly slug: string;
  readonly version: string | undefined;
  readonly steps: readonly StepCard[];
  readonly isRunning: boolean;
  /** The icon whose question is open. */
  readonly asksAt: string | undefined;
  readonly icon: string | undefined;
  readonly onIcon: (icon: string) => void;
}) {
  const { slug, version, steps, isRunning, asksAt, icon, onIcon } = props;
  const t = useT();
  const logic = useQuery({ ...diagramQuery(slug, version), retry: false }).data;
  const diagram = useMemo(() => (logic ? readDiagram(logic.content).diagram : undefined), [logic]);
  const visited = useMemo(
    () => [...steps.flatMap((step) => step.icon ?? []), ...(asksAt === undefined ? [] : [asksAt])],
    [steps, asksAt],
  );
  const passed = useMemo(() => (diagram ? litPath(diagram, visited) : visited), [diagram, visited]);
  const overlays = useMemo<Overlays>(() => {
    const numbers = Map.groupBy(
      steps.filter((step) => step.icon !== undefined),
      (step) => step.icon!,
    );
    return new Map([...numbers].map(([each, some]) => [each, { badge: numbersText(some) }]));
  }, [steps]);
  if (!diagram) return null;
  const count = new Set(passed).size;
  const chosen = icon ?? (isRunning ? passed.at(-1) : undefined);
  return (
    <aside className="run-diagram" aria-labelledby="way">
      <div className="run-diagram-head">
        <h2 id="way">{t(words.way)}</h2>
        <span className="meta">{t(words.count, count, diagram.icons.size)}</span>
        <span className="grow" />
        <Link
          to="/agents/$slug/diagram"
          params={{ slug }}
          className="button ghost icon small"
          aria-label={t(words.open)}
          title={t(words.open)}
        >
          <Maximize2 size={15} aria-hidden="true" />
        </Link>
      </div>
      <div className="run-diagram-canvas" data-chosen={chosen}>
        <DiagramPicture
          diagram={diagram}
          overlays={overlays}
          highlight={passed}
          chosen={chosen}
          onIcon={onIcon}
          isFit
        />
      </div>
    </aside>
  );
}

/** "3", "3, 5"; of many visits the first two and how many there were. */
function numbersText(steps: readonly StepCard[]): string {
  const numbers = steps.map(({ position }) => position);
  return numbers.length <= 2 ? numbers.join(", ") : `${numbers[0]}…${numbers.at(-1)} ×${numbers.length}`;
}

const words = {
  way: { en: "Path taken", uk: "Пройдений шлях" },
  count: { en: "{} of {} icons", uk: "{} з {} ікон" },
  open: { en: "Open the diagram", uk: "Відкрити діаграму" },
} as const satisfies Record<string, Text>;
