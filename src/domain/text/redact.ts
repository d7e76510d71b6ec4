/**
 * Takes secrets out of a text before it is written where people and git keep it (S-6): values that the program knows to be
 * secret, and what looks like a key wherever it comes from. What is taken out leaves a mark, so that a reader sees that
 * something was there.
 */
export const REDACTED = "[redacted]";

/** Shorter values would tear ordinary words apart. */
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
