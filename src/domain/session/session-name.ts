import { isSlug } from "../contract/slug.ts";
import { invalidSessionName } from "./failures.ts";

/** The name that stands for main among the names of sessions in edges. */
export const MAIN_SESSION = "main";

/** S-2a: names of sessions follow the slug grammar: no two differ in case or Unicode form only, and none is a folder of another. */
export function sessionName(name: string): string {
  if (!isSlug(name) || name === MAIN_SESSION) throw invalidSessionName(name);
  return name;
}

const MAX_NAME = 63;

/**
 * S-2a: the session of a run is `<slug>-<run suffix>`; a long slug is cut. The suffix of another run of the agent can be the same: then the
 * second name, with a number, is taken.
 */
export function runSessionName(slug: string, run: string, nth = 1): string {
  const end = `-${run.slice(run.lastIndexOf("_") + 1)}${nth > 1 ? `-${nth}` : ""}`;
  return sessionName(`${slug.slice(0, MAX_NAME - end.length).replace(/-+$/, "")}${end}`);
}

/** Two runs of one agent with one suffix are rare, three do not happen. */
const MAX_NAMES = 3;

/** The names that the session of a run may have, in their order. */
export const runSessionNames = (slug: string, run: string): readonly string[] =>
  Array.from({ length: MAX_NAMES }, (_, index) => runSessionName(slug, run, index + 1));
