import { Failure, type WriteOutcome } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";

/** Where the objects are, for people and for failures. */
export interface BucketPlace {
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  /** Names of the environment variables with the keys. */
  readonly keyEnv: string;
  readonly secretEnv: string;
}

export const shownPlace = ({ endpoint, bucket, prefix }: BucketPlace): string =>
  `s3://${bucket}${prefix === "" ? "" : `/${prefix}`} (${endpoint})`;

type Sentence = (place: BucketPlace) => { readonly say: Text; readonly hint: Text };

const wrongKeys: Sentence = ({ bucket, endpoint, keyEnv, secretEnv }) => ({
  say: {
    en: `${endpoint} refuses the keys for the bucket ${bucket}`,
    uk: `${endpoint} не приймає ключі до кошика ${bucket}`,
  },
  hint: {
    en: `Check the values of ${keyEnv} and ${secretEnv}, and that this user may list, read, write and delete in the bucket.`,
    uk: `Перевірте значення ${keyEnv} і ${secretEnv} та чи може цей користувач переглядати, читати, писати й видаляти в кошику.`,
  },
});

const SENTENCES: Readonly<Record<string, Sentence>> = {
  InvalidAccessKeyId: wrongKeys,
  SignatureDoesNotMatch: wrongKeys,
  AccessDenied: wrongKeys,
  RequestTimeTooSkewed: ({ endpoint }) => ({
    say: {
      en: `the clock of this machine and that of ${endpoint} differ too much`,
      uk: `годинники цієї машини і ${endpoint} надто розходяться`,
    },
    hint: { en: "Set the clock of both (NTP).", uk: "Виставте годинники на обох (NTP)." },
  }),
  NoSuchBucket: ({ bucket, endpoint }) => ({
    say: { en: `there is no bucket ${bucket} at ${endpoint}`, uk: `на ${endpoint} немає кошика ${bucket}` },
    hint: {
      en: "Create the bucket, or correct its name (`store` in garden.yaml, `--store`, `--to`).",
      uk: "Створіть кошик або виправте його назву (`store` у garden.yaml, `--store`, `--to`).",
    },
  }),
  SlowDown: ({ bucket, endpoint }) => ({
    say: {
      en: `${endpoint} limits the rate of requests to the bucket ${bucket}`,
      uk: `${endpoint} обмежує частоту запитів до кошика ${bucket}`,
    },
    hint: {
      en: "Try again in a minute; nothing that was answered is lost.",
      uk: "Спробуйте за хвилину; нічого з підтвердженого не втрачено.",
    },
  }),
  redirect: ({ endpoint, bucket }) => ({
    say: {
      en: `${endpoint} redirects requests for the bucket ${bucket} to another address, which is not followed`,
      uk: `${endpoint} переспрямовує запити до кошика ${bucket} на іншу адресу; туди запити не йдуть`,
    },
    hint: {
      en: "Name the endpoint and the region of the bucket in `store` of garden.yaml.",
      uk: "Вкажіть адресу й регіон кошика в `store` файла garden.yaml.",
    },
  }),
};

/** The failure of a request that got an answer: `status` and the S3 error code of its body. */
export function badAnswer(place: BucketPlace, status: number, code: string, outcome: WriteOutcome): Failure {
  const known =
    SENTENCES[status >= 300 && status < 400 ? "redirect" : code === "" && status === 403 ? "AccessDenied" : code];
  const { say, hint } = known?.(place) ?? unexpected(place, status, code);
  return storeAway(place, say, hint, code || `HTTP ${status}`, outcome);
}

const unexpected = ({ endpoint, bucket }: BucketPlace, status: number, code: string): ReturnType<Sentence> => ({
  say: {
    en: `the store at ${endpoint} (bucket ${bucket}) answers ${status}${code && ` ${code}`}`,
    uk: `сховище на ${endpoint} (кошик ${bucket}) відповідає ${status}${code && ` ${code}`}`,
  },
  hint: LOOK_THERE,
});

const LOOK_THERE: Text = {
  en: "See whether the server of the bucket works; then try again.",
  uk: "Перевірте, чи працює сервер кошика, і повторіть.",
};

/** The failure of a request without an answer. */
export const silentFailure = (place: BucketPlace, why: string, outcome: WriteOutcome, cause: unknown): Failure =>
  storeAway(
    place,
    {
      en: `the store at ${place.endpoint} (bucket ${place.bucket}) does not answer: ${why}${outcome === "unknown" ? "; the write may have happened" : ""}`,
      uk: `сховище на ${place.endpoint} (кошик ${place.bucket}) не відповідає: ${why}${outcome === "unknown" ? "; запис міг відбутися" : ""}`,
    },
    hintFor(why),
    why,
    outcome,
    cause,
  );

const hintFor = (why: string): Text => {
  if (/EPROTO|wrong version number/.test(why))
    return {
      en: "The server does not speak TLS at this port: write `http://` in the endpoint, or name its port for HTTPS.",
      uk: "На цьому порті сервер не відповідає по TLS: запишіть в endpoint `http://` або вкажіть порт для HTTPS.",
    };
  if (/ENOTFOUND|EAI_AGAIN/.test(why))
    return {
      en: "No such host is known: correct the endpoint, or see to the name server.",
      uk: "Такого імені сервера ніхто не знає: виправте endpoint або перевірте сервер імен.",
    };
  return LOOK_THERE;
};

const storeAway = (
  { endpoint, bucket }: BucketPlace,
  say: Text,
  hint: Text,
  reason: string,
  outcome: WriteOutcome,
  cause?: unknown,
): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    ...say,
    hint,
    details: { part: "store", endpoint, bucket, reason },
    outcome,
    cause,
  });

/** The self-test found that this server cannot hold a garden. */
export const serverRefused = (place: BucketPlace, server: string, what: Text, hint: Text): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${server} at ${place.endpoint} cannot hold a garden: ${what.en}`,
    uk: `${server} на ${place.endpoint} не може тримати сад: ${what.uk}`,
    hint,
    details: { part: "store", endpoint: place.endpoint, bucket: place.bucket, server },
  });

export const keysMissing = (variables: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the keys of the store are missing: ${variables.join(" and ")} ${variables.length > 1 ? "are" : "is"} not set in the environment`,
    uk: `бракує ключів сховища: змінні середовища ${variables.join(" і ")} не задано`,
    hint: {
      en: "Set them to the access key and the secret key of the bucket (`store.key_env` and `store.secret_env` of garden.yaml name the variables).",
      uk: "Задайте їм ключ доступу і таємний ключ кошика (назви змінних — `store.key_env` і `store.secret_env` у garden.yaml).",
    },
    details: { part: "store", variables },
  });

export const storeClosed = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the store is closed",
    uk: "сховище закрито",
    details: { part: "store" },
  });
