import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef } from "react";
import "../style/tabs.css";

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly link: {
    readonly to: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly search?: Readonly<Record<string, string>>;
  };
}

/** Tabs, each with its own address. Arrow keys move between them, Enter opens one. */
export function Tabs(props: { readonly name: string; readonly tabs: readonly Tab[]; readonly chosen: string }) {
  const { name, tabs, chosen } = props;
  const list = useRef<HTMLUListElement>(null);
  // Scrolls to the current tab where not all of them fit.
  useEffect(() => {
    const [row, shown] = [list.current, list.current?.querySelector("[aria-current]")?.parentElement];
    if (row && shown) row.scrollLeft = shown.offsetLeft - (row.clientWidth - shown.clientWidth) / 2;
  }, [chosen]);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (at === -1) return;
    event.preventDefault();
    links[(at + step + links.length) % links.length]!.focus();
  };
  return (
    <nav aria-label={name} className="tabs">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it have the focus */}
      <ul ref={list} onKeyDown={move}>
        {tabs.map(({ id, name: shown, link }) => (
          <li key={id}>
            <Link
              to={link.to as never}
              params={(link.params ?? {}) as never}
              search={(link.search ?? {}) as never}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={id === chosen ? "page" : undefined}
            >
              {shown}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
