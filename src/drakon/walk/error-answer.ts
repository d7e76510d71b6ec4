import type { Json } from "../../base/canonical.ts";
import { oneSpelling } from "../expression/lexer.ts";
import type { IconId } from "../icon-id.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Tree } from "../tree.ts";
import type { Program } from "./frame.ts";
import { statementsOf, treeNamed } from "./icon-statements.ts";
import type { Request } from "./request.ts";

/**
 * The answer for a failed call if the diagram handles it, that is if the icon stores its result under a name and `name.error`
 * (`назва.помилка`) occurs somewhere in the diagram. Otherwise undefined, and the failure ends the procedure.
 */
export function errorAnswer(
  { trees }: Program,
  { diagram, icon, kind }: Request,
  { code, message }: { readonly code: string; readonly message: string },
): Json | undefined {
  const tree = treeNamed(trees, diagram);
  const isHandled = tree && targetsOf(tree, icon).some((name) => checkedNames(tree).has(name));
  if (!isHandled) return undefined;
  const error = { code, message };
  return { error, помилка: error, ...(kind === "propose" && { proposal: "" }) };
}

const checkedNamesOf = new WeakMap<Tree, ReadonlySet<string>>();

function checkedNames(tree: Tree): ReadonlySet<string> {
  const known = checkedNamesOf.get(tree);
  if (known) return known;
  const { text } = renderPseudocode(tree, { language: "en" });
  const found = text.matchAll(/([\p{L}_][\p{L}\p{N}_'’ʼ-]*)\.(?:error|помилка)(?![\p{L}\p{N}_])/gu);
  const names = new Set([...found].map(([, name]) => oneSpelling(name!)));
  checkedNamesOf.set(tree, names);
  return names;
}

const targetsOf = (tree: Tree, icon: IconId): string[] =>
  statementsOf(tree, icon).flatMap(({ target }) => target ?? []);
