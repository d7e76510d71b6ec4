import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/**
 * S-11: proposes to merge the newest commit of a session, of this garden or of another one, into main, and leads to the review. Nothing
 * changes until it is approved.
 */
export function useProposeMerge(
  session: string,
  head: string,
): UseMutationResult<{ proposal_id?: string }, Error, void> {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { keyFor, reset } = useIdempotencyKey();
  return useMutation({
    mutationFn: () => {
      const intent = {
        action: "propose-merge" as const,
        payload: { session, head },
        summary: t(words.summary, session),
      };
      return call("POST /inbox/submit", { body: { intent }, correlation: keyFor({ session, head }) });
    },
    async onSuccess({ proposal_id: id }) {
      reset();
      await invalidate(client, "/proposals", "/sessions", "/federation");
      if (id !== undefined) await navigate({ to: "/proposals/$id", params: { id } });
    },
  });
}

const words = {
  summary: { en: "Merge the work of {}", uk: "Злити роботу {}" },
} as const satisfies Record<string, Text>;
