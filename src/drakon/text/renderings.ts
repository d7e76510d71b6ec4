import { languages } from "../../base/text.ts";
import type { Tree } from "../tree.ts";
import { renderPseudocode } from "./render.ts";

/**
 * Every text that a tree renders to: in both languages, with guards and without. Texts without guards are of gardens that were
 * written before D-4a; they are still the text of their diagram.
 */
export const renderingsOf = (tree: Tree): string[] =>
  languages.flatMap((language) => [true, false].map((guards) => renderPseudocode(tree, { language, guards }).text));
