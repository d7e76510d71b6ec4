import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type ShowToast = (text: string) => void;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Shows a short message, also to screen readers. It disappears after `SHOWN_MS`. */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_MS = 6000;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const toast = useCallback<ShowToast>((text) => {
    const id = performance.now();
    setShown((before) => [...before.slice(-2), { id, text }]);
    setTimeout(() => setShown((before) => before.filter((each) => each.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={toast}>
      {children}
      <div className="notices" role="status">
        {shown.map(({ id, text }) => (
          <div key={id}>{text}</div>
        ))}
      </div>
    </ToastContext>
  );
}
