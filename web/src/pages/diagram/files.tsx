import { useState } from "react";
import { checkText } from "../../../../src/drakon/check.ts";
import { drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import { diagramFromTree } from "../../../../src/drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../../src/drakon/text/parse.ts";
import { renderPseudocode } from "../../../../src/drakon/text/render.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { type Language, type Text, useReader, useSay } from "../../words/say.ts";
import type { Editor } from "./use-editor.ts";

/** A diagram from elsewhere: a file or what was pasted, drawn (JSON) or written (pseudocode). */
export function Import({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const say = useSay();
  const [text, setText] = useDraft(`diagram.${editor.base.slug}.import`);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const take = (given: string): void => {
    const read = readAny(given);
    if ("problems" in read) {
      setProblems(read.problems.map((problem) => say(problem)));
      return;
    }
    editor.replace(read.text);
    setText(undefined);
    onClose();
  };
  return (
    <Dialog title={say(words.import)} onClose={onClose}>
      <label className="labelled">
        <span>{say(words.file)}</span>
        <input
          type="file"
          className="field"
          accept=".json,.drakon,.md,.txt,application/json,text/plain,text/markdown"
          onChange={({ target }) => void target.files?.[0]?.text().then(take)}
        />
      </label>
      <label className="labelled">
        <span>{say(words.paste)}</span>
        <textarea
          className="field diagram-code"
          rows={10}
          value={text}
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {problems.length > 0 && (
        <div role="alert" className="warning stack tight">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <div className="row">
        <button type="button" className="button primary" disabled={text.trim() === ""} onClick={() => take(text)}>
          {say(words.take)}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {say(words.cancel)}
        </button>
      </div>
      <p className="small quiet">{say(words.undoable)}</p>
    </Dialog>
  );
}

/** Whatever begins like JSON is taken for a diagram, anything else for pseudocode. A drawing with errors comes in: it can be mended here. */
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

/** The diagram to take away: as a file of its own kind, as a picture, as text. */
export function Export({ editor }: { readonly editor: Editor }) {
  const say = useSay();
  const { language } = useReader();
  const { diagram, checked, base } = editor;
  const svg = (): string => drawDiagram(diagram, { language, name: base.slug }).svg;
  const code = (of: Language): string => (checked.tree ? renderPseudocode(checked.tree, { language: of }).text : "");
  return (
    <details className="diagram-export">
      <summary className="button">{say(words.export)}</summary>
      <div className="card stack tight">
        <button
          type="button"
          className="button quiet"
          onClick={() => download(`${base.slug}.drakon.json`, diagram.source.text, "application/json")}
        >
          {say(words.json)}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => download(`${base.slug}.svg`, svg(), "image/svg+xml")}
        >
          {say(words.svg)}
        </button>
        {(["en", "uk"] as const).map((of) => (
          <button
            key={of}
            type="button"
            className="button quiet"
            disabled={!checked.tree}
            onClick={() => download(`${base.slug}.pseudo.${of}.md`, code(of), "text/markdown")}
          >
            {say(of === "en" ? words.codeEn : words.codeUk)}
          </button>
        ))}
      </div>
    </details>
  );
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const words = {
  import: { en: "Import", uk: "Імпорт" },
  file: { en: "A file: .drakon.json, .drakon or pseudocode", uk: "Файл: .drakon.json, .drakon або псевдокод" },
  paste: { en: "Or paste it", uk: "Або вставте текст" },
  take: { en: "Take it in", uk: "Узяти" },
  cancel: { en: "Cancel", uk: "Назад" },
  undoable: {
    en: "It takes the place of what is drawn; undo brings that back.",
    uk: "Це замінить намальоване; скасування поверне його.",
  },
  notJson: {
    en: "This does not begin like a diagram (JSON), so it was read as pseudocode, which it is not either:",
    uk: "Це не починається як діаграма (JSON), тому прочитано як псевдокод, але й ним воно не є:",
  },
  export: { en: "Export", uk: "Експорт" },
  json: { en: "Diagram (.drakon.json)", uk: "Діаграма (.drakon.json)" },
  svg: { en: "Picture (.svg)", uk: "Рисунок (.svg)" },
  codeEn: { en: "Pseudocode, English", uk: "Псевдокод англійською" },
  codeUk: { en: "Pseudocode, Ukrainian", uk: "Псевдокод українською" },
} as const satisfies Record<string, Text>;
