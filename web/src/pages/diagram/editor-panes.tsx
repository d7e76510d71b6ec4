import type { RefObject } from "react";
import { TextArea } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { CalledDiagram } from "./called-diagram.tsx";
import { CommandPanel } from "./command-panel.tsx";
import { MAIN_PART } from "./editor-history.ts";
import { Findings } from "./findings.tsx";
import { type IconNotes, noteKey } from "./icon-notes.ts";
import { ImportDialog } from "./import-export.tsx";
import { ProposeDialog } from "./propose-dialog.tsx";
import { Pseudocode } from "./pseudocode.tsx";
import type { EditorAnalysis } from "./use-analysis.ts";
import type { EditorActions } from "./use-editor-actions.ts";
import type { EditorState } from "./use-editor-state.ts";

/** Commands of the chosen place, findings and pseudocode. */
export function SidePanel(props: {
  readonly editor: EditorState;
  readonly actions: EditorActions;
  readonly analysis: EditorAnalysis;
  readonly notes: IconNotes;
  readonly onShow: (icon: string) => void;
  readonly onLeave: () => void;
  readonly panel: RefObject<HTMLElement | null>;
}) {
  const { editor, actions, analysis, notes, onShow, onLeave, panel } = props;
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
      {chosen?.kind === "icon" && chosen.type === "insertion" && chosen.icon !== undefined && chosen.text !== "" && (
        <CalledDiagram editor={editor} icon={chosen.icon} />
      )}
      {chosen?.kind === "icon" && chosen.icon !== undefined && (
        <section className="card diagram-note">
          <TextArea
            label={t(words.note)}
            rows={2}
            value={notes.notes[noteKey(editor.path.at(-1) ?? MAIN_PART, chosen.icon)] ?? ""}
            onText={(text) => notes.setNote(noteKey(editor.path.at(-1) ?? MAIN_PART, chosen.icon!), text)}
          />
        </section>
      )}
      <Findings findings={analysis.findings} onShow={onShow} />
      <Pseudocode tree={analysis.tree} icon={chosen?.kind === "line" ? undefined : chosen?.icon} onShow={onShow} />
    </aside>
  );
}

export function Dialogs(props: {
  readonly open: "import" | "propose" | undefined;
  readonly editor: EditorState;
  readonly notes: IconNotes;
  /** With an icon to show and its diagram, if one was selected in the dialog. */
  readonly onClose: (icon?: string, part?: string) => void;
}) {
  const { open, editor, notes, onClose } = props;
  if (open === "import") return <ImportDialog editor={editor} onClose={() => onClose()} />;
  if (open === "propose")
    return (
      <ProposeDialog
        editor={editor}
        notes={notes.notes}
        onClose={() => onClose()}
        onProposed={notes.clear}
        onShow={onClose}
      />
    );
  return null;
}

const words = {
  note: { en: "Comment for reviewers", uk: "Коментар для тих, хто вирішує" },
  side: { en: "Diagram details", uk: "Про діаграму" },
} as const satisfies Record<string, Text>;
