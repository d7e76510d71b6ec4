import { Failure } from "../../base/failure.ts";

export const malformedCapability = (field: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a capability cannot have this \`${field}\``,
    uk: `дозвіл не може мати такого \`${field}\``,
    hint: {
      en: "fields are `peer` (a name), `agenticType` (a registered kind), `trigger` (spawn, head-move, notes, merge) and `notAfter` (a UTC time)",
      uk: "поля: `peer` (назва), `agenticType` (зареєстрований вид), `trigger` (spawn, head-move, notes, merge) і `notAfter` (час UTC)",
    },
    details: { field },
  });

export const brokenKey = (why: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this is no Ed25519 key in the format of OpenSSH: ${why}`,
    uk: `це не ключ Ed25519 у форматі OpenSSH: ${why}`,
    hint: {
      en: "`ssh-keygen -t ed25519` makes one, without a passphrase",
      uk: "такий ключ робить `ssh-keygen -t ed25519`, без пароля",
    },
  });
