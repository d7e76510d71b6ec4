import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { DiagramBase } from "./drawing-draft.ts";
import type { EditorState } from "./use-editor-state.ts";

/** Risks to an unsaved drawing: a new version, another tab, full storage. Each with what can be done about it. */
export function Warnings({ editor, current }: { readonly editor: EditorState; readonly current: DiagramBase }) {
  const t = useT();
  const isOld = current.version !== editor.base.version && editor.isChanged;
  return (
    <>
      {isOld && (
        <div className="card row between" role="status">
          <p>{t(words.moved, editor.base.version ?? "—", current.version ?? "—")}</p>
          <Button onClick={() => editor.rebase(current)}>{t(words.rest, current.version ?? "")}</Button>
        </div>
      )}
      {editor.isElsewhere && (
        <div className="card row between" role="alert">
          <p>{t(words.elsewhere)}</p>
          <span className="row">
            <Button onClick={editor.keepOwn}>{t(words.keepOwn)}</Button>
            <Button onClick={editor.takeOther}>{t(words.takeOther)}</Button>
          </span>
        </div>
      )}
      {!editor.isKept && editor.isChanged && (
        <div className="card" role="alert">
          <p>{t(words.notKept)}</p>
        </div>
      )}
    </>
  );
}

const words = {
  moved: {
    en: "You started from {}, but the agent now follows {}.",
    uk: "Намальоване тут почато з {}; агент тепер дотримується {}.",
  },
  rest: { en: "Continue as a change of {}", uk: "Запропонувати як зміну {}" },
  elsewhere: {
    en: "This diagram has different unsaved changes in another tab. Only one of the two is kept for your next visit.",
    uk: "В іншій вкладці з цієї діаграми намальовано інше. Є обидві; для наступного разу збережеться лише одна.",
  },
  keepOwn: { en: "Keep this one", uk: "Лишити цю" },
  takeOther: { en: "Use the other one", uk: "Узяти іншу" },
  notKept: {
    en: "Your browser cannot store this drawing. Propose or export it before you leave the page.",
    uk: "У цьому браузері немає місця, щоб зберегти намальоване. Запропонуйте або експортуйте його, перш ніж піти зі сторінки.",
  },
} as const satisfies Record<string, Text>;
