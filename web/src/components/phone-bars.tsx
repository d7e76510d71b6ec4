import { Link } from "@tanstack/react-router";
import { ChevronLeft, Ellipsis, Search } from "lucide-react";
import { type Text, useT } from "../i18n/use-t.ts";
import { openPalette } from "../palette/palette-host.tsx";
import { GardenName } from "./garden-name.tsx";
import { Menu } from "./menu.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { PLACES, placeOf, SETTINGS_PLACE } from "./places.ts";
import { useNeeds } from "./use-needs.ts";

/** The bar above a page on a phone: the garden, or the way back to the place that the page belongs to. */
export function PhoneTop({ path }: { readonly path: string }) {
  const t = useT();
  const place = placeOf(path);
  return (
    <header className="phone-top">
      {place === undefined || place.to === path ? (
        <GardenName />
      ) : (
        <Link to={place.to} className="back">
          <ChevronLeft size={20} aria-hidden="true" />
          {t(place.name)}
        </Link>
      )}
      <div className="grow" />
      <button type="button" className="button ghost icon" aria-label={t(words.find)} onClick={() => openPalette()}>
        <Search size={20} aria-hidden="true" />
      </button>
      <PersonMenu side="down end" />
    </header>
  );
}

const ON_BAR = ["/", "/proposals", "/notes", "/agents"];
const MORE = [...PLACES, SETTINGS_PLACE].filter(({ to }) => !ON_BAR.includes(to));

/** The places at the bottom of a phone. */
export function TabBar({ path }: { readonly path: string }) {
  const t = useT();
  const needs = useNeeds();
  const here = placeOf(path)?.to;
  return (
    <nav className="tab-bar" aria-label={t(words.pages)}>
      {ON_BAR.map((to) => {
        const { name, icon: Icon } = PLACES.find((place) => place.to === to)!;
        return (
          <Link key={to} to={to} className="tab" aria-current={here === to ? "page" : undefined}>
            <Icon size={21} aria-hidden="true" />
            {t(name)}
            {needs[to] !== undefined && <span className="count need">{needs[to]}</span>}
          </Link>
        );
      })}
      <Menu
        side="up"
        name={t(words.more)}
        className={MORE.some(({ to }) => to === here) ? "tab here" : "tab"}
        button={
          <>
            <Ellipsis size={21} aria-hidden="true" />
            {t(words.more)}
          </>
        }
      >
        {(close) =>
          MORE.map(({ to, name, icon: Icon }) => (
            <Link key={to} to={to} className="menu-item" onClick={close}>
              <Icon size={17} aria-hidden="true" />
              {t(name)}
            </Link>
          ))
        }
      </Menu>
    </nav>
  );
}

const words = {
  pages: { en: "Places", uk: "Місця" },
  find: { en: "Find or do", uk: "Пошук і дії" },
  more: { en: "More", uk: "Більше" },
} as const satisfies Record<string, Text>;
