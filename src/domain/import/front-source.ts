import { isAlias, isNode, visit } from "yaml";
import type { Text } from "../../base/text.ts";
import { contractFile } from "../contract/contract-file.ts";
import { type ParsedYaml, parseYaml } from "../text/checked-yaml.ts";

/** A Markdown file with front matter, as other products write it. */
export interface FrontSource {
  readonly kind: "front";
  readonly front: Readonly<Record<string, unknown>>;
  /** The line of the file at which this path of keys begins. */
  lineOf(path: readonly PropertyKey[]): number;
  readonly body: string;
  /** The line of the file at which the body begins. */
  readonly bodyLine: number;
}

export interface RefusedSource {
  readonly kind: "refused";
  readonly line: number;
  readonly why: Text;
}

export const MAX_SOURCE_BYTES = 1024 * 1024;

/** Reads one file. A file without front matter is all body if `optional`, else refused. */
export function readFrontSource(bytes: Uint8Array, front: "required" | "optional"): FrontSource | RefusedSource {
  if (bytes.length > MAX_SOURCE_BYTES) return refused(1, ...tooLarge(bytes.length));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    return refused(1, "this is not text in UTF-8", "це не текст у UTF-8");
  }
  const file = contractFile(text);
  if (!file) {
    if (/^---[ \t]*\n/.test(text))
      return refused(1, "the front matter has no closing `---` line", "front matter не має кінцевого рядка `---`");
    if (front === "required")
      return refused(
        1,
        "no front matter: the first line must be `---`",
        "немає front matter: перший рядок має бути `---`",
      );
    return { kind: "front", front: {}, lineOf: () => 1, body: text, bodyLine: 1 };
  }
  const parsed = parseYaml(text.slice(file.front.start, file.front.end));
  if (parsed.kind === "problems") {
    const [first] = parsed.problems;
    return refused(
      (first?.line ?? 1) + 1,
      `the front matter is not readable YAML: ${first?.found.en}; expected ${first?.expected.en}`,
      `front matter не читається як YAML: ${first?.found.uk}; потрібно: ${first?.expected.uk}`,
    );
  }
  const odd = oddNode(parsed, text.slice(file.front.start, file.front.end));
  if (odd) return odd;
  const value = parsed.value ?? {};
  if (typeof value !== "object" || Array.isArray(value))
    return refused(2, "the front matter is not a group of keys", "front matter не є групою ключів");
  return {
    kind: "front",
    front: value as Record<string, unknown>,
    lineOf: (path) => parsed.lineOf(path) + 1,
    body: text.slice(file.bodyStart),
    bodyLine: text.slice(0, file.bodyStart).split("\n").length,
  };
}

/** Tags and aliases can make one text mean different things to two readers: refused, not guessed. */
function oddNode({ document }: ParsedYaml, text: string): RefusedSource | undefined {
  let found: RefusedSource | undefined;
  visit(document, {
    Node(_, node) {
      if (!isNode(node)) return undefined;
      const line = text.slice(0, node.range?.[0] ?? 0).split("\n").length + 1;
      if (isAlias(node) || ("anchor" in node && node.anchor))
        found = refused(
          line,
          "YAML aliases and anchors are not imported: write the value out",
          "псевдоніми YAML не імпортуються: випишіть значення",
        );
      else if (node.tag)
        found = refused(line, `the YAML tag ${node.tag} is not imported`, `тег YAML ${node.tag} не імпортується`);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

const tooLarge = (size: number): [en: string, uk: string] => [
  `the file has ${size} bytes; at most ${MAX_SOURCE_BYTES} are imported`,
  `у файлі ${size} байтів; імпортується не більше ${MAX_SOURCE_BYTES}`,
];

const refused = (line: number, en: string, uk: string): RefusedSource => ({ kind: "refused", line, why: { en, uk } });
