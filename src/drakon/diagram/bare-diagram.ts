import { joinDiagrams, splitDiagrams } from "./called-diagrams.ts";
import { type Icon, readDiagram } from "./diagram.ts";
import { encodeText } from "./rich-text.ts";

/**
 * A diagram file that holds only what its behaviour consists of: types, texts and exits of icons, parameters and the name that other
 * diagrams call. Descriptions, links, styles, HTML and members of other programs are left out. Called diagrams are treated alike.
 */
export function bareDiagram(text: string): string {
  const { main, called } = splitDiagrams(text);
  return joinDiagrams({ main: bare(main), called: new Map([...called].map(([file, one]) => [file, bare(one)])) });
}

function bare(text: string): string {
  const { name, params, icons } = readDiagram(text).diagram;
  const file = {
    type: "drakon",
    ...(name !== "" && { name }),
    ...(params !== "" && { params: encoded(params) }),
    items: Object.fromEntries([...icons.values()].map((icon) => [icon.id, item(icon)])),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

const item = ({ type, text, secondary, one, two, side, yesIsDown, branchId, final }: Icon) => ({
  type,
  ...(text !== "" && { content: encoded(text) }),
  ...(secondary !== undefined && { secondary: encoded(secondary) }),
  one,
  two,
  side,
  ...(yesIsDown && { flag1: 1 }),
  branchId,
  ...(final && { final: true }),
});

/** A text that no encoding keeps is written as it is; the caller compares the behaviour. */
const encoded = (text: string): string => encodeText(text) ?? text;
