import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { ApiError, call } from "../../api/client.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { removeRecentDecisions } from "../proposals/recent-decisions.ts";

/** Milliseconds until an approval is applied (P-6a), measured with the server's clock alone; 0 without a grace. */
export function graceOf({ status, approval }: Pick<Whole, "status" | "approval">): number {
  if (status !== "approved" || approval?.apply_after === undefined) return 0;
  return Math.max(0, Date.parse(approval.apply_after) - Date.parse(approval.decided_at));
}

/** Withdraws approvals that are not applied yet, and opens the first of them again. Says so if it is too late. */
export function useWithdraw(): (ids: readonly string[]) => Promise<void> {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (ids) => {
      const answers = await Promise.allSettled(
        ids.map((id) => call("POST /proposals/:id/withdraw", { params: { id } })),
      );
      const late = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
      const back = ids.filter((_, at) => answers[at]!.status === "fulfilled");
      removeRecentDecisions(back);
      if (back.length > 0) toast(t(words.withdrawn, back.length));
      for (const error of late) toast(t(words.late, error instanceof ApiError ? error.message : ""));
      await invalidate(client, "/proposals", "/notes", "/agents", "/logic", "/memory");
      const [first, second] = back;
      if (first === undefined) return;
      if (second === undefined) await navigate({ to: "/proposals/$id", params: { id: first } });
      else await navigate({ to: "/proposals" });
    },
    [t, toast, client, navigate],
  );
}

const words = {
  withdrawn: {
    en: "Approval withdrawn. {} [proposal is|proposals are] pending again.",
    uk: "Схвалення відкликано. {} [пропозиція знову чекає|пропозиції знову чекають|пропозицій знову чекають].",
  },
  late: { en: "Not withdrawn. {}", uk: "Не відкликано. {}" },
} as const satisfies Record<string, Text>;
