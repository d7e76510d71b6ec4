import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type HeatMeasure, heatMeasures } from "../../../../src/domain/logic/icon-heat.ts";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { heatOverlays } from "../../../../src/drakon/draw/paint/heat-overlay.ts";
import { ApiError } from "../../api/client.ts";
import { diagramQuery, query } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { heatWords, type LogicHeat } from "./heat-words.ts";
import { HotIcons } from "./hot-icons.tsx";

/** Visits, failures, cost and rejections of recorded runs per icon, on the diagram and in a table. */
export function HeatMap({ slug, versions }: { readonly slug: string; readonly versions: readonly string[] }) {
  const t = useT();
  const [version, setVersion] = useState("");
  const [by, setBy] = useState<HeatMeasure>("visits");
  const [factsOnly, setFactsOnly] = useState(false);
  const heat = useQuery({
    ...query("GET /logic/:agentId/heat", {
      params: { agentId: slug },
      query: { facts: factsOnly ? "true" : "false", ...(version !== "" && { version }) },
    }),
    retry: false,
  });
  const missing = heat.error instanceof ApiError && heat.error.code === "NOT_FOUND" ? heat.error : undefined;
  return (
    <section className="stack tight" aria-labelledby="heat">
      <h2 id="heat">{t(words.title)}</h2>
      <div className="row choices">
        <label className="labelled">
          <span>{t(words.by)}</span>
          <select className="field narrow" value={by} onChange={({ target }) => setBy(target.value as HeatMeasure)}>
            {heatMeasures.map((each) => (
              <option key={each} value={each}>
                {t(heatWords[each])}
              </option>
            ))}
          </select>
        </label>
        <label className="labelled">
          <span>{t(words.version)}</span>
          <select className="field narrow" value={version} onChange={({ target }) => setVersion(target.value)}>
            <option value="">{t(words.current)}</option>
            {versions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label className="row">
          <input type="checkbox" checked={factsOnly} onChange={({ target }) => setFactsOnly(target.checked)} />
          {t(words.factsOnly)}
        </label>
      </div>
      {missing ? (
        <Empty>{missing.message}</Empty>
      ) : (
        <QueryResult of={heat}>
          {(found) => <Heated key={found.logicVersion} slug={slug} heat={found} by={by} />}
        </QueryResult>
      )}
    </section>
  );
}

function Heated(props: { readonly slug: string; readonly heat: LogicHeat; readonly by: HeatMeasure }) {
  const { slug, heat, by } = props;
  const t = useT();
  const [icon, setIcon] = useState<string>();
  const logic = useQuery(diagramQuery(slug, heat.logicVersion));
  const diagram = useMemo(() => (logic.data ? readDiagram(logic.data.content).diagram : undefined), [logic.data]);
  const own = useMemo(() => heat.icons.filter((each) => each.diagram === heat.mainFile), [heat]);
  const overlays = useMemo(() => heatOverlays(own, by), [own, by]);
  const lit = useMemo(() => (icon === undefined ? [] : [icon]), [icon]);
  const { fact, claim, unknown, unreadable } = heat.runs;
  return (
    <>
      <p className="quiet small">
        {t(words.runs, fact, claim, unknown, unreadable.length)}
        {heat.pooledWith.length > 0 && ` ${t(words.pooled, heat.pooledWith.join(", "))}`}
      </p>
      <div className="beside">
        <QueryResult of={logic}>
          {() =>
            diagram && (
              <DiagramPicture diagram={diagram} name={slug} overlays={overlays} highlight={lit} onIcon={setIcon} />
            )
          }
        </QueryResult>
        <HotIcons heat={heat} by={by} icon={icon} onIcon={setIcon} />
      </div>
    </>
  );
}

const words = {
  title: { en: "Heat map", uk: "Де проходять запуски" },
  by: { en: "Show", uk: "Показати" },
  version: { en: "Version", uk: "Версія" },
  current: { en: "current", uk: "поточна" },
  factsOnly: { en: "Recorded paths only, no claims of models", uk: "Лише факти, без слів моделей" },
  runs: {
    en: "Runs with a recorded path: {}; claimed by the model (≈): {}; unknown: {}; unreadable: {}.",
    uk: "Запуски, чий шлях — факт: {}; зі слів моделі (≈): {}; невідомо: {}; не читається: {}.",
  },
  pooled: { en: "Includes runs of {}, which have the same logic.", uk: "Серед них запуски {}, що кажуть те саме." },
} as const satisfies Record<string, Text>;
