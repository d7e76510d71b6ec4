import { Maximize2, Plus } from "lucide-react";
import { useMemo } from "react";
import { nameFromTitle } from "../../../../src/domain/note/note-name.ts";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { readInsertion } from "../../../../src/drakon/expression/read-step.ts";
import { checkInsertions, fileDiagramName } from "../../../../src/drakon/insertions.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type DiagramFiles, MAIN_PART } from "./editor-history.ts";
import type { EditorState } from "./use-editor-state.ts";

/** The diagram that an insertion calls: a preview that opens it in place, or an offer to draw it. */
export function CalledDiagram({ editor, icon }: { readonly editor: EditorState; readonly icon: string }) {
  const t = useT();
  const { parts, path, diagram } = editor;
  const file = useMemo(() => fileCalledBy(parts, path, icon), [parts, path, icon]);
  const called = file === undefined ? undefined : parts.get(file);
  const name = readInsertion(diagram.icons.get(icon)?.text ?? "").diagram;
  return (
    <section className="card stack tight called-diagram" aria-label={t(words.title)}>
      <div className="row between">
        <h2>{called?.name || name || t(words.title)}</h2>
        {file !== undefined && (
          <Button tone="small" onClick={() => editor.openAt([...path, file])}>
            <Maximize2 size={14} aria-hidden="true" /> {t(words.open)} <kbd aria-hidden="true">O</kbd>
          </Button>
        )}
      </div>
      {called ? (
        <div className="called-picture">
          <DiagramPicture diagram={called} isFit />
        </div>
      ) : (
        <>
          <p className="small quiet">{t(words.missing, name)}</p>
          <Button tone="small" onClick={() => editor.addPart(newFile(parts, name), emptyDiagram(name))}>
            <Plus size={14} aria-hidden="true" /> {t(words.draw)}
          </Button>
        </>
      )}
    </section>
  );
}

/** The file that an insertion of the open diagram calls; undefined if no diagram has that name. */
export function fileCalledBy(parts: DiagramFiles, path: readonly string[], icon: string): string | undefined {
  const open = path.at(-1) ?? MAIN_PART;
  const named = [...parts].map(([file, diagram]) => ({ file, diagram }));
  return checkInsertions(named).calls.find((one) => one.from === open && one.icon === icon)?.to;
}

/** A file name for a new diagram that no other diagram has. */
function newFile(parts: DiagramFiles, name: string): string {
  const stem = nameFromTitle(name) || "diagram";
  for (let number = 1; ; number++) {
    const file = `${stem}${number === 1 ? "" : `-${number}`}.drakon.json`;
    if (!parts.has(file)) return file;
  }
}

/** A diagram with a header and an end. */
const emptyDiagram = (name: string) =>
  readDiagram(
    `${JSON.stringify({ type: "drakon", name, items: { 1: { type: "branch", branchId: 0, one: "2" }, 2: { type: "end" } } }, null, 2)}\n`,
  ).diagram;

/** The way from the main diagram to the open one. */
export function DiagramPath({ editor }: { readonly editor: EditorState }) {
  const t = useT();
  const { path, parts, openAt } = editor;
  if (path.length === 0) return null;
  const nameOf = (file: string): string => parts.get(file)?.name || fileDiagramName(file);
  return (
    <nav className="card diagram-path" aria-label={t(words.path)}>
      <button type="button" className="link" onClick={() => openAt([])}>
        {parts.get(MAIN_PART)?.name || t(words.main)}
      </button>
      {path.map((file, at) => (
        <span key={file} className="row">
          <span aria-hidden="true">›</span>
          {at === path.length - 1 ? (
            <b aria-current="page">{nameOf(file)}</b>
          ) : (
            <button type="button" className="link" onClick={() => openAt(path.slice(0, at + 1))}>
              {nameOf(file)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

const words = {
  title: { en: "Called diagram", uk: "Викликана діаграма" },
  open: { en: "Open", uk: "Відкрити" },
  draw: { en: "Draw it", uk: "Намалювати її" },
  main: { en: "Main diagram", uk: "Головна діаграма" },
  path: { en: "Open diagram", uk: "Відкрита діаграма" },
  missing: {
    en: "No diagram of this agent is called “{}” yet. It becomes part of the same proposal.",
    uk: "Жодна діаграма цього агента ще не зветься «{}». Вона стане частиною тієї самої пропозиції.",
  },
} as const satisfies Record<string, Text>;
