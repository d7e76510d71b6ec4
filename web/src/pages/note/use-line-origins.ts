import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";

export type ShownLines = AnswerOf<"GET /lines/:path">["parts"][number];

/** Lines that are asked for at once. A long note is asked about only where it is read. */
const CHUNK = 500;

/** The origins of the lines of a note. `want` asks for a range of lines; `groupsIn` returns what is known of a range, in order. */
export function useLineOrigins(path: string): {
  readonly want: (first: number, last: number) => void;
  readonly groupsIn: (first: number, last: number) => readonly ShownLines[];
} {
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const want = useCallback((first: number, last: number) => {
    const chunks: number[] = [];
    for (let chunk = Math.floor((first - 1) / CHUNK); chunk <= Math.floor((last - 1) / CHUNK); chunk++)
      chunks.push(chunk);
    setWanted((before) => {
      const added = chunks.filter((chunk) => !before.includes(chunk));
      return added.length === 0 ? before : [...before, ...added];
    });
  }, []);
  const answers = useQueries({
    queries: wanted.map((chunk) => ({
      queryKey: ["GET /lines/:path", path, chunk],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call("GET /lines/:path", {
          params: { path },
          query: { first: String(chunk * CHUNK + 1), limit: String(CHUNK) },
          signal,
        }),
      retry: false,
    })),
    combine: combineAnswers,
  });
  const groups = useMemo(() => answers.flatMap(({ parts }) => parts).toSorted((a, b) => a.first - b.first), [answers]);
  const groupsIn = useCallback(
    (first: number, last: number) => {
      const found: ShownLines[] = [];
      for (let index = firstEndingAt(groups, first); index < groups.length; index++) {
        const group = groups[index]!;
        if (group.first > last) break;
        const before = found.at(-1);
        // Two chunks may cut one group.
        if (before?.commit === group.commit) found[found.length - 1] = { ...before, last: group.last };
        else found.push(group);
      }
      return found;
    },
    [groups],
  );
  return { want, groupsIn };
}

/** A stable reference: the answers change only with their data. */
const combineAnswers = (results: readonly { readonly data: AnswerOf<"GET /lines/:path"> | undefined }[]) =>
  results.flatMap(({ data }) => data ?? []);

/** Index of the first group that ends at this line or later. */
function firstEndingAt(groups: readonly ShownLines[], line: number): number {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (groups[middle]!.last < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
