import type { Oid } from "../../domain/git/git-names.ts";
import { logicPath } from "../../domain/layout.ts";
import { withCalledDiagrams } from "../../drakon/called-logic.ts";
import { splitDiagrams } from "../../drakon/diagram/called-diagrams.ts";
import type { Garden } from "../core/garden.ts";
import { logicTextAt } from "../records/logic/logic-state.ts";
import { logicOfFiles, textBehaviour } from "../records/logic/proposed-logic.ts";

/**
 * The behaviour that the run follows: of the diagram `followed` and those that it calls, or of the text. A version from before
 * versions held called diagrams is identified by its main diagram alone, and so are its runs.
 */
export async function runBehaviour(
  { repo }: Garden,
  of: {
    readonly slug: string;
    readonly at: Oid;
    readonly body: string;
    readonly diagrams: readonly { readonly file: string; readonly text: string }[];
    readonly followed: string | undefined;
  },
): Promise<string> {
  const main = of.diagrams.find(({ file }) => file === of.followed);
  if (!main) return textBehaviour(of.body);
  const whole = withCalledDiagrams(main.text, { mainFile: main.file, others: of.diagrams }).text;
  const version =
    whole === main.text ? undefined : await logicTextAt(repo, of.at, logicPath.current(of.slug, "diagram"));
  const isOld = version !== undefined && splitDiagrams(version).called.size === 0;
  return logicOfFiles({ diagram: isOld ? main.text : whole, procedure: of.body }).behaviour;
}
