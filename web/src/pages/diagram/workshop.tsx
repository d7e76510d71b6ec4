import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Operation } from "../../../../src/drakon/edit/operation.ts";
import { analyse } from "../../../../src/drakon/expression/analyse.ts";
import { useTell } from "../../parts/notices.tsx";
import { type Text, useReader, useSay } from "../../words/say.ts";
import { Canvas, nameOf } from "./canvas.tsx";
import { Export, Import } from "./files.tsx";
import { Findings } from "./findings.tsx";
import { type Move, movesAt } from "./moves.ts";
import { centre, type Direction, neighbour } from "./neighbours.ts";
import { Palette } from "./palette.tsx";
import type { Place } from "./places.ts";
import { Propose } from "./propose.tsx";
import { Pseudocode } from "./pseudocode.tsx";
import { TextBox } from "./text-box.tsx";
import { useAsking } from "./use-asking.ts";
import { type Base, type Editor, useEditor } from "./use-editor.ts";
import { bounded } from "./use-pan.ts";

type Picking = Extract<Move, { needs: "place" }>;

/** Drawing, what can be done, what is found and what it says, all of one diagram. */
export function Workshop({ current }: { readonly current: Base }) {
  const say = useSay();
  const tell = useTell();
  const { language } = useReader();
  const editor = useEditor(current);
  const { diagram, drawing, places, chosen, checked } = editor;
  const [zoom, setZoom] = useState(1);
  const [asking, setAsking] = useAsking(editor);
  const [picking, setPicking] = useState<{ readonly move: Picking; readonly from: string }>();
  const [opened, setOpened] = useState<"import" | "propose">();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const palette = useRef<HTMLElement>(null);
  const moves = useMemo(() => (chosen ? movesAt(diagram, chosen, language) : []), [diagram, chosen, language]);
  const said = useDeferredValue(checked);
  const analysis = useMemo(() => (said.tree ? analyse(said.tree) : undefined), [said]);
  const findings = useMemo(
    () => [...checked.findings, ...drawing.findings, ...(said === checked ? (analysis?.findings ?? []) : [])],
    [checked, drawing, said, analysis],
  );
  const svg = useMemo(() => drawing.svg.replace(/<style>[\s\S]*?<\/style>/, ""), [drawing]);
  const names = useMemo(
    () =>
      new Map(places.flatMap((each) => (each.kind === "line" || each.icon === undefined ? [] : [[each.icon, each]]))),
    [places],
  );
  const shown = useRef(editor);
  shown.current = editor;
  const toList = useCallback((): void => list.current?.focus({ preventScroll: true }), []);
  const show = useCallback(
    (icon: string): void => {
      const found = shown.current.places.find(
        (place) => place.kind !== "line" && place.kind !== "address" && place.icon === icon,
      );
      if (found) shown.current.choose(found.key);
      toList();
    },
    [toList],
  );

  const act = (...operations: readonly Operation[]): void => {
    const refused = editor.act(...operations);
    if (refused) tell(`${say(words.refused)} ${say(refused.reason)}`);
  };
  const make = (move: Move): void => {
    if (move.needs === "jump") editor.choose(move.to);
    else if (move.needs === "nothing") act(move.operation);
    else if (move.needs === "place" && chosen) setPicking({ move, from: chosen.key });
    else if (move.needs === "text" && chosen) {
      setAsking({ move, place: chosen });
      return;
    }
    toList();
  };
  const pick = (place: Place): void => {
    const operation = picking?.move.operationAt(place);
    if (!picking) return;
    if (!operation) {
      tell(say(picking.move.hint));
      return;
    }
    const refused = editor.act(operation);
    if (refused) {
      tell(`${say(words.refused)} ${say(refused.reason)}`);
      return;
    }
    setPicking(undefined);
  };
  const point = (key: string): void => {
    const place = places.find((each) => each.key === key);
    if (picking && place) pick(place);
    else editor.choose(key);
    toList();
  };
  const open = (): void => {
    if (!chosen) return;
    const first = moves.find(({ key, needs }) => key === "Enter" || (chosen.kind !== "line" && needs === "text"));
    if (first) make(first);
    else if (chosen.kind === "address") make(moves.at(-1)!);
    else palette.current?.querySelector("button")?.focus();
  };
  const close = (): void => {
    setOpened(undefined);
    toList();
  };
  const fit = (): void => {
    const seen = frame.current;
    if (!seen) return;
    const { width, height } = drawing.picture;
    setZoom(bounded(Math.min(1.5, (seen.clientWidth - 8) / width, (seen.clientHeight - 8) / height)));
  };

  const keyed = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    const does = direction ? () => step(editor, direction) : (keysOf(event.key) ?? keysOf(latinKey(event.code)));
    if (!does) return;
    event.preventDefault();
    does();
  };
  const keysOf = (key: string): (() => void) | undefined => {
    if (key === "Home" || key === "End") return () => editor.choose(places.at(key === "Home" ? 0 : -1)?.key);
    if (key === "+" || key === "=") return () => setZoom(bounded(zoom * 1.25));
    if (key === "-") return () => setZoom(bounded(zoom / 1.25));
    if (key === "0") return fit;
    if (picking) {
      if (key === "Enter" && chosen) return () => pick(chosen);
      if (key !== "Escape") return undefined;
      return () => {
        editor.choose(picking.from);
        setPicking(undefined);
      };
    }
    if (key === "Enter" || key === " ") return open;
    const wanted = key === "Backspace" ? "Delete" : key;
    const move = moves.find((each) => each.key === wanted);
    return move && (() => make(move));
  };
  useUndoKeys(editor);

  const moved = current.version !== editor.base.version && editor.isChanged;
  return (
    <>
      <div className="row diagram-bar" role="toolbar" aria-label={say(words.tools)}>
        <button type="button" className="button" disabled={!editor.canUndo} onClick={editor.undo}>
          {say(words.undo)}
        </button>
        <button type="button" className="button" disabled={!editor.canRedo} onClick={editor.redo}>
          {say(words.redo)}
        </button>
        <span className="row diagram-zoom">
          <button
            type="button"
            className="button"
            aria-label={say(words.smaller)}
            onClick={() => setZoom(bounded(zoom / 1.25))}
          >
            −
          </button>
          <button type="button" className="button" title={say(words.natural)} onClick={() => setZoom(1)}>
            {Math.round(zoom * 100)} %
          </button>
          <button
            type="button"
            className="button"
            aria-label={say(words.larger)}
            onClick={() => setZoom(bounded(zoom * 1.25))}
          >
            +
          </button>
          <button type="button" className="button" onClick={fit}>
            {say(words.fit)}
          </button>
        </span>
        <button type="button" className="button" onClick={() => setOpened("import")}>
          {say(words.import)}
        </button>
        <Export editor={editor} />
        {editor.isChanged && (
          <button type="button" className="button quiet" onClick={() => editor.revert(current)}>
            {say(words.forget)}
          </button>
        )}
        <button
          type="button"
          className="button primary"
          disabled={!editor.isChanged}
          onClick={() => setOpened("propose")}
        >
          {say(words.propose)}
        </button>
      </div>
      {moved && (
        <div className="card row between" role="status">
          <p>{say(words.moved, editor.base.version ?? "—", current.version ?? "—")}</p>
          <button type="button" className="button" onClick={() => editor.rest(current)}>
            {say(words.rest, current.version ?? "")}
          </button>
        </div>
      )}
      <div className="diagram-work">
        <div className="stack tight diagram-desk">
          {picking && (
            <div className="card row between diagram-hint" role="status">
              <p>{say(picking.move.hint)}</p>
              <button type="button" className="button" onClick={() => setPicking(undefined)}>
                {say(words.cancel)} <kbd>Esc</kbd>
              </button>
            </div>
          )}
          <Canvas
            svg={svg}
            picture={drawing.picture}
            places={places}
            chosen={chosen}
            findings={findings}
            zoom={zoom}
            onZoom={setZoom}
            onPoint={point}
            onOpen={open}
            onKey={keyed}
            isPicking={picking !== undefined}
            frame={frame}
            list={list}
          >
            {asking && (
              <TextBox
                key={`${asking.place.key} ${asking.move.id}`}
                name={`diagram.${editor.base.slug}.${asking.place.key}.${asking.move.id}`}
                ask={asking.move.ask}
                at={boxAt(asking.place, zoom, frame.current)}
                bound={analysis?.bound ?? NOBODY}
                onSend={(texts) => {
                  const operations = asking.move.ask.operations(texts);
                  return operations.length === 0 ? undefined : editor.act(...operations);
                }}
                onClose={() => {
                  setAsking(undefined);
                  toList();
                }}
              />
            )}
          </Canvas>
          <p className="small quiet diagram-keys">{say(words.keys)}</p>
        </div>
        <aside className="diagram-side" aria-label={say(words.side)}>
          {chosen && (
            <Palette
              diagram={diagram}
              name={nameOf(chosen, names, say)}
              moves={moves}
              isLine={chosen.kind === "line"}
              onMove={make}
              onRefused={(reason) => tell(`${say(words.refused)} ${say(reason)}`)}
              onLeave={toList}
              palette={palette}
            />
          )}
          <Findings findings={findings} onShow={show} />
          <Pseudocode tree={said.tree} icon={chosen?.kind === "line" ? undefined : chosen?.icon} onShow={show} />
        </aside>
      </div>
      {opened === "import" && <Import editor={editor} onClose={close} />}
      {opened === "propose" && (
        <Propose
          editor={editor}
          onClose={close}
          onShow={(icon) => {
            setOpened(undefined);
            show(icon);
          }}
        />
      )}
    </>
  );
}

const NOBODY: ReadonlySet<string> = new Set();
/** The same keys under any alphabet. */
const latinKey = (code: string): string => (code.startsWith("Key") ? code.slice(3).toLowerCase() : "");
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

function step({ diagram, places, chosen, choose }: Editor, direction: Direction): void {
  const next = chosen ? neighbour(diagram, places, chosen, direction) : places[0];
  if (next) choose(next.key);
}

const BOX_WIDTH = 336;

/** Where the texts of a place are written: over it, but never out of sight. */
function boxAt(place: Place, zoom: number, frame: HTMLElement | null): { readonly x: number; readonly y: number } {
  const { x, y } = place.kind === "line" ? centre(place) : place;
  const left = frame?.scrollLeft ?? 0;
  const most = left + Math.max(0, (frame?.clientWidth ?? 0) - BOX_WIDTH);
  return { x: Math.max(left, Math.min(most, x * zoom - 8)), y: Math.max(0, y * zoom - 8) };
}

/** Undo and redo work everywhere on the page, except where a field has its own. */
function useUndoKeys({ undo, redo }: Editor): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if ((event.target as HTMLElement).closest("input, textarea, dialog")) return;
      const key = event.key.toLowerCase();
      const does = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : undefined;
      if (!does) return;
      event.preventDefault();
      does();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [undo, redo]);
}

const words = {
  refused: { en: "This cannot be done:", uk: "Цього не можна зробити:" },
  tools: { en: "Tools", uk: "Інструменти" },
  undo: { en: "Undo", uk: "Скасувати" },
  redo: { en: "Redo", uk: "Повторити" },
  smaller: { en: "Smaller", uk: "Менше" },
  larger: { en: "Larger", uk: "Більше" },
  natural: { en: "Natural size", uk: "Природний розмір" },
  fit: { en: "Fit", uk: "Умістити" },
  import: { en: "Import", uk: "Імпорт" },
  forget: { en: "Drop the changes", uk: "Відкинути зміни" },
  propose: { en: "Propose …", uk: "Запропонувати …" },
  moved: {
    en: "What is drawn here began from {}; the agent follows {} now.",
    uk: "Намальоване тут почато з {}; агент тепер дотримується {}.",
  },
  rest: { en: "Propose it as a change of {}", uk: "Запропонувати як зміну {}" },
  cancel: { en: "Cancel", uk: "Назад" },
  keys: {
    en: "Arrows walk along the flow, Enter edits or goes to what can be put on a line, letters do what the list says, Ctrl+Z undoes, + − 0 zoom.",
    uk: "Стрілки ходять потоком, Enter змінює або веде до того, що можна поставити на лінію, літери роблять зазначене в переліку, Ctrl+Z скасовує, + − 0 — масштаб.",
  },
  side: { en: "About the diagram", uk: "Про діаграму" },
} as const satisfies Record<string, Text>;
