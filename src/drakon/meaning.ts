import { analyse } from "./expression/analyse.ts";
import type { Finding } from "./finding.ts";
import type { Tree } from "./tree.ts";
import { unsetNames } from "./walk/unset-names.ts";

/**
 * Errors of what a procedure computes, beyond its form: a name that is not set on every path, a constant that is assigned. They stop
 * new logic (activation, proposals, repairs), not the reading of logic that exists.
 */
export const meaningErrors = (tree: Tree): Finding[] => [
  ...analyse(tree).findings.filter(({ severity }) => severity === "error"),
  ...unsetNames(tree),
];
