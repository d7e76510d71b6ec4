import type { ReactNode } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { EditorState } from "./use-editor-state.ts";
import { clampZoom } from "./use-pan.ts";

/** Undo, zoom, import, export and proposing. */
export function Toolbar(props: {
  readonly editor: EditorState;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onFit: () => void;
  readonly onImport: () => void;
  readonly onForget: () => void;
  readonly onPropose: () => void;
  readonly children: ReactNode;
}) {
  const { editor, zoom, onZoom, onFit, onImport, onForget, onPropose, children } = props;
  const t = useT();
  return (
    <div className="row diagram-bar" role="toolbar" aria-label={t(words.tools)}>
      <button type="button" className="button" disabled={!editor.canUndo} onClick={editor.undo}>
        {t(words.undo)}
      </button>
      <button type="button" className="button" disabled={!editor.canRedo} onClick={editor.redo}>
        {t(words.redo)}
      </button>
      <span className="row diagram-zoom">
        <button
          type="button"
          className="button"
          aria-label={t(words.smaller)}
          onClick={() => onZoom(clampZoom(zoom / 1.25))}
        >
          −
        </button>
        <button type="button" className="button" title={t(words.natural)} onClick={() => onZoom(1)}>
          {Math.round(zoom * 100)} %
        </button>
        <button
          type="button"
          className="button"
          aria-label={t(words.larger)}
          onClick={() => onZoom(clampZoom(zoom * 1.25))}
        >
          +
        </button>
        <button type="button" className="button" onClick={onFit}>
          {t(words.fit)}
        </button>
      </span>
      <button type="button" className="button" onClick={onImport}>
        {t(words.import)}
      </button>
      {children}
      {editor.isChanged && (
        <button type="button" className="button quiet" onClick={onForget}>
          {t(words.forget)}
        </button>
      )}
      <button type="button" className="button primary" disabled={!editor.isChanged} onClick={onPropose}>
        {t(words.propose)}
      </button>
    </div>
  );
}

const words = {
  tools: { en: "Tools", uk: "Інструменти" },
  undo: { en: "Undo", uk: "Скасувати" },
  redo: { en: "Redo", uk: "Повторити" },
  smaller: { en: "Zoom out", uk: "Менше" },
  larger: { en: "Zoom in", uk: "Більше" },
  natural: { en: "Actual size", uk: "Природний розмір" },
  fit: { en: "Fit", uk: "Умістити" },
  import: { en: "Import", uk: "Імпорт" },
  forget: { en: "Discard changes", uk: "Відкинути зміни" },
  propose: { en: "Propose …", uk: "Запропонувати …" },
} as const satisfies Record<string, Text>;
