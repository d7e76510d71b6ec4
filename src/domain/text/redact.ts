/**
 * Removes secrets from a text before it is stored (S-6): known secret values, and anything that looks like a key.
 * Each is replaced by a mark, so that readers see that something was removed.
 */
export const REDACTED = "[redacted]";

/** Shorter values would match parts of ordinary words. */
const SHORTEST = 8;

const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\bgh[opusr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
];
const AFTER_NAME =
  /\b(authorization|bearer|api[-_]?key|password|secret|token)(["']?\s*[:=]\s*["']?(?:bearer\s+)?|\s+)([A-Za-z0-9_\-.~+/]{20,}=*)/gi;

export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= SHORTEST) clean = clean.replaceAll(secret, REDACTED);
  for (const pattern of PATTERNS) clean = clean.replace(pattern, REDACTED);
  return clean.replace(AFTER_NAME, (_, name: string, between: string) => `${name}${between}${REDACTED}`);
}

/** The same for every text in a JSON value, names of members included. Returns the value itself if nothing was removed. */
export const redactJson = <T>(value: T, secrets: readonly string[] = []): T =>
  withTexts(value, (text) => redact(text, secrets));

/** Removes the known secret values, and nothing else: for data that must stay as it is otherwise. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const known = secrets.filter(({ length }) => length >= SHORTEST);
  if (known.length === 0) return value;
  return withTexts(value, (text) => known.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text));
}

/** True if a known secret value is anywhere in the JSON value. */
export const holdsSecret = (value: unknown, secrets: readonly string[]): boolean =>
  withoutSecrets(value, secrets) !== value;

function withTexts<T>(value: T, clean: (text: string) => string): T {
  if (typeof value === "string") return clean(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withTexts(item, clean));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const made: [string, unknown] = [clean(name), withTexts(member as unknown, clean)];
    isChanged ||= made[0] !== name || made[1] !== member;
    return made;
  });
  return isChanged ? (Object.fromEntries(members) as T) : value;
}
