import type { ReactNode } from "react";
import { Button } from "../../components/form.tsx";
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
      <Button disabled={!editor.canUndo} onClick={editor.undo}>
        {t(words.undo)}
      </Button>
      <Button disabled={!editor.canRedo} onClick={editor.redo}>
        {t(words.redo)}
      </Button>
      <span className="row diagram-zoom">
        <Button aria-label={t(words.smaller)} onClick={() => onZoom(clampZoom(zoom / 1.25))}>
          −
        </Button>
        <Button title={t(words.natural)} onClick={() => onZoom(1)}>
          {Math.round(zoom * 100)} %
        </Button>
        <Button aria-label={t(words.larger)} onClick={() => onZoom(clampZoom(zoom * 1.25))}>
          +
        </Button>
        <Button onClick={onFit}>{t(words.fit)}</Button>
      </span>
      <Button onClick={onImport}>{t(words.import)}</Button>
      {children}
      {editor.isChanged && (
        <Button tone="quiet" onClick={onForget}>
          {t(words.forget)}
        </Button>
      )}
      <Button tone="primary" disabled={!editor.isChanged} onClick={onPropose}>
        {t(words.propose)}
      </Button>
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
