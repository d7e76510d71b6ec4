import type { UseQueryResult } from "@tanstack/react-query";
import { CircleAlert, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";

/** Renders the data of a query, a loading message, or its error with a retry button. */
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
    <p className="loading" role="status">
      {t(words.loading)}
    </p>
  );
}

export function Failed({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const t = useT();
  const apiError = error instanceof ApiError ? error : undefined;
  return (
    <div className="empty" role="alert">
      {apiError?.isOffline ? (
        <Unplug size={40} strokeWidth={1.5} aria-hidden="true" />
      ) : (
        <CircleAlert size={40} strokeWidth={1.5} aria-hidden="true" />
      )}
      <h2>{apiError?.isOffline ? t(words.offline) : apiError ? asSentence(apiError.message) : t(words.broken)}</h2>
      {apiError?.hint && <p>{withCode(apiError.hint)}</p>}
      {apiError?.isSignedOut && (
        <p>
          {t(words.signIn)} <code>bloom token link</code>
        </p>
      )}
      {again && (
        <div className="row">
          <Button onClick={again}>{t(words.again)}</Button>
        </div>
      )}
    </div>
  );
}

/** The gateway's messages begin in lower case, for the command line, where they follow "bloom:". */
const asSentence = (message: string): string => message.charAt(0).toLocaleUpperCase() + message.slice(1);

/** A text with its `commands` set as code. */
const withCode = (text: string): ReactNode[] =>
  // The parts of one text never change their order, so their number is their key.
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at}:${part}`}>{part}</code> : part));

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="quiet">{children}</p>;
}

const words = {
  loading: { en: "Loading …", uk: "Читаю …" },
  offline: { en: "The garden is not reachable.", uk: "Сад недоступний." },
  broken: { en: "Something went wrong. Reload the page.", uk: "Сторінка зламалася. Завантажте її знову." },
  again: { en: "Try again", uk: "Спробувати знову" },
  signIn: { en: "Your session has ended. Get a new sign-in link with", uk: "Сеанс завершився. Нове посилання дає" },
} as const satisfies Record<string, Text>;
