import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Maximize2, Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { IndexingProgress, untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type GraphControls, useGraph } from "./use-graph.ts";
import "../../style/graph.css";

type Graph = AnswerOf<"GET /graph">;

/** The links between all notes, or around one: as a picture, and beside it as a list with the same content. */
export function GraphView({ around }: { readonly around: string | undefined }) {
  const t = useT();
  const [depth, setDepth] = useState(1);
  const found = useQuery({
    ...query("GET /graph", { query: around === undefined ? {} : { around, depth: String(depth) } }),
    refetchInterval: untilIndexed,
  });
  return (
    <QueryResult of={found}>
      {(graph) => (
        <GraphPanes graph={graph} around={around}>
          {around !== undefined && (
            <label className="row small">
              {t(words.depth)}
              <input
                type="range"
                min={1}
                max={4}
                value={depth}
                onChange={({ target }) => setDepth(Number(target.value))}
              />
              {depth}
            </label>
          )}
        </GraphPanes>
      )}
    </QueryResult>
  );
}

function GraphPanes(props: {
  readonly graph: Graph;
  readonly around: string | undefined;
  readonly children: React.ReactNode;
}) {
  const { graph, around, children } = props;
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const middle = graph.notes.findIndex(({ path }) => path === around);
  const [chosen, setChosen] = useState<number | undefined>(middle === -1 ? undefined : middle);
  const controls = useGraph(canvas, graph, chosen);
  return (
    <div className="graph">
      <div className="graph-picture">
        <GraphCanvas canvas={canvas} graph={graph} controls={controls} chosen={chosen} onChoose={setChosen} />
        <div className="graph-tools">
          <Button tone="icon small" aria-label={t(words.closer)} onClick={() => controls.zoom(1.3)}>
            <Plus size={14} aria-hidden="true" />
          </Button>
          <Button tone="icon small" aria-label={t(words.farther)} onClick={() => controls.zoom(1 / 1.3)}>
            <Minus size={14} aria-hidden="true" />
          </Button>
          <Button tone="icon small" aria-label={t(words.fit)} onClick={() => controls.fit()}>
            <Maximize2 size={14} aria-hidden="true" />
          </Button>
        </div>
      </div>
      <GraphList graph={graph} chosen={chosen} onChoose={setChosen}>
        {children}
      </GraphList>
    </div>
  );
}

function GraphCanvas(props: {
  readonly canvas: React.RefObject<HTMLCanvasElement | null>;
  readonly graph: Graph;
  readonly controls: GraphControls;
  readonly chosen: number | undefined;
  readonly onChoose: (point: number | undefined) => void;
}) {
  const { canvas, graph, controls, chosen, onChoose } = props;
  const t = useT();
  const navigate = useNavigate();
  const drag = useRef<{ x: number; y: number; moved: boolean }>(undefined);
  const open = (point: number): void => void navigate({ to: "/notes/$", params: { _splat: graph.notes[point]!.path } });
  useEffect(() => {
    const element = canvas.current!;
    // A passive listener could not keep the page from scrolling.
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      controls.zoom(Math.exp(-event.deltaY / 400), { x: event.offsetX, y: event.offsetY });
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [canvas, controls]);
  const at = ({ nativeEvent }: PointerEvent) => ({ x: nativeEvent.offsetX, y: nativeEvent.offsetY });
  const onKey = (event: KeyboardEvent): void => {
    const act = KEYS[event.key];
    if (act) act(controls);
    else if (event.key === "Enter" && chosen !== undefined) open(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <canvas
      ref={canvas}
      tabIndex={0}
      role="img"
      aria-label={t(words.picture, graph.notes.length, graph.links.length)}
      aria-describedby="graph-keys"
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { ...at(event), moved: false };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (!from) return;
        const to = at(event);
        if (!from.moved && Math.hypot(to.x - from.x, to.y - from.y) < 4) return;
        controls.pan(from.x - to.x, from.y - to.y);
        drag.current = { ...to, moved: true };
      }}
      onPointerUp={(event) => {
        if (drag.current && !drag.current.moved) {
          const point = controls.pointAt(at(event));
          if (point !== undefined && point === chosen) open(point);
          else onChoose(point);
        }
        drag.current = undefined;
      }}
      onPointerCancel={() => (drag.current = undefined)}
    />
  );
}

const STEP = 60;
const KEYS: Readonly<Record<string, (controls: GraphControls) => void>> = {
  ArrowLeft: (controls) => controls.pan(-STEP, 0),
  ArrowRight: (controls) => controls.pan(STEP, 0),
  ArrowUp: (controls) => controls.pan(0, -STEP),
  ArrowDown: (controls) => controls.pan(0, STEP),
  "+": (controls) => controls.zoom(1.3),
  "=": (controls) => controls.zoom(1.3),
  "-": (controls) => controls.zoom(1 / 1.3),
  "0": (controls) => controls.fit(),
};

/** More rows would be slow; the filter finds the others. */
const MOST_ROWS = 200;

function GraphList(props: {
  readonly graph: Graph;
  readonly chosen: number | undefined;
  readonly onChoose: (point: number) => void;
  readonly children: React.ReactNode;
}) {
  const { graph, chosen, onChoose, children } = props;
  const t = useT();
  const [wanted, setWanted] = useState("");
  const beside = useMemo(() => neighbours(graph), [graph]);
  const low = wanted.trim().toLowerCase();
  const rows = graph.notes
    .map(({ title, path }, point) => ({ title, path, point }))
    .filter(({ title }) => low === "" || title.toLowerCase().includes(low));
  const note = chosen === undefined ? undefined : graph.notes[chosen];
  return (
    <aside className="context" aria-label={t(words.list)}>
      <section>
        <p className="meta" role="status">
          {t(words.count, graph.notes.length, graph.links.length)}
          {graph.left > 0 && ` ${t(words.left, graph.left)}`}
        </p>
        <IndexingProgress reading={graph.reading} />
        {children}
        <p id="graph-keys" className="meta">
          {t(words.keys)}
        </p>
      </section>
      {note && chosen !== undefined && (
        <section aria-live="polite">
          <h2>
            <NotePageLink path={note.path}>{note.title}</NotePageLink>
          </h2>
          <p className="meta">{t(words.links, beside[chosen]!.length)}</p>
          <ul className="places">
            {beside[chosen]!.slice(0, 50).map((point) => (
              <li key={point}>
                <Button tone="quiet small" onClick={() => onChoose(point)}>
                  {graph.notes[point]!.title}
                </Button>
              </li>
            ))}
          </ul>
          <Link to="/notes" search={{ graph: note.path }} className="button small">
            {t(words.around)}
          </Link>
        </section>
      )}
      <section>
        <input
          type="search"
          className="field"
          aria-label={t(words.filter)}
          placeholder={t(words.filter)}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
        <ul className="graph-rows">
          {rows.slice(0, MOST_ROWS).map(({ title, point }) => (
            <li key={point}>
              <button type="button" aria-pressed={point === chosen} onClick={() => onChoose(point)}>
                <span className="cut said">{title}</span>
                <span className="meta">{beside[point]!.length}</span>
              </button>
            </li>
          ))}
        </ul>
        {rows.length > MOST_ROWS && <p className="meta">{t(words.more, rows.length - MOST_ROWS)}</p>}
      </section>
    </aside>
  );
}

function neighbours({ notes, links }: Graph): readonly (readonly number[])[] {
  const found = notes.map(() => new Set<number>());
  for (const { from, to } of links) {
    found[from]!.add(to);
    found[to]!.add(from);
  }
  return found.map((each) => [...each]);
}

const words = {
  depth: { en: "Links away", uk: "На відстані посилань" },
  closer: { en: "Zoom in", uk: "Наблизити" },
  farther: { en: "Zoom out", uk: "Віддалити" },
  fit: { en: "Fit to screen", uk: "Умістити все" },
  picture: {
    en: "Graph of {} [note|notes] and {} [link|links]",
    uk: "Граф: {} [нотатка|нотатки|нотаток], {} [посилання|посилання|посилань]",
  },
  list: { en: "Notes of the graph", uk: "Нотатки графа" },
  count: {
    en: "{} [note|notes], {} [link|links].",
    uk: "{} [нотатка|нотатки|нотаток], {} [посилання|посилання|посилань].",
  },
  left: {
    en: "{} [note|notes] with the fewest links left out.",
    uk: "Не показано {} [нотатку|нотатки|нотаток] з найменшою кількістю посилань.",
  },
  keys: {
    en: "Arrows move, + and − zoom, 0 fits, Enter opens the chosen note.",
    uk: "Стрілки рухають, + і − змінюють масштаб, 0 вміщує все, Enter відкриває обрану нотатку.",
  },
  links: { en: "Linked with {} [note|notes]", uk: "Пов’язана з {} [нотаткою|нотатками|нотатками]" },
  around: { en: "Graph around it", uk: "Граф навколо неї" },
  filter: { en: "Find a note", uk: "Знайти нотатку" },
  more: { en: "{} more; type to find them", uk: "Ще {}; шукайте за назвою" },
} as const satisfies Record<string, Text>;
