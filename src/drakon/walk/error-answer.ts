import type { Json } from "../../base/canonical.ts";
import { oneSpelling } from "../expression/lexer.ts";
import type { IconId } from "../icon-id.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Tree } from "../tree.ts";
import type { Program } from "./frame.ts";
import { statementsOf, treeNamed } from "./icon-statements.ts";
import type { Request } from "./request.ts";

/**
 * What a call that failed gives to a procedure which looks at that: `відповідь.помилка`, `answer.error` somewhere in the diagram,
 * where the icon keeps its result under that name. Undefined if nobody looks: then the failure ends the procedure.
 */
export function errorAnswer(
  { trees }: Program,
  { diagram, icon, kind }: Request,
  { code, message }: { readonly code: string; readonly message: string },
): Json | undefined {
  const tree = treeNamed(trees, diagram);
  const looked = tree && targetsOf(tree, icon).some((name) => checkedNames(tree).has(name));
  if (!looked) return undefined;
  const error = { code, message };
  return { error, помилка: error, ...(kind === "propose" && { proposal: "" }) };
}

const looks = new WeakMap<Tree, ReadonlySet<string>>();

function checkedNames(tree: Tree): ReadonlySet<string> {
  const known = looks.get(tree);
  if (known) return known;
  const { text } = renderPseudocode(tree, { language: "en" });
  const found = text.matchAll(/([\p{L}_][\p{L}\p{N}_'’ʼ-]*)\.(?:error|помилка)(?![\p{L}\p{N}_])/gu);
  const made = new Set([...found].map(([, name]) => oneSpelling(name!)));
  looks.set(tree, made);
  return made;
}

const targetsOf = (tree: Tree, icon: IconId): string[] =>
  statementsOf(tree, icon).flatMap(({ target }) => target ?? []);
