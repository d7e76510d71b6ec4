import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Overlays } from "../../../../src/drakon/draw/paint/overlay.ts";
import type { StepCard } from "../../api/endpoints.gen.ts";
import { diagramQuery } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The diagram that the run follows, with the passed icons highlighted and counted. */
export function PathTaken(props: {
  readonly slug: string;
  readonly version: string | undefined;
  readonly steps: readonly StepCard[];
  readonly onIcon: (icon: string) => void;
}) {
  const { slug, version, steps, onIcon } = props;
  const t = useT();
  const logic = useQuery(diagramQuery(slug, version)).data;
  const diagram = useMemo(() => (logic ? readDiagram(logic.content).diagram : undefined), [logic]);
  const passed = useMemo(() => steps.flatMap(({ icon }) => (icon === undefined ? [] : [icon])), [steps]);
  const overlays = useMemo<Overlays>(() => {
    const counts = new Map<string, number>();
    for (const icon of passed) counts.set(icon, (counts.get(icon) ?? 0) + 1);
    return new Map([...counts].map(([icon, count]) => [icon, { count }]));
  }, [passed]);
  if (!diagram) return null;
  return (
    <section className="stack tight" aria-labelledby="way">
      <h2 id="way">{t(words.way)}</h2>
      <DiagramPicture diagram={diagram} overlays={overlays} highlight={passed} onIcon={onIcon} />
    </section>
  );
}

const words = { way: { en: "Path taken", uk: "Шлях діаграмою" } } as const satisfies Record<string, Text>;
