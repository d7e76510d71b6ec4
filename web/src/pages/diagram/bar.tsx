import type { ReactNode } from "react";
import { type Text, useSay } from "../../words/say.ts";
import type { Editor } from "./use-editor.ts";
import { bounded } from "./use-pan.ts";

/** Undo, size, files and sending. */
export function Bar(props: {
  readonly editor: Editor;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onFit: () => void;
  readonly onImport: () => void;
  readonly onForget: () => void;
  readonly onPropose: () => void;
  /** The ways out. */
  readonly children: ReactNode;
}) {
  const { editor, zoom, onZoom, onFit, onImport, onForget, onPropose, children } = props;
  const say = useSay();
  return (
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
          onClick={() => onZoom(bounded(zoom / 1.25))}
        >
          −
        </button>
        <button type="button" className="button" title={say(words.natural)} onClick={() => onZoom(1)}>
          {Math.round(zoom * 100)} %
        </button>
        <button
          type="button"
          className="button"
          aria-label={say(words.larger)}
          onClick={() => onZoom(bounded(zoom * 1.25))}
        >
          +
        </button>
        <button type="button" className="button" onClick={onFit}>
          {say(words.fit)}
        </button>
      </span>
      <button type="button" className="button" onClick={onImport}>
        {say(words.import)}
      </button>
      {children}
      {editor.isChanged && (
        <button type="button" className="button quiet" onClick={onForget}>
          {say(words.forget)}
        </button>
      )}
      <button type="button" className="button primary" disabled={!editor.isChanged} onClick={onPropose}>
        {say(words.propose)}
      </button>
    </div>
  );
}

const words = {
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
} as const satisfies Record<string, Text>;
