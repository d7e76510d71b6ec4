import { Redo2, Search, Undo2, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { EditorState } from "./use-editor-state.ts";
import { clampZoom } from "./use-pan.ts";

/** Undo, find, import, export and proposing. */
export function Toolbar(props: {
  readonly editor: EditorState;
  readonly onFind: () => void;
  readonly onImport: () => void;
  readonly onForget: () => void;
  readonly onPropose: () => void;
  readonly children: ReactNode;
}) {
  const { editor, onFind, onImport, onForget, onPropose, children } = props;
  const t = useT();
  const tool = (name: Text, icon: ReactNode, onClick: () => void, isDisabled = false) => (
    <Button tone="ghost icon small" aria-label={t(name)} title={t(name)} disabled={isDisabled} onClick={onClick}>
      {icon}
    </Button>
  );
  return (
    <div className="row diagram-bar" role="toolbar" aria-label={t(words.tools)}>
      {tool(words.undo, <Undo2 size={16} aria-hidden="true" />, editor.undo, !editor.canUndo)}
      {tool(words.redo, <Redo2 size={16} aria-hidden="true" />, editor.redo, !editor.canRedo)}
      {tool(words.find, <Search size={16} aria-hidden="true" />, onFind)}
      {tool(words.import, <Upload size={16} aria-hidden="true" />, onImport)}
      {children}
      {editor.isChanged && (
        <Button tone="ghost small" onClick={onForget}>
          {t(words.forget)}
        </Button>
      )}
      <Button tone="primary small" disabled={!editor.isChanged} onClick={onPropose}>
        {t(words.propose)}
      </Button>
    </div>
  );
}

/** Equal controls at the corner of the drawing. */
export function ZoomBar(props: {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onFit: () => void;
}) {
  const { zoom, onZoom, onFit } = props;
  const t = useT();
  return (
    <div className="diagram-zoom" role="group" aria-label={t(words.zoom)}>
      <Button tone="ghost icon small" aria-label={t(words.smaller)} onClick={() => onZoom(clampZoom(zoom / 1.25))}>
        −
      </Button>
      <Button tone="ghost small" title={t(words.natural)} onClick={() => onZoom(1)}>
        {Math.round(zoom * 100)} %
      </Button>
      <Button tone="ghost icon small" aria-label={t(words.larger)} onClick={() => onZoom(clampZoom(zoom * 1.25))}>
        +
      </Button>
      <Button tone="ghost small" onClick={onFit}>
        {t(words.fit)} <kbd aria-hidden="true">0</kbd>
      </Button>
    </div>
  );
}

const words = {
  tools: { en: "Tools", uk: "Інструменти" },
  undo: { en: "Undo", uk: "Скасувати" },
  redo: { en: "Redo", uk: "Повторити" },
  find: { en: "Find (Ctrl F)", uk: "Знайти (Ctrl F)" },
  zoom: { en: "Zoom", uk: "Масштаб" },
  smaller: { en: "Zoom out", uk: "Менше" },
  larger: { en: "Zoom in", uk: "Більше" },
  natural: { en: "Actual size", uk: "Природний розмір" },
  fit: { en: "Fit", uk: "Умістити" },
  import: { en: "Import", uk: "Імпорт" },
  forget: { en: "Discard changes", uk: "Відкинути зміни" },
  propose: { en: "Propose …", uk: "Запропонувати …" },
} as const satisfies Record<string, Text>;
