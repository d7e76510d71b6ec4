import type { ReactNode } from "react";

/** A named part of the context. */
export const Section = (props: { readonly name: string; readonly aside?: ReactNode; readonly children: ReactNode }) => (
  <section aria-label={props.name}>
    <h2>
      {props.name}
      {props.aside !== undefined && <span className="aside">{props.aside}</span>}
    </h2>
    {props.children}
  </section>
);
