import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type Tell = (text: string) => void;
const NoticeContext = createContext<Tell>(() => undefined);

/** Says something in passing, also to a screen reader; it goes away by itself. */
export const useTell = (): Tell => useContext(NoticeContext);

const SHOWN_MS = 6000;

export function Notices({ children }: { readonly children: ReactNode }) {
  const [told, setTold] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const tell = useCallback<Tell>((text) => {
    const id = performance.now();
    setTold((before) => [...before.slice(-2), { id, text }]);
    setTimeout(() => setTold((before) => before.filter((each) => each.id !== id)), SHOWN_MS);
  }, []);
  return (
    <NoticeContext value={tell}>
      {children}
      <div className="notices" role="status">
        {told.map(({ id, text }) => (
          <div key={id}>{text}</div>
        ))}
      </div>
    </NoticeContext>
  );
}
