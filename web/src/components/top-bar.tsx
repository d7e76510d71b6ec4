import { Link } from "@tanstack/react-router";
import { ChevronRight, type LucideIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";

/**
 * The bar above an inner page: where it is, and its actions. First child of the page, beside a `.page` (text with margins) or a
 * `.bleed` (panes to every edge). On a phone only the actions are shown, because the bar of the app names the place.
 */
export function TopBar(props: {
  readonly icon: LucideIcon;
  readonly crumbs: readonly { readonly name: string; readonly to: string }[];
  readonly title: string;
  readonly children?: ReactNode;
}) {
  const { icon: Icon, crumbs, title, children } = props;
  return (
    <div className="top-bar">
      <div className="crumbs cut">
        <Icon size={14} aria-hidden="true" />
        {crumbs.map(({ name, to }) => (
          <Fragment key={to}>
            <Link to={to as never}>{name}</Link>
            <ChevronRight size={12} aria-hidden="true" />
          </Fragment>
        ))}
        <b className="cut">{title}</b>
      </div>
      <div className="grow" />
      {children}
    </div>
  );
}
