import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { analyse } from "../../../../src/drakon/expression/analyse.ts";
import { useTell } from "../../parts/notices.tsx";
import { type Text, useReader, useSay } from "../../words/say.ts";
import { Bar } from "./bar.tsx";
import { Canvas, nameOf } from "./canvas.tsx";
import { type Carried, carriedIcon, carriedPlace, refusalOf } from "./carry.ts";
import { copyMoves, deletingRun, runFrom, useCopied } from "./copied.ts";
import { Export, Import } from "./files.tsx";
import { Findings } from "./findings.tsx";
import type { Base } from "./kept-drawing.ts";
import { type Move, movesAt } from "./moves.ts";
import { centre, type Direction, neighbour } from "./neighbours.ts";
import { Palette } from "./palette.tsx";
import type { Place } from "./places.ts";
import { Propose } from "./propose.tsx";
import { Pseudocode } from "./pseudocode.tsx";
import { Stock } from "./stock.tsx";
import { TextBox } from "./text-box.tsx";
import { useAsking } from "./use-asking.ts";
import { useDrag } from "./use-drag.ts";
import { type Editor, useEditor } from "./use-editor.ts";
import { bounded } from "./use-pan.ts";
import { Warnings } from "./warnings.tsx";

/** Drawing, what can be done, what is found and what it says, all of one diagram. */
export function Workshop({ current }: { readonly current: Base }) {
  const say = useSay();
  const tell = useTell();
  const { language } = useReader();
  const editor = useEditor(current);
  const { diagram, drawing, places, chosen, checked } = editor;
  const [zoom, setZoom] = useState(1);
  const [asking, setAsking] = useAsking(editor);
  const [picking, setPicking] = useState<Carried>();
  const [opened, setOpened] = useState<"import" | "propose">();
  const [copied, copy] = useCopied();
  const [more, setMore] = useState<{ readonly from: string; readonly count: number }>();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const palette = useRef<HTMLElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const run = useMemo(() => {
    if (chosen?.kind !== "icon" || chosen.icon === undefined) return NO_RUN;
    return runFrom(diagram, chosen.icon, more?.from === chosen.key ? more.count : 0);
  }, [diagram, chosen, more]);
  const moves = useMemo(
    () =>
      chosen
        ? [
            ...movesAt(diagram, chosen, language).map((move) => deletingRun(move, run)),
            ...copyMoves(diagram, chosen, run, copied),
          ]
        : [],
    [diagram, chosen, language, run, copied],
  );
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

  const tellRefusal = ({ reason }: Pick<EditRefused, "reason">): void => tell(`${say(words.refused)} ${say(reason)}`);
  const act = (...operations: readonly EditOperation[]): boolean => {
    const refused = editor.act(...operations);
    if (refused) tellRefusal(refused);
    return !refused;
  };
  const make = (move: Move): void => {
    if (move.needs === "jump") editor.choose(move.to);
    else if (move.needs === "nothing") act(move.operation);
    else if (move.needs === "several") act(...move.operations);
    else if (move.needs === "copy") {
      copy(move.icons);
      if (act(...move.operations)) tell(say(words.copied, move.icons.length));
    } else if (move.needs === "place" && chosen) setPicking(carriedPlace(nameOf(chosen, names, say), chosen, [move]));
    else if (move.needs === "text" && chosen) {
      setAsking({ move, place: chosen });
      return;
    }
    toList();
  };
  const land = (carried: Carried, place: Place): void => {
    const landing = carried.at(place);
    if (!landing) tell(say(carried.hint));
    else if ("operation" in landing) {
      if (act(landing.operation)) setPicking(undefined);
    } else {
      const refused = refusalOf(diagram, landing);
      if (refused) {
        tellRefusal(refused);
        return;
      }
      editor.choose(place.key);
      setAsking({ move: landing.move, place });
      setPicking(undefined);
    }
  };
  const taken = (key: string): Carried | undefined => {
    const place = places.find((each) => each.key === key);
    const carriers = place ? movesAt(diagram, place, language).filter((move) => move.needs === "place") : [];
    return place && carriedPlace(nameOf(place, names, say), place, carriers);
  };
  const { drag, hold } = useDrag({ frame, ghost, editor, zoom, land });
  const carried = drag?.carried ?? picking;
  const openPlaces = useMemo(
    () => carried && new Set(places.filter((place) => carried.at(place)).map(({ key }) => key)),
    [carried, places],
  );
  const point = (key: string, isMore: boolean): void => {
    const place = places.find((each) => each.key === key);
    if (picking && place) land(picking, place);
    else if (isMore && chosen?.kind === "icon" && place?.kind === "icon") {
      const count = runFrom(diagram, chosen.icon!, diagram.icons.size).indexOf(place.icon!);
      if (count < 0) tell(say(words.noRun));
      else setMore({ from: chosen.key, count });
    } else editor.choose(key);
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
    if (event.altKey) return;
    const latin = latinKey(event.code);
    if (event.ctrlKey || event.metaKey) {
      const letter = /^[a-z]$/i.test(event.key) ? event.key : latin;
      const move = moves.find(({ key }) => key === `Ctrl+${letter.toUpperCase()}`);
      if (!move) return;
      event.preventDefault();
      make(move);
      return;
    }
    const direction = ARROWS[event.key];
    const does = direction
      ? () => (event.shiftKey && !picking ? extend(direction) : step(editor, direction))
      : (keysOf(event.key) ?? keysOf(latin));
    if (!does) return;
    event.preventDefault();
    does();
  };
  const extend = (direction: Direction): void => {
    if (chosen?.kind !== "icon" || (direction !== "down" && direction !== "up")) return;
    const now = run.length - 1;
    setMore({ from: chosen.key, count: direction === "down" ? now + 1 : Math.max(0, now - 1) });
  };
  const keysOf = (key: string): (() => void) | undefined => {
    if (key === "Home" || key === "End") return () => editor.choose(places.at(key === "Home" ? 0 : -1)?.key);
    if (key === "+" || key === "=") return () => setZoom(bounded(zoom * 1.25));
    if (key === "-") return () => setZoom(bounded(zoom / 1.25));
    if (key === "0") return fit;
    if (picking) {
      if (key === "Enter" && chosen) return () => land(picking, chosen);
      if (key !== "Escape") return undefined;
      return () => {
        if (picking.from !== undefined) editor.choose(picking.from);
        setPicking(undefined);
      };
    }
    if (key === "Enter" || key === " ") return open;
    const wanted = key === "Backspace" ? "Delete" : key;
    const move = moves.find((each) => each.key === wanted);
    return move && (() => make(move));
  };
  useUndoKeys(editor);

  return (
    <>
      <Bar
        editor={editor}
        zoom={zoom}
        onZoom={setZoom}
        onFit={fit}
        onImport={() => setOpened("import")}
        onForget={() => editor.revert(current)}
        onPropose={() => setOpened("propose")}
      >
        <Export editor={editor} />
      </Bar>
      <Stock
        isTaken={(name) => picking?.name === name}
        onTake={(id, name) => {
          setPicking(carriedIcon(diagram, id, name));
          toList();
        }}
        onHold={(event, id, name) => hold(event, () => carriedIcon(diagram, id, name))}
      />
      <Warnings editor={editor} current={current} />
      <div className={`diagram-work ${carried ? "carrying" : ""}`}>
        <div className="stack tight diagram-desk">
          {carried && (
            <div className="card row between diagram-hint" role="status">
              <p>{drag?.refusal ? `${say(words.refused)} ${say(drag.refusal)}` : say(carried.hint)}</p>
              {picking && (
                <button type="button" className="button" onClick={() => setPicking(undefined)}>
                  {say(words.cancel)} <kbd>Esc</kbd>
                </button>
              )}
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
            run={run}
            open={openPlaces}
            over={drag?.over && { key: drag.over.key, isRefused: drag.refusal !== undefined }}
            onPoint={point}
            onHold={(event, key) => picking === undefined && hold(event, () => taken(key))}
            onOpen={open}
            onKey={keyed}
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
              onRefused={(reason) => tellRefusal({ reason })}
              onLeave={toList}
              palette={palette}
            />
          )}
          <Findings findings={findings} onShow={show} />
          <Pseudocode tree={said.tree} icon={chosen?.kind === "line" ? undefined : chosen?.icon} onShow={show} />
        </aside>
      </div>
      {drag && (
        <div ref={ghost} className="diagram-ghost" aria-hidden="true">
          {say(drag.carried.name)}
        </div>
      )}
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

const NO_RUN: readonly string[] = [];
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
  copied: {
    en: "Copied: {}. It can be pasted on any line, also of another agent.",
    uk: "Скопійовано: {}. Можна вставити на будь-яку лінію, і в іншого агента.",
  },
  noRun: {
    en: "Only steps that follow each other on one line can be chosen together.",
    uk: "Разом можна вибрати лише кроки, що йдуть один за одним на одній лінії.",
  },
  cancel: { en: "Cancel", uk: "Назад" },
  keys: {
    en: "Arrows walk along the flow, Enter edits or goes to what can be put on a line, letters do what the list says, Shift+↓ chooses several steps, Ctrl+Z undoes, + − 0 zoom. Icons and lines can be dragged; with a finger, hold them first.",
    uk: "Стрілки ходять потоком, Enter змінює або веде до того, що можна поставити на лінію, літери роблять зазначене в переліку, Shift+↓ вибирає кілька кроків, Ctrl+Z скасовує, + − 0 — масштаб. Ікони й лінії можна перетягувати; пальцем — спершу потримавши.",
  },
  side: { en: "About the diagram", uk: "Про діаграму" },
} as const satisfies Record<string, Text>;
