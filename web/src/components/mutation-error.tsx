import { ApiError } from "../api/client.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Failed } from "./query-result.tsx";

/**
 * What is known of a request whose answer was lost: not yet anything; that it `waits`, as the garden answers again and knows nothing of
 * it; or that to `repeat` it does no harm, because sent again it counts once.
 */
export type RequestFate = "unknown" | "waits" | "repeat";

/** Why something that a person asked for was not done, or that nobody can say yet whether it was; and that nothing typed is lost. */
export function MutationError({ error, fate = "unknown" }: { readonly error: Error; readonly fate?: RequestFate }) {
  const t = useT();
  const refusal = error instanceof ApiError ? error : undefined;
  const told = refusal && toldOf(refusal, fate);
  if (!told) return <Failed error={error} />;
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(told.what)}</strong>
      </p>
      <p className="quiet">
        {t(told.next)} {refusal.isSignedOut && <code>bloom token link</code>}
      </p>
      {refusal.status >= 500 && <p className="quiet small">{refusal.message}</p>}
    </div>
  );
}

function toldOf(refusal: ApiError, fate: RequestFate): { readonly what: Text; readonly next: Text } | undefined {
  if (refusal.isSignedOut) return { what: words.ended, next: words.signIn };
  if (refusal.isUnsent) return { what: words.unsent, next: words.later };
  if (!refusal.isUnknown) return undefined;
  if (fate === "waits") return { what: words.waits, next: words.again };
  return { what: words.unknown, next: fate === "repeat" ? words.repeat : words.looks };
}

const words = {
  ended: {
    en: "Your session ended, so nothing was done.",
    uk: "Сеанс завершився, тому нічого не зроблено.",
  },
  signIn: {
    en: "What you typed stays here. Open a new link in this browser, then send it again:",
    uk: "Усе введене лишається тут. Відкрийте в цьому браузері нове посилання й надішліть ще раз:",
  },
  unsent: { en: "There is no network: this was not sent.", uk: "Немає мережі: це не надіслано." },
  later: {
    en: "What you typed stays here. Send it again when the network is back.",
    uk: "Усе введене лишається тут. Надішліть ще раз, коли мережа повернеться.",
  },
  unknown: {
    en: "The garden did not answer: nobody knows yet whether this counted.",
    uk: "Сад не відповів: поки невідомо, чи це враховано.",
  },
  looks: {
    en: "What you typed stays here. When the garden answers again, this page looks and tells you.",
    uk: "Усе введене лишається тут. Коли сад відповість, сторінка перевірить і скаже.",
  },
  repeat: {
    en: "What you typed stays here. Send it again when the garden answers: it counts once.",
    uk: "Усе введене лишається тут. Коли сад відповість, надішліть ще раз: це зарахується один раз.",
  },
  waits: {
    en: "The garden is back, and this has not reached it: nothing was done.",
    uk: "Сад знову відповідає, але це до нього не дійшло: нічого не зроблено.",
  },
  again: {
    en: "What you typed is still here: send it again.",
    uk: "Усе введене ще тут: надішліть ще раз.",
  },
} as const satisfies Record<string, Text>;
