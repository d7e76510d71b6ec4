import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { useKeys } from "./use-keys.ts";

interface ToastUndo {
  readonly undo: () => void;
  /** Milliseconds in which it can be undone. */
  readonly forMs: number;
  /** The title of the change. */
  readonly about?: string;
}

type ShowToast = (text: string, undo?: ToastUndo) => void;
const ToastContext = createContext<ShowToast>(() => undefined);

/**
 * Shows a short message, also to screen readers. It disappears after `SHOWN_MS`; one that can be undone stays as long as that is
 * possible, and `z` undoes the newest.
 */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_MS = 6000;
const MOST_SHOWN = 5;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undoing?: ToastUndo | undefined;
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const lastId = useRef(0);
  const [shown, setShown] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setShown((before) => before.filter((each) => each.id !== id)), []);
  const toast = useCallback<ShowToast>(
    (text, undoing) => {
      const id = ++lastId.current;
      setShown((before) => [...before.slice(1 - MOST_SHOWN), { id, text, undoing }]);
      setTimeout(() => remove(id), undoing?.forMs ?? SHOWN_MS);
    },
    [remove],
  );
  const undo = ({ id, undoing }: Toast): void => {
    remove(id);
    undoing?.undo();
  };
  const newest = shown.findLast((each) => each.undoing !== undefined);
  useKeys({ z: newest && (() => undo(newest)) });
  return (
    <ToastContext value={toast}>
      {children}
      <div className="notices" role="status">
        {shown.map((each) => (
          <div key={each.id} className="notice">
            {each.undoing && <UndoRing forMs={each.undoing.forMs} />}
            <span className="notice-text">
              {each.text}
              {each.undoing?.about !== undefined && <span className="notice-about"> {each.undoing.about}</span>}
            </span>
            {each.undoing && (
              <Button tone="small" onClick={() => undo(each)}>
                {t(words.undo)} {each === newest && <kbd>z</kbd>}
              </Button>
            )}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** A ring that empties until it is too late to undo. */
const UndoRing = ({ forMs }: { readonly forMs: number }) => (
  <svg className="undo-ring" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle className="track" cx="10" cy="10" r="8" />
    <circle className="left" cx="10" cy="10" r="8" pathLength={100} style={{ animationDuration: `${forMs}ms` }} />
  </svg>
);

const words = { undo: { en: "Undo", uk: "Скасувати" } } as const satisfies Record<string, Text>;
