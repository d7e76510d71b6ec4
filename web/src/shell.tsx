import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useHearing } from "./api/live.ts";
import { reading } from "./api/queries.ts";
import { keepFocus } from "./parts/focus.ts";
import { Guide } from "./parts/guide.tsx";
import { KeyHelp } from "./parts/key-help.tsx";
import { usePageTitle } from "./parts/page-title.ts";
import { type Text, useReader, useSay } from "./words/say.ts";

/** What stands around every page: the ways to the others, what waits there, language and theme. */
export function Shell() {
  const say = useSay();
  const { language, theme, choose } = useReader();
  const hearing = useHearing();
  const main = useRef<HTMLElement>(null);
  usePageTitle();
  const place = useRouterState({ select: ({ location }) => location.pathname });
  const isFirst = useRef(true);
  useEffect(keepFocus, []);
  // A new page begins at its top, for the eye and for a screen reader.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [place]);
  const pending = useQuery(reading("GET /proposals/pending", { query: { limit: "100" } })).data;
  const asked = useQuery(reading("GET /requests", {})).data;
  const waiting: Readonly<Record<string, number | string>> = {
    "/proposals": pending === undefined ? 0 : pending.next === undefined ? pending.proposals.length : "100+",
    "/": asked?.requests.length ?? 0,
  };
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
        {say(words.skip)}
      </a>
      <header>
        <Link to="/" className="brand">
          <img src="/app/flower.svg" width="28" height="28" alt="" /> Garden Bloom
        </Link>
        <nav aria-label={say(words.pages)}>
          <ul>
            {PAGES.map(({ to, name }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === "/" }}>
                  {say(name)}
                  {(waiting[to] ?? 0) !== 0 && <span className="tag wait">{waiting[to]}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack tight">
          <label className="labelled">
            <span>{say(words.language)}</span>
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
            <span>{say(words.theme)}</span>
            <select
              className="field"
              value={theme}
              onChange={({ target }) => choose({ theme: target.value as typeof theme })}
            >
              <option value="system">{say(words.system)}</option>
              <option value="light">{say(words.light)}</option>
              <option value="dark">{say(words.dark)}</option>
            </select>
          </label>
          <form method="post" action="/sign-out">
            <button type="submit" className="button quiet">
              {say(words.signOut)}
            </button>
          </form>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {(hearing === "away" || hearing === "ended") && (
          <p className="banner" role="alert">
            {say(words[hearing])} {hearing === "ended" && <code>bloom token link</code>}
          </p>
        )}
        <Guide />
        <Outlet />
      </main>
      <KeyHelp />
    </div>
  );
}

const PAGES = [
  { to: "/", name: { en: "Today", uk: "Сьогодні" } },
  { to: "/proposals", name: { en: "Proposals", uk: "Пропозиції" } },
  { to: "/agents", name: { en: "Agents", uk: "Агенти" } },
  { to: "/runs", name: { en: "Runs", uk: "Запуски" } },
  { to: "/notes", name: { en: "Notes", uk: "Нотатки" } },
  { to: "/ask", name: { en: "Ask", uk: "Запитати" } },
  { to: "/why", name: { en: "Why", uk: "Чому" } },
  { to: "/settings", name: { en: "Settings", uk: "Налаштування" } },
] as const satisfies readonly { to: string; name: Text }[];

const words = {
  skip: { en: "To the page", uk: "До сторінки" },
  pages: { en: "Pages", uk: "Сторінки" },
  language: { en: "Language", uk: "Мова" },
  theme: { en: "Theme", uk: "Тема" },
  system: { en: "as the system", uk: "як у системі" },
  signOut: { en: "Sign out", uk: "Вийти" },
  light: { en: "light", uk: "світла" },
  dark: { en: "dark", uk: "темна" },
  away: {
    en: "The garden cannot be reached. What you typed stays here.",
    uk: "Сад недоступний. Те, що ви ввели, лишається тут.",
  },
  ended: {
    en: "Your session ended. What you typed stays here; this page goes on when you open a new link in this browser:",
    uk: "Сеанс завершився. Те, що ви ввели, лишається тут; сторінка працюватиме далі, коли ви відкриєте в цьому браузері нове посилання:",
  },
} as const satisfies Record<string, Text>;
