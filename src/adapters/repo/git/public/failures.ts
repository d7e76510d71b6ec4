import { Failure } from "../../../../base/failure.ts";

export const tooManyFetches = (): Failure =>
  new Failure("RATE_LIMITED", {
    en: "too many fetches from the public space at once",
    uk: "забагато одночасних звернень до публічного простору",
    hint: { en: "Try again in a moment.", uk: "Повторіть за мить." },
    details: { retryAfterSeconds: 5 },
  });

export const fetchFailed = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "git could not answer from the public space",
    uk: "git не зміг відповісти з публічного простору",
    hint: {
      en: "Try again. If it stays so, the owner can delete `.bloom/public.git` and publish again.",
      uk: "Повторіть. Якщо не допоможе, власник може видалити `.bloom/public.git` й оприлюднити знову.",
    },
  });
