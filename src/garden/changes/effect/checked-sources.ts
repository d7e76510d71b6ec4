import type { Oid } from "../../../domain/git/git-names.ts";
import type { ProposalCitation } from "../../../domain/proposal/proposal-content.ts";
import type { Garden } from "../../core/garden.ts";

/**
 * P-5a: the result of looking for a citation in the garden. `found`: its source is there and holds the quotation word for word.
 * `changed`: the source is there without it. `missing`: there is no such source. `unchecked`: it names nothing that can be read here.
 */
export const sourceStates = ["found", "changed", "missing", "unchecked"] as const;
export type SourceState = (typeof sourceStates)[number];

/** Looks each citation up at a commit. Each source is read once. */
export async function checkedSources(
  { repo }: Pick<Garden, "repo">,
  citations: readonly ProposalCitation[],
  head: Oid,
): Promise<readonly SourceState[]> {
  const read = new Map<string, Promise<string | undefined>>();
  const textOf = (path: string): Promise<string | undefined> => {
    const known = read.get(path) ?? repo.read(head, path).then((file) => file && Buffer.from(file.bytes).toString());
    read.set(path, known);
    return known;
  };
  return Promise.all(
    citations.map(async ({ source, quote }) => {
      if (!/^[^:]+\.[a-z0-9]+$/i.test(source)) return "unchecked";
      const text = await textOf(source).catch(() => undefined);
      if (text === undefined) return "missing";
      return quote === undefined || words(text).includes(words(quote)) ? "found" : "changed";
    }),
  );
}

/** White space may differ: a quotation of two lines is often given as one. */
const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
