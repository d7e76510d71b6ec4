import { Failure, type FailureCode, isFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";

interface Row {
  readonly code: FailureCode;
  readonly what: (path: string) => Text;
  readonly hint: Text;
}

const notAllowed: Row = {
  code: "FORBIDDEN",
  what: (path) => ({ en: `no permission for ${path}`, uk: `немає дозволу на ${path}` }),
  hint: {
    en: "Check who owns the folder and whether you may write there (`ls -ld`).",
    uk: "Перевірте, кому належить тека і чи можна вам туди писати (`ls -ld`).",
  },
};
const readOnly: Row = {
  code: "FORBIDDEN",
  what: (path) => ({ en: `${path} is on a read-only disk`, uk: `${path} лежить на диску лише для читання` }),
  hint: { en: "Use a folder that can be written to.", uk: "Візьміть теку, в яку можна писати." },
};
const full: Row = {
  code: "UPSTREAM_UNAVAILABLE",
  what: (path) => ({ en: `the disk is full (${path})`, uk: `диск заповнено (${path})` }),
  hint: { en: "Free some space and try again.", uk: "Звільніть місце і повторіть." },
};
const inTheWay: Row = {
  code: "DUPLICATE_ENTRY",
  what: (path) => ({ en: `${path} already exists as something else`, uk: `на місці ${path} вже є щось інше` }),
  hint: { en: "Move it away or choose another folder.", uk: "Перемістіть це або виберіть іншу теку." },
};
const missing: Row = {
  code: "NOT_FOUND",
  what: (path) => ({ en: `${path} does not exist`, uk: `немає ${path}` }),
  hint: { en: "Check the name.", uk: "Перевірте назву." },
};
const disk: Row = {
  code: "UPSTREAM_UNAVAILABLE",
  what: (path) => ({ en: `the disk reports an error (${path})`, uk: `диск не працює як слід (${path})` }),
  hint: { en: "Check the disk, then try again.", uk: "Перевірте диск і повторіть." },
};

const rows: Readonly<Record<string, Row | undefined>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  EEXIST: inTheWay,
  ENOTDIR: inTheWay,
  EISDIR: inTheWay,
  ENOTEMPTY: inTheWay,
  EBUSY: inTheWay,
  ENOENT: missing,
  ENAMETOOLONG: missing,
};

/** Runs `work`; file system errors become failures about `path`. */
export async function asFolderFailure<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw folderFailure(path, error);
  }
}

export function folderFailure(path: string, error: unknown): unknown {
  if (isFailure(error)) return error;
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const row = rows[errno] ?? disk;
  return new Failure(row.code, {
    ...row.what(path),
    hint: row.hint,
    details: { path, errno },
    cause: error,
  });
}

export const linkInTheWay = (path: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${path} is a symbolic link; nothing is written through it`,
    uk: `${path} — символічне посилання; через нього нічого не записують`,
    hint: { en: "Put a real folder there.", uk: "Поставте там справжню теку." },
    details: { path },
  });

export const fileTooLarge = (path: string, limit: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${path} is larger than ${limit} bytes`,
    uk: `${path} більший за ${limit} байтів`,
    details: { path, limit },
  });

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error
    ? error.code
    : undefined;
