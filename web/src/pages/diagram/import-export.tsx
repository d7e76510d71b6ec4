import { useRef, useState } from "react";
import { stepOutline } from "../../../../src/domain/import/outline.ts";
import { checkText } from "../../../../src/drakon/check.ts";
import { drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import { diagramFromTree } from "../../../../src/drakon/from-tree/diagram-from-tree.ts";
import { draftFromOutline, type OutlineDraft } from "../../../../src/drakon/from-tree/draft-from-outline.ts";
import { parsePseudocode } from "../../../../src/drakon/text/parse.ts";
import { renderPseudocode } from "../../../../src/drakon/text/render.ts";
import { Dialog } from "../../components/dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { type Language, type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import type { EditorState } from "./use-editor-state.ts";

/**
 * Imports a diagram from a file or pasted text, as JSON or pseudocode. A procedure in prose becomes a first draft, which is shown before
 * it is taken.
 */
export function ImportDialog({ editor, onClose }: { readonly editor: EditorState; readonly onClose: () => void }) {
  const t = useT();
  const [text, setText] = useDraft(`diagram.${editor.base.slug}.import`);
  const { language } = usePreferences();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [draft, setDraft] = useState<OutlineDraft>();
  const take = (diagram: string): void => {
    editor.replace(diagram);
    setText(undefined);
    onClose();
  };
  const importText = (given: string): void => {
    const read = readAny(given);
    if (!("problems" in read)) return take(read.text);
    const outline = stepOutline(given, 1);
    setDraft(outline && draftFromOutline(editor.base.slug, outline, language));
    setProblems(read.problems.map((problem) => t(problem)));
  };
  return (
    <Dialog title={t(words.import)} onClose={onClose}>
      <label className="labelled">
        <span>{t(words.file)}</span>
        <input
          type="file"
          className="field"
          accept=".json,.drakon,.md,.txt,application/json,text/plain,text/markdown"
          onChange={({ target }) => void target.files?.[0]?.text().then(importText)}
        />
      </label>
      <label className="labelled">
        <span>{t(words.paste)}</span>
        <textarea
          className="field diagram-code"
          rows={10}
          value={text}
          spellCheck={false}
          onChange={({ target }) => {
            setDraft(undefined);
            setText(target.value);
          }}
        />
      </label>
      {draft && (
        <div role="status" className="card stack tight">
          <p>{t(words.recognised, draft.icons)}</p>
          <pre className="diagram-code scroll-x">{draft.pseudocode}</pre>
          <Button tone="primary" onClick={() => take(draft.diagram)}>
            {t(words.useDraft)}
          </Button>
        </div>
      )}
      {problems.length > 0 && !draft && (
        <div role="alert" className="warning stack tight">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <div className="row">
        <Button tone="primary" disabled={text.trim() === ""} onClick={() => importText(text)}>
          {t(words.take)}
        </Button>
        <Button onClick={onClose}>{t(words.cancel)}</Button>
      </div>
      <p className="small quiet">{t(words.undoable)}</p>
    </Dialog>
  );
}

/** Reads text that begins like JSON as a diagram, any other as pseudocode. A diagram with errors is accepted: it can be fixed here. */
function readAny(given: string): { readonly text: string } | { readonly problems: readonly Text[] } {
  if (/^\uFEFF?\s*[[{]/.test(given)) {
    const fatal = checkText(given).findings.filter(({ code }) => code === "E-JSON" || code === "E-TOO-LARGE");
    return fatal.length > 0 ? { problems: fatal.map(({ message }) => message) } : { text: given };
  }
  const { tree, findings } = parsePseudocode(given);
  if (tree) return { text: diagramFromTree(tree).source.text };
  return {
    problems: [
      words.notJson,
      ...findings
        .filter(({ severity }) => severity === "error")
        .slice(0, 10)
        .map(({ line, message: { en, uk } }) => ({ en: `line ${line}: ${en}`, uk: `рядок ${line}: ${uk}` })),
    ],
  };
}

/** Downloads of the diagram: JSON, SVG, PNG and pseudocode. */
export function ExportMenu({ editor }: { readonly editor: EditorState }) {
  const t = useT();
  const { language } = usePreferences();
  const { diagram, checked, base } = editor;
  const menu = useRef<HTMLDetailsElement>(null);
  const part = editor.path.at(-1)?.replace(/\.drakon\.json$/i, "");
  const name = part === undefined ? base.slug : `${base.slug}-${part}`;
  const svg = (): string => drawDiagram(diagram, { language, name: part ?? base.slug }).svg;
  const code = (of: Language): string => (checked.tree ? renderPseudocode(checked.tree, { language: of }).text : "");
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the buttons in it act
    <details
      ref={menu}
      className="diagram-export"
      onClick={({ target }) => {
        if (target instanceof HTMLButtonElement) menu.current!.open = false;
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") menu.current!.open = false;
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) menu.current!.open = false;
      }}
    >
      <summary className="button">{t(words.export)}</summary>
      <div className="card stack tight">
        <Button
          tone="quiet"
          onClick={() =>
            download(
              `${name}.drakon.json`,
              editor.path.length === 0 ? editor.text : diagram.source.text,
              "application/json",
            )
          }
        >
          {t(words.json)}
        </Button>
        <Button tone="quiet" onClick={() => download(`${name}.svg`, svg(), "image/svg+xml")}>
          {t(words.svg)}
        </Button>
        <Button tone="quiet" onClick={() => void downloadPicture(`${name}.png`, svg())}>
          {t(words.png)}
        </Button>
        {(["en", "uk"] as const).map((of) => (
          <Button
            key={of}
            tone="quiet"
            disabled={!checked.tree}
            onClick={() => download(`${name}.pseudo.${of}.md`, code(of), "text/markdown")}
          >
            {t(of === "en" ? words.codeEn : words.codeUk)}
          </Button>
        ))}
      </div>
    </details>
  );
}

const download = (name: string, text: string, type: string): void =>
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));

/** Pixels per unit of the drawing: sharp on paper. */
const PNG_SCALE = 2;
/** Browsers paint no larger canvas; a longer drawing becomes smaller. */
const MOST_PIXELS = 16_000;

/** Paints the drawing on a canvas and saves it. */
async function downloadPicture(name: string, svg: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml;charset=utf-8" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  const scale = Math.min(PNG_SCALE, MOST_PIXELS / Math.max(image.naturalWidth, image.naturalHeight));
  canvas.width = Math.ceil(image.naturalWidth * scale);
  canvas.height = Math.ceil(image.naturalHeight * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => blob && save(name, blob), "image/png");
}

function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const words = {
  import: { en: "Import", uk: "Імпорт" },
  file: {
    en: "File: .drakon.json, .drakon, pseudocode or a procedure in prose",
    uk: "Файл: .drakon.json, .drakon, псевдокод або процедура звичайним текстом",
  },
  paste: { en: "Or paste the text", uk: "Або вставте текст" },
  take: { en: "Import text", uk: "Імпортувати" },
  cancel: { en: "Cancel", uk: "Назад" },
  undoable: {
    en: "Replaces the current diagram. You can undo this.",
    uk: "Це замінить намальоване; скасування поверне його.",
  },
  notJson: {
    en: "This is neither a JSON diagram nor valid pseudocode:",
    uk: "Це не починається як діаграма (JSON), тому прочитано як псевдокод, але й ним воно не є:",
  },
  recognised: {
    en: "This is prose. Its numbered steps and “if … then” lines make a first draft of {} [icon|icons]; the rest of the text is not in it:",
    uk: "Це звичайний текст. Його пронумеровані кроки та рядки «якщо … то» дають першу чернетку з {} [ікони|ікон|ікон]; решти тексту в ній немає:",
  },
  useDraft: { en: "Use as a first draft", uk: "Узяти як першу чернетку" },
  export: { en: "Export", uk: "Експорт" },
  json: { en: "Diagram (.drakon.json)", uk: "Діаграма (.drakon.json)" },
  svg: { en: "Picture (.svg)", uk: "Рисунок (.svg)" },
  png: { en: "Picture (.png)", uk: "Рисунок (.png)" },
  codeEn: { en: "Pseudocode, English", uk: "Псевдокод англійською" },
  codeUk: { en: "Pseudocode, Ukrainian", uk: "Псевдокод українською" },
} as const satisfies Record<string, Text>;
