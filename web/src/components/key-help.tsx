import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Dialog } from "./dialog.tsx";
import { Button } from "./form.tsx";
import { Kbd } from "./kbd.tsx";
import { PLACES, SETTINGS_PLACE } from "./places.ts";
import { isTyping, latinKey, useKeys } from "./use-keys.ts";

const PAGE_KEYS: readonly { readonly keys: readonly string[]; readonly does: Text }[] = [
  { keys: ["j", "k"], does: { en: "Next and previous proposal", uk: "наступна пропозиція, попередня" } },
  { keys: ["a"], does: { en: "Approve", uk: "схвалити показане" } },
  { keys: ["b"], does: { en: "Send back, with what should change", uk: "повернути, з тим, що змінити" } },
  { keys: ["r"], does: { en: "Reject, with a reason", uk: "відхилити, з причиною" } },
  { keys: ["e"], does: { en: "Edit and approve", uk: "виправити і схвалити" } },
  { keys: ["z"], does: { en: "Undo the last approval", uk: "скасувати останнє схвалення" } },
  { keys: ["c"], does: { en: "Comment on a line, without deciding", uk: "коментар до рядка, без рішення" } },
  {
    keys: ["s"],
    does: { en: "Words, side by side or as rendered", uk: "слова, поруч або як читається" },
  },
  { keys: ["i"], does: { en: "Context of the change", uk: "контекст зміни" } },
  { keys: ["w"], does: { en: "Why: the chain of causes", uk: "чому: ланцюг причин" } },
  { keys: ["0"], does: { en: "Fit the diagrams", uk: "умістити діаграми" } },
  {
    keys: ["/"],
    does: { en: "Search notes, or focus the question on Ask", uk: "шукати в нотатках; питання на «Запитати»" },
  },
  { keys: ["Mod", "s"], does: { en: "Save the note", uk: "зберегти нотатку" } },
];

const GO_TO = [...PLACES, SETTINGS_PLACE];

let show: () => void = () => undefined;

/** Opens the list of keyboard shortcuts. */
export const showKeyHelp = (): void => show();

/** Time limit for the second key. */
const SECOND_MS = 2000;

/** Global shortcuts: `g` and a letter open a page, `?` lists all shortcuts. */
export function KeyHelp() {
  const t = useT();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ "?": () => setIsOpen(true) });
  useEffect(() => {
    show = () => setIsOpen(true);
  }, []);
  useEffect(() => {
    let since: number | undefined;
    // In the capture phase, before the page's own keys: after `g` a letter names a page.
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      const isSecond = since !== undefined && event.timeStamp - since < SECOND_MS;
      since = undefined;
      if (latinKey(event) === "g" && !isSecond) since = event.timeStamp;
      const page = isSecond ? GO_TO.find(({ key }) => key === latinKey(event)) : undefined;
      if (isSecond && event.key.length === 1) event.preventDefault();
      if (page) void navigate({ to: page.to });
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [navigate]);
  if (!isOpen) return null;
  return (
    <Dialog title={t(words.title)} onClose={() => setIsOpen(false)}>
      <dl className="keys">
        {PAGE_KEYS.map(({ keys, does }) => (
          <Key key={keys.join()} keys={keys} does={t(does)} />
        ))}
        {GO_TO.map(({ key, name }) => (
          <Key key={key} keys={["g", key]} does={t(words.go, t(name))} />
        ))}
        <Key keys={["?"]} does={t(words.help)} />
        <Key keys={["Esc"]} does={t(words.close)} />
      </dl>
      <p>
        <Button onClick={() => setIsOpen(false)}>{t(words.done)}</Button>
      </p>
    </Dialog>
  );
}

const Key = ({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) => (
  <>
    <dt>
      <Kbd keys={keys} />
    </dt>
    <dd>{does}</dd>
  </>
);

const words = {
  title: { en: "Keyboard shortcuts", uk: "Клавіші" },
  go: { en: "Go to {}", uk: "перейти: {}" },
  help: { en: "This list", uk: "цей перелік" },
  close: { en: "Close without deciding", uk: "закрити відкрите, нічого не вирішувати" },
  done: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
