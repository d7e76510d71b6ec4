import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../base/failure.ts";
import { machine } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import type { OwnerStore } from "./owner-store.ts";

/** True if the machine's folder of a garden cannot be written: read-only media, or no permission. */
export function isReadOnlyGarden(garden: string): boolean {
  try {
    // Opening the lock for writing is what an owner does next. `access` would ask for the real user instead of the effective one.
    if (existsSync(join(garden, machine.folder))) closeSync(openSync(join(garden, machine.lock), "a"));
    else accessSync(garden, constants.W_OK);
    return false;
  } catch (error) {
    return ["EROFS", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** A store that is read from its files and its log. Every write fails. */
export function readOnlyStore(files: OwnerStore): Store {
  const refuse = async (): Promise<never> => {
    throw readOnly();
  };
  return {
    get: (key) => files.get(key),
    list: (prefix, page) => files.list(prefix, page),
    health: async () => ({ ...(await files.health()), role: "reader" }),
    create: refuse,
    swap: refuse,
    put: refuse,
    delete: refuse,
    remove: refuse,
    inOrder: refuse,
    close: async () => undefined, // nothing is held
  };
}

const readOnly = (): Failure =>
  new Failure("FORBIDDEN", {
    en: "this garden is read-only, so nothing can be changed",
    uk: "цей сад лише для читання, тож змінити нічого не можна",
    hint: {
      en: "Copy it to a folder that you can write to, or restore a backup there.",
      uk: "Скопіюйте його в теку, в яку можна писати, або відновіть там резервну копію.",
    },
    details: { part: "store" },
    outcome: "none",
  });
