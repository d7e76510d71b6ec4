import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { type Text, useT } from "../i18n/use-t.ts";

/** What was read, or that it is being read, or why it cannot be; never an empty page. */
export function QueryResult<T>({
  of,
  children,
}: {
  readonly of: UseQueryResult<T>;
  readonly children: (value: T) => ReactNode;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failed error={of.error} again={() => void of.refetch()} />;
  return <Loading />;
}

export function Loading() {
  const t = useT();
  return (
    <p className="quiet" role="status">
      {t(words.loading)}
    </p>
  );
}

export function Failed({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const t = useT();
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{refusal?.isOffline ? t(words.offline) : refusal ? refusal.message : t(words.broken)}</strong>
      </p>
      {refusal?.hint && <p className="quiet">{refusal.hint}</p>}
      {refusal?.isSignedOut && (
        <p className="quiet">
          {t(words.signIn)} <code>bloom token link</code>
        </p>
      )}
      {again && (
        <p>
          <button type="button" className="button" onClick={again}>
            {t(words.again)}
          </button>
        </p>
      )}
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="quiet">{children}</p>;
}

const words = {
  loading: { en: "Reading …", uk: "Читаю …" },
  offline: { en: "The garden cannot be reached.", uk: "Сад недоступний." },
  broken: { en: "This page broke. Loading it again helps.", uk: "Сторінка зламалася. Завантажте її знову." },
  again: { en: "Try again", uk: "Спробувати знову" },
  signIn: { en: "Your session ended. A new link comes from", uk: "Сеанс завершився. Нове посилання дає" },
} as const satisfies Record<string, Text>;
