import { versionsUsedUp } from "./failures.ts";

/** One frozen numbered state of an agent's logic: `v001` … `v999`, in sequence and never used twice (source 000 §3.2). */
export type LogicVersion = string;

const LAST_NUMBER = 999;

export const isLogicVersion = (text: string): text is LogicVersion => /^v(?!000)\d{3}$/.test(text);

export const versionNumber = (version: LogicVersion): number => Number(version.slice(1));

/** `v000` in commit subjects means "no previous version". */
export const versionNamed = (number: number): LogicVersion => `v${String(number).padStart(3, "0")}`;

/** The next version after all known ones; v001 if there is none. Throws after v999. */
export function versionAfter(known: Iterable<LogicVersion>): LogicVersion {
  let highest = 0;
  for (const version of known) highest = Math.max(highest, versionNumber(version));
  if (highest >= LAST_NUMBER) throw versionsUsedUp(versionNamed(highest));
  return versionNamed(highest + 1);
}

/** `versions/v006.rationale.md` → `v006`; undefined for a file outside the archive. */
export function versionOfPath(path: string): LogicVersion | undefined {
  const match = /\/versions\/(v\d{3})\.(?:drakon\.json|pseudo\.md|meta\.json|rationale\.md)$/.exec(path);
  return match && isLogicVersion(match[1]!) ? match[1] : undefined;
}
