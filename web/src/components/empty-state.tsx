import type { ReactNode } from "react";

/** A place where there is nothing: a flower or a 40-pixel icon, a title, one sentence with a fact, one action. */
export function EmptyState(props: {
  readonly picture?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  const { picture, title, children, action } = props;
  return (
    <div className="empty">
      {picture}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className="row">{action}</div>}
    </div>
  );
}
