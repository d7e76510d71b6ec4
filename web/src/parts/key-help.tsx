import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Text, useSay } from "../words/say.ts";
import { Dialog } from "./dialog.tsx";
import { isTyping, useKeys } from "./keys.ts";

/** The second key after `g`, and where it goes. */
const WAYS = [
  { key: "t", to: "/", name: { en: "Today", uk: "Сьогодні" } },
  { key: "p", to: "/proposals", name: { en: "Proposals", uk: "Пропозиції" } },
  { key: "a", to: "/agents", name: { en: "Agents", uk: "Агенти" } },
  { key: "r", to: "/runs", name: { en: "Runs", uk: "Запуски" } },
  { key: "n", to: "/notes", name: { en: "Notes", uk: "Нотатки" } },
  { key: "q", to: "/ask", name: { en: "Ask", uk: "Запитати" } },
  { key: "w", to: "/why", name: { en: "Why", uk: "Чому" } },
  { key: "s", to: "/settings", name: { en: "Settings", uk: "Налаштування" } },
] as const satisfies readonly { key: string; to: string; name: Text }[];

const OF_PAGES: readonly { readonly keys: readonly string[]; readonly does: Text }[] = [
  {
    keys: ["j", "k"],
    does: { en: "the next proposal, the one before", uk: "наступна пропозиція, попередня" },
  },
  { keys: ["a"], does: { en: "approve what is shown", uk: "схвалити показане" } },
  { keys: ["r"], does: { en: "reject, with a reason", uk: "відхилити, з причиною" } },
  { keys: ["e"], does: { en: "edit and approve", uk: "виправити і схвалити" } },
  { keys: ["s"], does: { en: "one column or side by side", uk: "одна колонка або поруч" } },
  { keys: ["/"], does: { en: "search in notes; the question on Ask", uk: "шукати в нотатках; питання на «Запитати»" } },
  { keys: ["Ctrl", "s"], does: { en: "save the note", uk: "зберегти нотатку" } },
];

/** How long the second key may take. */
const SECOND_MS = 2000;

/** `g` and a letter go to a page; `?` tells all keys. */
export function KeyHelp() {
  const say = useSay();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ "?": () => setIsOpen(true) });
  useEffect(() => {
    let since: number | undefined;
    // Before the page hears of it: behind `g`, a letter is a place and not what it does there.
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      const isSecond = since !== undefined && event.timeStamp - since < SECOND_MS;
      since = undefined;
      if (event.key === "g" && !isSecond) since = event.timeStamp;
      const way = isSecond ? WAYS.find(({ key }) => key === event.key) : undefined;
      if (isSecond && event.key.length === 1) event.preventDefault();
      if (way) void navigate({ to: way.to });
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [navigate]);
  if (!isOpen) return null;
  return (
    <Dialog title={say(words.title)} onClose={() => setIsOpen(false)}>
      <dl className="keys">
        {OF_PAGES.map(({ keys, does }) => (
          <Key key={keys.join()} keys={keys} does={say(does)} />
        ))}
        {WAYS.map(({ key, name }) => (
          <Key key={key} keys={["g", key]} does={say(words.go, say(name))} />
        ))}
        <Key keys={["?"]} does={say(words.help)} />
        <Key keys={["Esc"]} does={say(words.close)} />
      </dl>
      <p>
        <button type="button" className="button" onClick={() => setIsOpen(false)}>
          {say(words.done)}
        </button>
      </p>
    </Dialog>
  );
}

const Key = ({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) => (
  <>
    <dt>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{does}</dd>
  </>
);

const words = {
  title: { en: "Keys", uk: "Клавіші" },
  go: { en: "go to: {}", uk: "перейти: {}" },
  help: { en: "this list", uk: "цей перелік" },
  close: { en: "close what is open, decide nothing", uk: "закрити відкрите, нічого не вирішувати" },
  done: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
