import { blobId } from "../../base/canonical.ts";
import { entriesIn, type MemoryEntry, withoutEntries } from "./memory-entries.ts";

/** An unticked item of `open_loops.md`. */
export interface OpenLoop extends Pick<MemoryEntry, "line" | "end"> {
  /** Without marker, checkbox and name. */
  readonly text: string;
  /** `loop-1a2b3c`, if the line has one. */
  readonly id: string | undefined;
  /** Text with all indented lines; identifies the loop across versions. */
  readonly whole: string;
  readonly priority: LoopPriority;
}

/** Set by a tag in the loop: `#high`, `#low`, `#важливо`, `#неважливо`. */
export type LoopPriority = "high" | "normal" | "low";

const TAGS = /(?:^|\s)#(high|low|важливо|неважливо)(?![\p{L}\p{N}_-])/iu;
const PRIORITY: Readonly<Record<string, LoopPriority>> = {
  high: "high",
  важливо: "high",
  low: "low",
  неважливо: "low",
};
const priorityOf = (text: string): LoopPriority => PRIORITY[TAGS.exec(text)?.[1]?.toLowerCase() ?? ""] ?? "normal";

export function openLoops(file: string): OpenLoop[] {
  return entriesIn(file).flatMap(({ line, end, title, text, box, name }): OpenLoop[] =>
    box === undefined || box === " "
      ? [{ line, end, text: title, id: name, whole: text, priority: priorityOf(text) }]
      : [],
  );
}

export type MatchedLoop =
  | { readonly kind: "loop"; readonly loop: OpenLoop }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly candidates: readonly OpenLoop[] };

/** Matches by id (with or without `^`), else by exact text. */
export function matchLoop(file: string, wanted: string): MatchedLoop {
  const loops = openLoops(file);
  const name = wanted.trim().replace(/^\^/, "");
  const byId = loops.filter(({ id }) => id === name);
  const found = byId.length > 0 ? byId : loops.filter(({ text }) => text.normalize("NFC") === name.normalize("NFC"));
  if (found.length > 1) return { kind: "several", candidates: found };
  return found[0] ? { kind: "loop", loop: found[0] } : { kind: "none" };
}

/** Removes a loop with its indented lines. */
export const withoutLoop = (file: string, loop: OpenLoop): string => withoutEntries(file, [loop]);

/** A loop as a line of the file, with an id that is unique in the file and derived from the text and the file alone. */
export function loopLine(file: string, text: string): string {
  const taken = new Set(openLoops(file).map(({ id }) => id));
  for (let round = 0; ; round++) {
    const id = `loop-${blobId(Buffer.from(`${round} ${text.normalize("NFC")}`)).slice(0, 6)}`;
    if (!taken.has(id)) return `- [ ] ${text} ^${id}`;
  }
}
