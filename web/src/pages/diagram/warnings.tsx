import { type Text, useSay } from "../../words/say.ts";
import type { Base } from "./kept-drawing.ts";
import type { Editor } from "./use-editor.ts";

/** What endangers a drawing: another version, another tab, a browser without room. Each with what can be done about it. */
export function Warnings({ editor, current }: { readonly editor: Editor; readonly current: Base }) {
  const say = useSay();
  const isOld = current.version !== editor.base.version && editor.isChanged;
  return (
    <>
      {isOld && (
        <div className="card row between" role="status">
          <p>{say(words.moved, editor.base.version ?? "—", current.version ?? "—")}</p>
          <button type="button" className="button" onClick={() => editor.rest(current)}>
            {say(words.rest, current.version ?? "")}
          </button>
        </div>
      )}
      {editor.isElsewhere && (
        <div className="card row between" role="alert">
          <p>{say(words.elsewhere)}</p>
          <span className="row">
            <button type="button" className="button" onClick={editor.keepOwn}>
              {say(words.keepOwn)}
            </button>
            <button type="button" className="button" onClick={editor.takeOther}>
              {say(words.takeOther)}
            </button>
          </span>
        </div>
      )}
      {!editor.isKept && editor.isChanged && (
        <div className="card" role="alert">
          <p>{say(words.notKept)}</p>
        </div>
      )}
    </>
  );
}

const words = {
  moved: {
    en: "What is drawn here began from {}; the agent follows {} now.",
    uk: "Намальоване тут почато з {}; агент тепер дотримується {}.",
  },
  rest: { en: "Propose it as a change of {}", uk: "Запропонувати як зміну {}" },
  elsewhere: {
    en: "Another tab has drawn something else from this diagram. Both are there; only one of them is kept for the next visit.",
    uk: "В іншій вкладці з цієї діаграми намальовано інше. Є обидві; для наступного разу збережеться лише одна.",
  },
  keepOwn: { en: "Keep this one", uk: "Лишити цю" },
  takeOther: { en: "Take the other one", uk: "Узяти іншу" },
  notKept: {
    en: "This browser has no room to keep what is drawn here. Propose or export it before you leave the page.",
    uk: "У цьому браузері немає місця, щоб зберегти намальоване. Запропонуйте або експортуйте його, перш ніж піти зі сторінки.",
  },
} as const satisfies Record<string, Text>;
