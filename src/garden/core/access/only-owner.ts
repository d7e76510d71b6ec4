import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";

/** FORBIDDEN, for a verb that only the owner may call. `what` completes "only the owner may …". */
export const onlyOwner = (by: Identity, what: Text, details: Readonly<Record<string, unknown>> = {}): Failure =>
  new Failure("FORBIDDEN", {
    en: `only the owner may ${what.en}`,
    uk: `лише власник може ${what.uk}`,
    details: { ...details, by: identityName(by) },
  });
