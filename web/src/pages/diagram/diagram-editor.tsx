import { type RefObject, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { analyse } from "../../../../src/drakon/expression/analyse.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Canvas, type CanvasProps } from "./canvas.tsx";
import { CommandPanel } from "./command-panel.tsx";
import { dragItemOfNewIcon } from "./drag-item.ts";
import type { DiagramBase } from "./drawing-draft.ts";
import { handleKey, useUndoKeys } from "./editor-keys.ts";
import { Findings } from "./findings.tsx";
import { IconPalette } from "./icon-palette.tsx";
import { ExportMenu, ImportDialog } from "./import-export.tsx";
import { centre } from "./neighbours.ts";
import type { DiagramPlace } from "./places.ts";
import { ProposeDialog } from "./propose-dialog.tsx";
import { Pseudocode } from "./pseudocode.tsx";
import { TextBox } from "./text-box.tsx";
import { Toolbar } from "./toolbar.tsx";
import { type Drag, useDrag } from "./use-drag.ts";
import { type EditorActions, useEditorActions } from "./use-editor-actions.ts";
import { type EditorState, useEditorState } from "./use-editor-state.ts";
import { clampZoom } from "./use-pan.ts";
import { Warnings } from "./warnings.tsx";

/** The editor of one diagram: toolbar, drawing, commands, findings and pseudocode. */
export function DiagramEditor({ current }: { readonly current: DiagramBase }) {
  const t = useT();
  const editor = useEditorState(current);
  const { diagram, drawing } = editor;
  const [zoom, setZoom] = useState(1);
  const [dialog, setDialog] = useState<"import" | "propose">();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const focusList = useCallback((): void => list.current?.focus({ preventScroll: true }), []);
  const showIcon = useShowIcon(editor, focusList);
  const actions = useEditorActions(editor, focusList);
  const analysis = useAnalysis(editor);
  const { drag, hold } = useDrag({ frame, ghost, editor, zoom, onDrop: actions.drop });
  const isDragging = drag !== undefined || actions.picking !== undefined;
  const fit = (): void => {
    if (!frame.current) return;
    const { clientWidth, clientHeight } = frame.current;
    const { width, height } = drawing.picture;
    setZoom(clampZoom(Math.min(1.5, (clientWidth - 8) / width, (clientHeight - 8) / height)));
  };
  const open = (): void => {
    if (!openChosen(editor, actions)) panel.current?.querySelector("button")?.focus();
  };
  useUndoKeys(editor);
  return (
    <>
      <Toolbar
        editor={editor}
        zoom={zoom}
        onZoom={setZoom}
        onFit={fit}
        onImport={() => setDialog("import")}
        onForget={() => editor.revert(current)}
        onPropose={() => setDialog("propose")}
      >
        <ExportMenu editor={editor} />
      </Toolbar>
      <IconPalette
        isTaken={(name) => actions.picking?.name === name}
        onTake={(id, name) => {
          actions.setPicking(dragItemOfNewIcon(diagram, id, name));
          focusList();
        }}
        onHold={(event, id, name) => hold(event, () => dragItemOfNewIcon(diagram, id, name))}
      />
      <Warnings editor={editor} current={current} />
      <div className={`diagram-work ${isDragging ? "carrying" : ""}`}>
        <div className="stack tight diagram-desk">
          <DragHint drag={drag} actions={actions} />
          <Drawing
            editor={editor}
            actions={actions}
            analysis={analysis}
            drag={drag}
            zoom={zoom}
            onZoom={setZoom}
            onHold={(event, key) => !actions.picking && hold(event, () => actions.dragItemAt(key))}
            onOpen={open}
            onKey={(event) => handleKey(event, { editor, actions, zoom, onZoom: setZoom, onFit: fit, onOpen: open })}
            frame={frame}
            list={list}
            focusList={focusList}
          />
          <p className="small quiet diagram-keys">{t(words.keys)}</p>
        </div>
        <SidePanel
          editor={editor}
          actions={actions}
          analysis={analysis}
          onShow={showIcon}
          onLeave={focusList}
          panel={panel}
        />
      </div>
      {drag && (
        <div ref={ghost} className="diagram-ghost" aria-hidden="true">
          {t(drag.item.name)}
        </div>
      )}
      <Dialogs
        open={dialog}
        editor={editor}
        onClose={(icon) => {
          setDialog(undefined);
          if (icon === undefined) focusList();
          else showIcon(icon);
        }}
      />
    </>
  );
}

interface Analysis {
  readonly tree: EditorState["checked"]["tree"];
  readonly bound: ReadonlySet<string>;
  readonly findings: EditorState["checked"]["findings"];
}

/** Findings of the checks, and the analysis of expressions, which is deferred because it takes longer. */
function useAnalysis({ checked, drawing }: EditorState): Analysis {
  const deferred = useDeferredValue(checked);
  const analysis = useMemo(() => (deferred.tree ? analyse(deferred.tree) : undefined), [deferred]);
  const findings = useMemo(
    () => [...checked.findings, ...drawing.findings, ...(deferred === checked ? (analysis?.findings ?? []) : [])],
    [checked, drawing, deferred, analysis],
  );
  return { tree: deferred.tree, bound: analysis?.bound ?? NOTHING_BOUND, findings };
}

const NOTHING_BOUND: ReadonlySet<string> = new Set();

/** Returns a stable function that selects an icon and focuses the drawing. */
function useShowIcon(editor: EditorState, focusList: () => void): (icon: string) => void {
  const latest = useRef(editor);
  latest.current = editor;
  return useCallback(
    (icon) => {
      const { places, choose } = latest.current;
      const found = places.find((place) => place.kind !== "line" && place.kind !== "address" && place.icon === icon);
      if (found) choose(found.key);
      focusList();
    },
    [focusList],
  );
}

/** Runs the main command of the chosen place. Returns false if it has none. */
function openChosen({ chosen }: EditorState, { commands, run }: EditorActions): boolean {
  if (!chosen) return true;
  const main = commands.find(({ key, needs }) => key === "Enter" || (chosen.kind !== "line" && needs === "text"));
  const command = main ?? (chosen.kind === "address" ? commands.at(-1) : undefined);
  if (command) run(command);
  return command !== undefined;
}

function DragHint({ drag, actions }: { readonly drag: Drag | undefined; readonly actions: EditorActions }) {
  const t = useT();
  const { picking, setPicking } = actions;
  const item = drag?.item ?? picking;
  if (!item) return null;
  return (
    <div className="card row between diagram-hint" role="status">
      <p>{drag?.refusal ? `${t(words.refused)} ${t(drag.refusal)}` : t(item.hint)}</p>
      {picking && (
        <Button onClick={() => setPicking(undefined)}>
          {t(words.cancel)} <kbd>Esc</kbd>
        </Button>
      )}
    </div>
  );
}

/** The canvas with the open text prompt over it. */
function Drawing({
  editor,
  actions,
  analysis,
  drag,
  focusList,
  ...rest
}: Pick<CanvasProps, "zoom" | "onZoom" | "onHold" | "onOpen" | "onKey" | "frame" | "list"> & {
  readonly editor: EditorState;
  readonly actions: EditorActions;
  readonly analysis: Analysis;
  readonly drag: Drag | undefined;
  readonly focusList: () => void;
}) {
  const { drawing, places } = editor;
  const { prompt } = actions;
  const svg = useMemo(() => drawing.svg.replace(/<style>[\s\S]*?<\/style>/, ""), [drawing]);
  const item = drag?.item ?? actions.picking;
  const targets = useMemo(
    () => item && new Set(places.filter((place) => item.dropAt(place)).map(({ key }) => key)),
    [item, places],
  );
  return (
    <Canvas
      svg={svg}
      picture={drawing.picture}
      places={places}
      chosen={editor.chosen}
      findings={analysis.findings}
      steps={actions.steps}
      targets={targets}
      over={drag?.over && { key: drag.over.key, isRefused: drag.refusal !== undefined }}
      onSelect={actions.select}
      {...rest}
    >
      {prompt && (
        <TextBox
          key={`${prompt.place.key} ${prompt.command.id}`}
          name={`diagram.${editor.base.slug}.${prompt.place.key}.${prompt.command.id}`}
          prompt={prompt.command.prompt}
          at={promptPosition(prompt.place, rest.zoom, rest.frame.current)}
          bound={analysis.bound}
          onSend={(texts) => {
            const operations = prompt.command.prompt.operations(texts);
            return operations.length === 0 ? undefined : editor.act(...operations);
          }}
          onClose={() => {
            actions.setPrompt(undefined);
            focusList();
          }}
        />
      )}
    </Canvas>
  );
}

const BOX_WIDTH = 336;

/** The position of a text prompt: over its place, but inside the frame. */
function promptPosition(place: DiagramPlace, zoom: number, frame: HTMLElement | null) {
  const { x, y } = place.kind === "line" ? centre(place) : place;
  const left = frame?.scrollLeft ?? 0;
  const most = left + Math.max(0, (frame?.clientWidth ?? 0) - BOX_WIDTH);
  return { x: Math.max(left, Math.min(most, x * zoom - 8)), y: Math.max(0, y * zoom - 8) };
}

/** Commands of the chosen place, findings and pseudocode. */
function SidePanel(props: {
  readonly editor: EditorState;
  readonly actions: EditorActions;
  readonly analysis: Analysis;
  readonly onShow: (icon: string) => void;
  readonly onLeave: () => void;
  readonly panel: RefObject<HTMLElement | null>;
}) {
  const { editor, actions, analysis, onShow, onLeave, panel } = props;
  const t = useT();
  const { diagram, chosen } = editor;
  return (
    <aside className="diagram-side" aria-label={t(words.side)}>
      {chosen && (
        <CommandPanel
          diagram={diagram}
          name={actions.nameOf(chosen)}
          commands={actions.commands}
          isLine={chosen.kind === "line"}
          onCommand={actions.run}
          onRefused={actions.toastRefusal}
          onLeave={onLeave}
          panel={panel}
        />
      )}
      <Findings findings={analysis.findings} onShow={onShow} />
      <Pseudocode tree={analysis.tree} icon={chosen?.kind === "line" ? undefined : chosen?.icon} onShow={onShow} />
    </aside>
  );
}

function Dialogs(props: {
  readonly open: "import" | "propose" | undefined;
  readonly editor: EditorState;
  /** With an icon to show, if one was selected in the dialog. */
  readonly onClose: (icon?: string) => void;
}) {
  const { open, editor, onClose } = props;
  if (open === "import") return <ImportDialog editor={editor} onClose={() => onClose()} />;
  if (open === "propose") return <ProposeDialog editor={editor} onClose={() => onClose()} onShow={onClose} />;
  return null;
}

const words = {
  refused: { en: "Not possible:", uk: "Цього не можна зробити:" },
  cancel: { en: "Cancel", uk: "Назад" },
  keys: {
    en: "Arrow keys move along the diagram, Enter edits or lists what can be inserted, letters run the listed commands, Shift+↓ selects several steps, Ctrl+Z undoes, + − 0 zoom. Icons and lines can be dragged; on a touch screen, hold them first.",
    uk: "Стрілки рухають уздовж схеми, Enter змінює або веде до того, що можна поставити на лінію, літери роблять зазначене в переліку, Shift+↓ вибирає кілька кроків, Ctrl+Z скасовує, + − 0 — масштаб. Ікони й лінії можна перетягувати; пальцем — спершу потримавши.",
  },
  side: { en: "Diagram details", uk: "Про діаграму" },
} as const satisfies Record<string, Text>;
