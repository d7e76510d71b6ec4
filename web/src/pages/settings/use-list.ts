import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AnswerOf, call } from "../../api/client.ts";
import { outdate, reading } from "../../api/queries.ts";
import { useTell } from "../../parts/notices.tsx";
import { type Text, useSay } from "../../words/say.ts";

export type List = "rules" | "zones" | "webhooks";
export type Item<L extends List> = AnswerOf<`GET /settings/${L}`>["items"][number];

/**
 * A list of `garden.yaml` and how to change it: what is saved names the file that was seen, so that an edit by hand meanwhile is told
 * and not undone. Each change is a commit of the owner's own.
 */
export function useList<L extends List>(list: L) {
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  // The compiler does not follow which list it is through the table of endpoints: the shape is said here, once.
  const read = useQuery(reading(`GET /settings/${list}`, {} as never)) as UseQueryResult<Read<L>>;
  const save = useMutation({
    mutationFn: (items: readonly Item<L>[]) =>
      call(`PUT /settings/${list}`, { body: { base: read.data?.base ?? "", items } } as never),
    onSuccess: () => tell(say(words.saved)),
    onSettled: () => outdate(client, "/settings"),
  });
  return { read, save };
}

interface Read<L extends List> {
  readonly base: string;
  readonly items: readonly Item<L>[];
}

const words = {
  saved: { en: "Saved, as a commit of yours.", uk: "Збережено вашим комітом." },
} as const satisfies Record<string, Text>;
