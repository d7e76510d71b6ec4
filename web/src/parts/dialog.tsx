import { type ReactNode, useLayoutEffect, useRef } from "react";

/** A question before going on. Escape and a click outside mean "no"; the browser keeps the focus inside. */
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
    // Closed before it is taken away: then the browser gives the focus back to where it was.
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
