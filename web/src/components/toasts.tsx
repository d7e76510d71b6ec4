import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type ShowToast = (text: string) => void;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Says something in passing, also to a screen reader; it goes away by itself. */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_MS = 6000;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [told, setTold] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const tell = useCallback<ShowToast>((text) => {
    const id = performance.now();
    setTold((before) => [...before.slice(-2), { id, text }]);
    setTimeout(() => setTold((before) => before.filter((each) => each.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={tell}>
      {children}
      <div className="notices" role="status">
        {told.map(({ id, text }) => (
          <div key={id}>{text}</div>
        ))}
      </div>
    </ToastContext>
  );
}
