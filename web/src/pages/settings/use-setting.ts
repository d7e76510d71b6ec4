import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

const UNDO_MS = 8000;

interface Change {
  readonly key: string;
  /** Undefined removes the setting, so that its default applies. */
  readonly value: unknown;
  /** The value before, for Undo. */
  readonly before: unknown;
}

/** Changes one setting of `garden.yaml` as a commit by the owner. The toast can take it back. */
export function useSetting() {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ key, value }: Change) =>
      call("PATCH /settings", { body: value === undefined ? { key } : { key, value: value as never } }),
    onSuccess: (_, { key, value, before }) =>
      toast(t(words.saved), {
        undo: () => change.mutate({ key, value: before, before: value }),
        forMs: UNDO_MS,
      }),
    onSettled: () => invalidate(client, "/settings", "/models", "/health"),
  });
  return change;
}

const words = { saved: { en: "Saved as a commit by you.", uk: "Збережено вашим комітом." } } as const satisfies Record<
  string,
  Text
>;
