import { keyProblem } from "../../domain/store-key.ts";
import { readDiagram } from "./diagram.ts";
import { FRESH_LAYOUT, layoutOf, memberSplices, objectText } from "./json-layout.ts";
import { applySplices, lastMember, objectAt } from "./json-text.ts";

/** A diagram file taken apart: the diagram itself, and the diagrams that it calls, by file name. */
export interface DiagramParts {
  readonly main: string;
  readonly called: ReadonlyMap<string, string>;
}

/** The member of a diagram file that holds the diagrams it calls. Programs that do not know it keep it (D-1). */
const MEMBER = "calledDiagrams";
const INDENT = "    ";
/** A name with a path in it would be written outside of the agent's folder. */
const isFileName = (name: string): boolean =>
  /\.drakon\.json$/i.test(name) && !name.includes("/") && keyProblem(name) === undefined;

/** Takes a diagram file apart. A file without called diagrams is returned as it is. Never throws. */
export function splitDiagrams(text: string): DiagramParts {
  const alone = { main: text, called: new Map<string, string>() };
  if (!text.includes(`"${MEMBER}"`) || typeof readDiagram(text).diagram.source.json[MEMBER] !== "object") return alone;
  const root = objectAt(text, 0);
  const member = root && lastMember(root, MEMBER);
  const held = member && objectAt(text, member.valueStart);
  if (!root || !held) return alone;
  const called = new Map<string, string>();
  for (const { key, valueStart, valueEnd } of held.members) {
    if (text[valueStart] !== "{") return alone;
    if (isFileName(key)) called.set(key, `${text.slice(valueStart, valueEnd).replaceAll(`\n${INDENT}`, "\n")}\n`);
  }
  const cut = memberSplices(text, root, ({ key }) => key === MEMBER, [], layoutOf(text, root, FRESH_LAYOUT));
  return { main: applySplices(text, cut) ?? text, called };
}

/**
 * One file of a diagram and the diagrams that it calls, in order of file names; `splitDiagrams` gives the same parts back. Without
 * called diagrams the text of the main one does not change by a byte. A file that is no JSON object, or whose name cannot be
 * written, is left out.
 */
export function joinDiagrams({ main, called }: DiagramParts): string {
  const alone = splitDiagrams(main).main;
  const root = objectAt(alone, 0);
  const members = [...called]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, text]): [string, string][] => {
      const own = splitDiagrams(text)
        .main.replace(/^\ufeff/, "")
        .trim();
      return isFileName(file) && objectAt(own, 0) && readDiagram(own).findings.every(({ code }) => code !== "E-JSON")
        ? [[JSON.stringify(file), own.replaceAll("\n", `\n${INDENT}`)]]
        : [];
    });
  if (!root || members.length === 0) return alone;
  const held = objectText(members, { first: `\n${INDENT}`, next: `\n${INDENT}`, colon: ": ", tail: "\n  " });
  const layout = layoutOf(alone, root, FRESH_LAYOUT);
  return (
    applySplices(
      alone,
      memberSplices(alone, root, () => false, [[`"${MEMBER}"`, held]], layout),
    ) ?? alone
  );
}
