import { useQuery } from "@tanstack/react-query";
import { Workflow } from "lucide-react";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { TopBar } from "../../components/top-bar.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { DiagramPath } from "./called-diagram.tsx";
import { dragItemOfNewIcon } from "./drag-item.ts";
import { DrawingPane } from "./drawing.tsx";
import type { DiagramBase } from "./drawing-draft.ts";
import { MAIN_PART } from "./editor-history.ts";
import { handleKey, useUndoKeys } from "./editor-keys.ts";
import { Dialogs, SidePanel } from "./editor-panes.tsx";
import { FindBar, useFindKey } from "./find-bar.tsx";
import { useIconNotes } from "./icon-notes.ts";
import { IconPalette } from "./icon-palette.tsx";
import { ExportMenu } from "./import-export.tsx";
import { MiniMap } from "./mini-map.tsx";
import { Toolbar, ZoomBar } from "./toolbar.tsx";
import { useAnalysis } from "./use-analysis.ts";
import { type Drag, useDrag } from "./use-drag.ts";
import { type EditorActions, useEditorActions } from "./use-editor-actions.ts";
import { type EditorState, useEditorState } from "./use-editor-state.ts";
import { clampZoom } from "./use-pan.ts";
import { Warnings } from "./warnings.tsx";

/** The editor of one diagram: bar, new icons, drawing, commands, findings and pseudocode. Opens with the whole drawing in view. */
export function DiagramEditor({ current }: { readonly current: DiagramBase }) {
  const t = useT();
  const editor = useEditorState(current);
  const { diagram, drawing, places } = editor;
  const [zoom, setZoom] = useState(1);
  const [dialog, setDialog] = useState<"import" | "propose">();
  const [isFinding, setIsFinding] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const tools = useTools(current.slug);
  const notes = useIconNotes(current.slug);
  const focusList = useCallback((): void => list.current?.focus({ preventScroll: true }), []);
  const showIcon = useShowIcon(editor, focusList);
  const actions = useEditorActions(editor, focusList);
  const analysis = useAnalysis(editor);
  const { drag, hold } = useDrag({ frame, ghost, editor, zoom, onDrop: actions.drop });
  const isDragging = drag !== undefined || actions.picking !== undefined;
  const fit = useFit(frame, drawing.picture, setZoom, editor.path.join("/"));
  const open = (): void => {
    if (!openChosen(editor, actions)) panel.current?.querySelector("button")?.focus();
  };
  useUndoKeys(editor);
  useFindKey(() => setIsFinding(true));
  const closeFind = (): void => {
    setIsFinding(false);
    focusList();
  };
  return (
    <>
      <EditorBar current={current} editor={editor} onFind={() => setIsFinding(true)} onDialog={setDialog} />
      <div className={`bleed diagram-page ${isDragging ? "carrying" : ""}`}>
        <h1 className="hidden-visually">{`${current.slug} · ${t(words.diagram)}`}</h1>
        <IconPalette
          tools={tools}
          isTaken={(name) => actions.picking?.name === name}
          onTake={(id, name) => {
            actions.setPicking(dragItemOfNewIcon(diagram, id, name));
            focusList();
          }}
          onHold={(event, id, name) => hold(event, () => dragItemOfNewIcon(diagram, id, name))}
        />
        <div className="diagram-desk">
          <div className="diagram-over">
            <DiagramPath editor={editor} />
            <Warnings editor={editor} current={current} />
            {isFinding && <FindBar editor={editor} onClose={closeFind} />}
          </div>
          <DragHint drag={drag} actions={actions} />
          <DrawingPane
            editor={editor}
            actions={actions}
            analysis={analysis}
            tools={tools}
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
          <ZoomBar zoom={zoom} onZoom={setZoom} onFit={fit} />
          <MiniMap frame={frame} picture={drawing.picture} places={places} zoom={zoom} />
        </div>
        <SidePanel
          editor={editor}
          actions={actions}
          analysis={analysis}
          notes={notes}
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
        notes={notes}
        onClose={(icon, part) => {
          setDialog(undefined);
          if (icon === undefined || part === undefined) return focusList();
          editor.openAt(part === MAIN_PART ? [] : [part], `icon ${icon}`);
          focusList();
        }}
      />
    </>
  );
}

/** Where the page is, the state of the drawing, and the tools. */
function EditorBar(props: {
  readonly current: DiagramBase;
  readonly editor: EditorState;
  readonly onFind: () => void;
  readonly onDialog: (dialog: "import" | "propose") => void;
}) {
  const { current, editor, onFind, onDialog } = props;
  const t = useT();
  return (
    <TopBar
      icon={Workflow}
      crumbs={[
        { name: t(words.agents), to: "/agents" },
        { name: current.slug, to: `/agents/${current.slug}` },
      ]}
      title={t(words.diagram)}
    >
      <span className="meta diagram-state">
        {t(editor.isChanged ? words.draft : words.asIs, current.version ?? t(words.new))}
      </span>
      <Toolbar
        editor={editor}
        onFind={onFind}
        onImport={() => onDialog("import")}
        onForget={() => editor.revert(current)}
        onPropose={() => onDialog("propose")}
      >
        <ExportMenu editor={editor} />
      </Toolbar>
    </TopBar>
  );
}

/** The tools that the contract allows. */
function useTools(slug: string): readonly string[] {
  const contract = useQuery(query("GET /agents/:slug", { params: { slug } })).data?.contract;
  const tools = contract?.["tools"];
  return useMemo(() => (Array.isArray(tools) ? tools.filter((tool) => typeof tool === "string") : []), [tools]);
}

/** Returns a function that shows the whole drawing; it is called whenever another diagram opens. */
function useFit(
  frame: RefObject<HTMLDivElement | null>,
  { width, height }: { readonly width: number; readonly height: number },
  onZoom: (zoom: number) => void,
  opened: string,
): () => void {
  const fit = (): void => {
    if (!frame.current) return;
    const { clientWidth, clientHeight } = frame.current;
    onZoom(clampZoom(Math.min(1.5, (clientWidth - FIT_MARGIN) / width, (clientHeight - FIT_MARGIN) / height)));
  };
  const latest = useRef(fit);
  latest.current = fit;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a change of the drawing keeps the zoom, another diagram does not
  useLayoutEffect(() => latest.current(), [opened]);
  return fit;
}

const FIT_MARGIN = 24;

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

const words = {
  refused: { en: "Not possible:", uk: "Цього не можна зробити:" },
  cancel: { en: "Cancel", uk: "Назад" },
  agents: { en: "Agents", uk: "Агенти" },
  diagram: { en: "Diagram", uk: "Діаграма" },
  draft: { en: "draft of a change of {}, kept in this browser", uk: "чернетка зміни {}, збережена в цьому браузері" },
  asIs: { en: "{}, unchanged", uk: "{}, без змін" },
  new: { en: "nothing", uk: "нічого" },
} as const satisfies Record<string, Text>;
