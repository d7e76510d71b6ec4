import { useQuery } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import { ApiError } from "../api/client.ts";
import { forgetReads } from "../api/kept-reads.ts";
import { query } from "../api/queries.ts";
import { type Text, type Theme, usePreferences, useT } from "../i18n/use-t.ts";
import { showKeyHelp } from "./key-help.tsx";
import { Menu } from "./menu.tsx";
import { Segments } from "./segments.tsx";

/** The person: language, theme, keyboard shortcuts and sign-out. */
export function PersonMenu({ side }: { readonly side: "up" | "down end" }) {
  const t = useT();
  const me = useQuery({ ...query("GET /me", {}), staleTime: Number.POSITIVE_INFINITY }).data;
  const state = useHealthState();
  const name = me?.name ?? "";
  return (
    <Menu
      side={side}
      name={t(words.menu)}
      className="person"
      button={
        <>
          <span className="hidden-visually">{t(words.menu)}</span>
          <span className="face" aria-hidden="true">
            {name.slice(0, 1).toLocaleUpperCase()}
          </span>
          <span className="cut grow">{name}</span>
          {state && (
            <span className={`state ${state === "ok" ? "good" : "warn"}`}>
              <span>{t(words.states[state])}</span>
            </span>
          )}
        </>
      }
    >
      {(close) => <PersonPanel close={close} />}
    </Menu>
  );
}

const HEALTH_MS = 60_000;

/** The state of the garden as it was read last; `unread` if the last attempt failed. A part that does not work is an error answer. */
function useHealthState() {
  const { data, error } = useQuery({ ...query("GET /health", {}), refetchInterval: HEALTH_MS });
  if (!error) return data?.status;
  return error instanceof ApiError && error.status === 503 ? "degraded" : "unread";
}

function PersonPanel({ close }: { readonly close: () => void }) {
  const t = useT();
  const { language, theme, choose } = usePreferences();
  return (
    <>
      <div className="setting">
        <span className="label">{t(words.language)}</span>
        <Segments
          label={t(words.language)}
          value={language}
          options={[
            { value: "uk", name: "Українська" },
            { value: "en", name: "English" },
          ]}
          onChoose={(chosen) => choose({ language: chosen })}
        />
      </div>
      <div className="setting">
        <span className="label">{t(words.theme)}</span>
        <Segments<Theme>
          label={t(words.theme)}
          value={theme}
          options={[
            { value: "system", name: t(words.system) },
            { value: "light", name: t(words.light) },
            { value: "dark", name: t(words.dark) },
          ]}
          onChoose={(chosen) => choose({ theme: chosen })}
        />
      </div>
      <hr className="rule" />
      <button
        type="button"
        className="menu-item"
        onClick={() => {
          close();
          showKeyHelp();
        }}
      >
        <Keyboard size={16} aria-hidden="true" />
        {t(words.keys)}
        <kbd>?</kbd>
      </button>
      <form method="post" action="/sign-out" onSubmit={() => void forgetReads()}>
        <button type="submit" className="menu-item">
          <LogOut size={16} aria-hidden="true" />
          {t(words.signOut)}
        </button>
      </form>
    </>
  );
}

const words = {
  menu: { en: "Your menu", uk: "Ваше меню" },
  states: {
    ok: { en: "all well", uk: "усе гаразд" },
    slow: { en: "slow", uk: "повільно" },
    degraded: { en: "needs a look", uk: "потребує уваги" },
    unread: { en: "state unknown", uk: "стан невідомий" },
  },
  language: { en: "Language", uk: "Мова" },
  theme: { en: "Theme", uk: "Тема" },
  system: { en: "System", uk: "Як у системі" },
  light: { en: "Light", uk: "Світла" },
  dark: { en: "Dark", uk: "Темна" },
  keys: { en: "Keyboard shortcuts", uk: "Клавіші" },
  signOut: { en: "Sign out", uk: "Вийти" },
} as const satisfies Record<string, Text | Record<string, Text>>;
