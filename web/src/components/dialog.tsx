import { type ReactNode, useLayoutEffect, useRef } from "react";

/** A modal dialog. Escape and a click outside close it; the browser keeps the focus inside. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    // Closed before it is removed, so that the browser restores the focus.
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      tabIndex={-1}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
