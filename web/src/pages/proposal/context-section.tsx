import type { ReactNode } from "react";

/** A named part of the context. */
export const Section = (props: { readonly name: string; readonly aside?: ReactNode; readonly children: ReactNode }) => (
  <section aria-label={props.name}>
    <h3>
      {props.name}
      {props.aside !== undefined && <span className="aside">{props.aside}</span>}
    </h3>
    {props.children}
  </section>
);
