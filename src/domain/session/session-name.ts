import { isSlug } from "../contract/slug.ts";
import { invalidSessionName } from "./failures.ts";

/** S-2a: names of sessions follow the slug grammar: no two differ in case or Unicode form only, and none is a folder of another. */
export function sessionName(name: string): string {
  if (!isSlug(name)) throw invalidSessionName(name);
  return name;
}
