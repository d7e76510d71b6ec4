import type { ComponentProps } from "react";
import { Button } from "./form.tsx";

/**
 * A button that decides something. While it is not armed it keeps its focus and does nothing; a held Enter key presses it once.
 */
export function ArmedButton({
  isArmed,
  onClick,
  ...rest
}: Omit<ComponentProps<typeof Button>, "onClick"> & { readonly isArmed: boolean; readonly onClick: () => void }) {
  return (
    <Button
      {...rest}
      aria-disabled={!isArmed}
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => isArmed && onClick()}
    />
  );
}
