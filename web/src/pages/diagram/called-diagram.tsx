import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { diagramName, readInsertion } from "../../../../src/drakon/expression/read-step.ts";
import { query } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The diagram that an insertion calls, opened in place. Diagrams that it calls itself can be opened from there. */
export function CalledDiagram({ slug, text }: { readonly slug: string; readonly text: string }) {
  const t = useT();
  const [path, setPath] = useState<readonly string[]>([]);
  const all = useQuery(query("GET /agents/:slug/diagrams", { params: { slug } })).data?.diagrams;
  const wanted = folded(readInsertion(path.at(-1) ?? text).diagram);
  const found = all?.find(({ name, file }) => folded(name) === wanted || folded(baseName(file)) === wanted);
  const diagram = useMemo(() => (found ? readDiagram(found.text).diagram : undefined), [found]);
  if (!all) return null;
  return (
    <section className="card stack tight called-diagram" aria-label={t(words.title)}>
      <div className="row between">
        <h2>{found?.name ?? t(words.title)}</h2>
        {path.length > 0 && (
          <Button tone="ghost small" onClick={() => setPath(path.slice(0, -1))}>
            {t(words.back)}
          </Button>
        )}
      </div>
      {diagram ? (
        <>
          <p className="meta mono">{found?.file}</p>
          <div className="called-picture">
            <DiagramPicture
              diagram={diagram}
              isFit
              onIcon={(icon) => {
                const called = diagram.icons.get(icon);
                if (called?.type === "insertion") setPath([...path, called.text]);
              }}
            />
          </div>
        </>
      ) : (
        <p className="small quiet">{t(words.missing, path.at(-1) ?? text)}</p>
      )}
    </section>
  );
}

const folded = (name: string): string => diagramName(name).toLowerCase();
const baseName = (file: string): string => file.replace(/\.drakon\.json$/i, "");

const words = {
  title: { en: "Called diagram", uk: "Викликана діаграма" },
  back: { en: "Back", uk: "Назад" },
  missing: {
    en: "No diagram of this agent is called “{}”. Put one with that name into its folder drakon/.",
    uk: "Жодна діаграма цього агента не зветься «{}». Покладіть таку в його теку drakon/.",
  },
} as const satisfies Record<string, Text>;
