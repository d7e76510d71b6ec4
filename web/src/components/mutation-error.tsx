import { ApiError } from "../api/client.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Failed } from "./query-result.tsx";

/**
 * The state of a request whose answer was lost: `unknown`; `waits` if the garden answers again and never received it; `repeat` if it is
 * idempotent and can be sent again.
 */
export type RequestFate = "unknown" | "waits" | "repeat";

/** The error of a mutation: why it was not done, or that it is unknown whether it was. Says that what was typed is kept. */
export function MutationError({ error, fate = "unknown" }: { readonly error: Error; readonly fate?: RequestFate }) {
  const t = useT();
  const apiError = error instanceof ApiError ? error : undefined;
  const message = apiError && messageOf(apiError, fate);
  if (!message) return <Failed error={error} />;
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(message.what)}</strong>
      </p>
      <p className="quiet">
        {t(message.next)} {apiError.isSignedOut && <code>bloom token link</code>}
      </p>
      {apiError.status >= 500 && <p className="quiet small">{apiError.message}</p>}
    </div>
  );
}

function messageOf(error: ApiError, fate: RequestFate): { readonly what: Text; readonly next: Text } | undefined {
  if (error.isSignedOut) return { what: words.ended, next: words.signIn };
  if (error.isUnsent) return { what: words.unsent, next: words.later };
  if (!error.isUnknown) return undefined;
  if (fate === "waits") return { what: words.waits, next: words.again };
  return { what: words.unknown, next: fate === "repeat" ? words.repeat : words.looks };
}

const words = {
  ended: { en: "Your session has ended. Nothing was changed.", uk: "Сеанс завершився, тому нічого не зроблено." },
  signIn: {
    en: "What you typed is kept. Open a new sign-in link in this browser, then send it again:",
    uk: "Усе введене лишається тут. Відкрийте в цьому браузері нове посилання й надішліть ще раз:",
  },
  unsent: { en: "No network: nothing was sent.", uk: "Немає мережі: це не надіслано." },
  later: {
    en: "What you typed is kept. Send it again when the network is back.",
    uk: "Усе введене лишається тут. Надішліть ще раз, коли мережа повернеться.",
  },
  unknown: {
    en: "The garden did not answer. It is not known yet whether your change was made.",
    uk: "Сад не відповів: поки невідомо, чи це враховано.",
  },
  looks: {
    en: "What you typed is kept. This page checks as soon as the garden answers again.",
    uk: "Усе введене лишається тут. Коли сад відповість, сторінка перевірить і скаже.",
  },
  repeat: {
    en: "What you typed is kept. Send it again when the garden answers; it is counted once.",
    uk: "Усе введене лишається тут. Коли сад відповість, надішліть ще раз: це зарахується один раз.",
  },
  waits: {
    en: "The garden is back and did not receive this. Nothing was changed.",
    uk: "Сад знову відповідає, але це до нього не дійшло: нічого не зроблено.",
  },
  again: { en: "What you typed is kept. Send it again.", uk: "Усе введене ще тут: надішліть ще раз." },
} as const satisfies Record<string, Text>;
