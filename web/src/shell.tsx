import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useConnection } from "./api/live.ts";
import { query } from "./api/queries.ts";
import { Guide } from "./components/guide.tsx";
import { keepFocus } from "./components/keep-focus.ts";
import { KeyHelp, PAGES } from "./components/key-help.tsx";
import { usePageTitle } from "./components/use-page-title.ts";
import { type Text, usePreferences, useT } from "./i18n/use-t.ts";

/** The frame of every page: navigation with counts, preferences, connection state. */
export function Shell() {
  const t = useT();
  const connection = useConnection();
  const main = useRef<HTMLElement>(null);
  usePageTitle();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isFirst = useRef(true);
  useEffect(keepFocus, []);
  // A new page starts at its top, also for a screen reader.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [path]);
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t(words.skip)}
      </a>
      <header>
        <Link to="/" className="brand">
          <img src="/app/flower.svg" width="28" height="28" alt="" /> Garden Bloom
        </Link>
        <Navigation />
        <PreferenceFields />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {(connection === "offline" || connection === "signedOut") && (
          <p className="banner" role="alert">
            {t(words[connection])} {connection === "signedOut" && <code>bloom token link</code>}
          </p>
        )}
        <Guide />
        <Outlet />
      </main>
      <KeyHelp />
    </div>
  );
}

/** Links to all pages, with the number of proposals and questions that need the owner. */
function Navigation() {
  const t = useT();
  const pending = useQuery(query("GET /proposals/pending", { query: { limit: "100" } })).data;
  const questions = useQuery(query("GET /requests", {})).data;
  const counts: Readonly<Record<string, number | string>> = {
    "/proposals": pending === undefined ? 0 : pending.next === undefined ? pending.proposals.length : "100+",
    "/": questions?.requests.length ?? 0,
  };
  return (
    <nav aria-label={t(words.pages)}>
      <ul>
        {PAGES.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === "/" }}>
              {t(name)}
              {(counts[to] ?? 0) !== 0 && <span className="tag wait">{counts[to]}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Language, theme and sign-out. */
function PreferenceFields() {
  const t = useT();
  const { language, theme, choose } = usePreferences();
  return (
    <div className="stack tight">
      <label className="labelled">
        <span>{t(words.language)}</span>
        <select
          className="field"
          value={language}
          onChange={({ target }) => choose({ language: target.value === "en" ? "en" : "uk" })}
        >
          <option value="uk">Українська</option>
          <option value="en">English</option>
        </select>
      </label>
      <label className="labelled">
        <span>{t(words.theme)}</span>
        <select
          className="field"
          value={theme}
          onChange={({ target }) => choose({ theme: target.value as typeof theme })}
        >
          <option value="system">{t(words.system)}</option>
          <option value="light">{t(words.light)}</option>
          <option value="dark">{t(words.dark)}</option>
        </select>
      </label>
      <form method="post" action="/sign-out">
        <button type="submit" className="button quiet">
          {t(words.signOut)}
        </button>
      </form>
    </div>
  );
}

const words = {
  skip: { en: "Skip to content", uk: "До сторінки" },
  pages: { en: "Pages", uk: "Сторінки" },
  language: { en: "Language", uk: "Мова" },
  theme: { en: "Theme", uk: "Тема" },
  system: { en: "system", uk: "як у системі" },
  signOut: { en: "Sign out", uk: "Вийти" },
  light: { en: "light", uk: "світла" },
  dark: { en: "dark", uk: "темна" },
  offline: {
    en: "The garden is not reachable. What you typed is kept.",
    uk: "Сад недоступний. Те, що ви ввели, лишається тут.",
  },
  signedOut: {
    en: "Your session has ended. What you typed is kept. To continue, open a new sign-in link in this browser:",
    uk: "Сеанс завершився. Те, що ви ввели, лишається тут; сторінка працюватиме далі, коли ви відкриєте в цьому браузері нове посилання:",
  },
} as const satisfies Record<string, Text>;
