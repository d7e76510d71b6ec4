import { useNavigate, useRouterState } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Dialog } from "./dialog.tsx";
import { Button } from "./form.tsx";
import { Kbd } from "./kbd.tsx";
import { KEY_TABLE } from "./key-table.ts";
import { PLACES, SETTINGS_PLACE } from "./places.ts";
import { isTyping, latinKey, useKeys } from "./use-keys.ts";

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
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (!isOpen) return null;
  // The keys of this page come first.
  const sections = KEY_TABLE.toSorted((a, b) => Number(b.on?.test(path) ?? false) - Number(a.on?.test(path) ?? false));
  return (
    <Dialog title={t(words.title)} onClose={() => setIsOpen(false)}>
      <Button tone="ghost icon close" aria-label={t(words.done)} title={t(words.done)} onClick={() => setIsOpen(false)}>
        <X size={16} aria-hidden="true" />
      </Button>
      <div className="key-sections">
        {sections.map(({ id, title, keys }) => (
          <section key={id}>
            <h3>{t(title)}</h3>
            <dl className="keys">
              {keys.map((each) => (
                <Key key={each.keys.join()} keys={each.keys} does={t(each.does)} />
              ))}
            </dl>
          </section>
        ))}
      </div>
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
  done: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
