import type { ComponentProps, ReactNode } from "react";

/** A name with its value, inside a `dl`. */
export const FactRow = ({ name, ...value }: ComponentProps<"dd"> & { readonly name: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd {...value} />
  </>
);
