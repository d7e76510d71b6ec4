import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

/**
 * A button that opens a small panel. Escape, a press outside and leaving it with Tab close it; the focus goes back to the button.
 * Arrow keys move between the panel's buttons and links. `children` gets a function that closes the panel.
 */
export function Menu(props: {
  readonly button: ReactNode;
  readonly className?: string;
  /** Name of the panel, and of the button where it shows none. */
  readonly name: string;
  /** The side on which the panel opens. */
  readonly side?: "up" | "down" | "down end";
  readonly children: (close: () => void) => ReactNode;
}) {
  const { button, className = "button ghost icon", name, side = "down", children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsOpen(false);
    toggle.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    whole.current?.querySelector<HTMLElement>(".panel :is(a, button, input:checked)")?.focus();
    const leave = ({ target }: PointerEvent): void => {
      if (!whole.current?.contains(target as Node)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [isOpen]);
  return (
    <div
      ref={whole}
      className="menu"
      onKeyDown={(event) => isOpen && press(event, whole.current!, close)}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && !whole.current?.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <button
        ref={toggle}
        type="button"
        className={className}
        title={name}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div className={`panel ${side}`} role="group" aria-label={name}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

function press(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  if (event.key === "Escape") {
    event.stopPropagation();
    return close();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll<HTMLElement>(".panel .menu-item")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
}
