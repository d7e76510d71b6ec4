import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { useKeys } from "./use-keys.ts";

interface ToastUndo {
  readonly undo: () => void;
  /** Milliseconds in which it can be undone. */
  readonly forMs: number;
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
  readonly undo?: (() => void) | undefined;
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const lastId = useRef(0);
  const [shown, setShown] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setShown((before) => before.filter((each) => each.id !== id)), []);
  const toast = useCallback<ShowToast>(
    (text, undoing) => {
      const id = ++lastId.current;
      setShown((before) => [...before.slice(1 - MOST_SHOWN), { id, text, undo: undoing?.undo }]);
      setTimeout(() => remove(id), undoing?.forMs ?? SHOWN_MS);
    },
    [remove],
  );
  const undo = ({ id, undo: act }: Toast): void => {
    remove(id);
    act?.();
  };
  const newest = shown.findLast((each) => each.undo !== undefined);
  useKeys({ z: newest && (() => undo(newest)) });
  return (
    <ToastContext value={toast}>
      {children}
      <div className="notices" role="status">
        {shown.map((each) => (
          <div key={each.id} className="row between">
            <span>{each.text}</span>
            {each.undo && (
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

const words = { undo: { en: "Undo", uk: "Скасувати" } } as const satisfies Record<string, Text>;
