import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { useConnection } from "./api/live.ts";
import { query } from "./api/queries.ts";
import { GardenName } from "./components/garden-name.tsx";
import { Guide } from "./components/guide.tsx";
import { isApple } from "./components/kbd.tsx";
import { keepFocus } from "./components/keep-focus.ts";
import { KeyHelp } from "./components/key-help.tsx";
import { PersonMenu } from "./components/person-menu.tsx";
import { PhoneTop, TabBar } from "./components/phone-bars.tsx";
import { PLACES, placeOf, SETTINGS_PLACE } from "./components/places.ts";
import { Loading } from "./components/query-result.tsx";
import { UpgradeNotice } from "./components/upgrade-notice.tsx";
import { ArrivedContext, useArrived } from "./components/use-arrived.ts";
import { useNeeds } from "./components/use-needs.ts";
import { usePageTitle } from "./components/use-page-title.ts";
import { type Text, useT } from "./i18n/use-t.ts";
import { openPalette, PaletteHost } from "./palette/palette-host.tsx";

/** Review, a session and the diagram editor need the width: the sidebar becomes a rail. */
const isWork = (path: string): boolean =>
  /^\/proposals(?:\/|$)|^\/sessions\/[^/]+$|^\/other-gardens\/.|^\/agents\/[^/]+\/diagram$/.test(path);

/** The frame of every page: the sidebar (on a phone two bars), and the connection's state. */
export function Shell() {
  const t = useT();
  const connection = useConnection();
  const hasArrived = useArrived();
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
    <div className={isWork(path) ? "shell work" : "shell"}>
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
      <Sidebar />
      <PhoneTop path={path} />
      <main id="main" ref={main} tabIndex={-1} className={hasArrived ? undefined : "arriving"}>
        {!hasArrived && <Loading />}
        {(connection === "offline" || connection === "signedOut") && (
          <p className="banner" role="alert">
            {t(words[connection])} {connection === "signedOut" && <code>bloom token link</code>}
          </p>
        )}
        <UpgradeNotice />
        <Guide />
        <ArrivedContext value={hasArrived}>
          <Outlet />
        </ArrivedContext>
      </main>
      <TabBar path={path} />
      <KeyHelp />
      <PaletteHost />
    </div>
  );
}

/** The garden, the seven places with their counts, settings and the person. */
function Sidebar() {
  const t = useT();
  const needs = useNeeds();
  const here = useRouterState({ select: ({ location }) => placeOf(location.pathname)?.to });
  const running = useQuery(query("GET /runs", { query: { state: "running", limit: "20" } })).data?.runs.length ?? 0;
  return (
    <header className="side">
      <GardenName />
      <button type="button" className="find" title={t(words.find)} onClick={() => openPalette()}>
        <Search size={14} aria-hidden="true" />
        <span className="grow">{t(words.find)}</span>
        <kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <nav aria-label={t(words.pages)}>
        <ul>
          {PLACES.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="place"
                activeOptions={{ exact: to === "/" }}
                title={t(name)}
                {...(here === to && { "aria-current": "page" })}
              >
                <Icon size={17} aria-hidden="true" />
                <span>{t(name)}</span>
                {needs[to] !== undefined && <span className="count need">{needs[to]}</span>}
                {to === "/runs" && running > 0 && <span className="count">{running}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grow" />
      <Link to={SETTINGS_PLACE.to} className="place" title={t(SETTINGS_PLACE.name)}>
        <SETTINGS_PLACE.icon size={17} aria-hidden="true" />
        <span>{t(SETTINGS_PLACE.name)}</span>
      </Link>
      <PersonMenu side="up" />
    </header>
  );
}

const words = {
  skip: { en: "Skip to content", uk: "До вмісту" },
  find: { en: "Find or do", uk: "Пошук і дії" },
  pages: { en: "Pages", uk: "Розділи" },
  offline: {
    en: "The garden is not reachable. You see what was read last; nothing can be changed until it is back. What you typed is kept.",
    uk: "Сад недоступний. Ви бачите останнє прочитане; змінити нічого не можна, доки він не повернеться. Те, що ви ввели, лишається тут.",
  },
  signedOut: {
    en: "Your session has ended. What you typed is kept. To continue, open a new sign-in link in this browser:",
    uk: "Сеанс завершився. Те, що ви ввели, лишається тут; сторінка працюватиме далі, коли ви відкриєте в цьому браузері нове посилання:",
  },
} as const satisfies Record<string, Text>;
