import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { query } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

const SLUG = "librarian";

/** Gives the question to the librarian, where the garden has one that takes a question. Its answer is a proposal, or a question. */
export function AskLibrarian({ question }: { readonly question: string }) {
  const t = useT();
  const navigate = useNavigate();
  const { keyFor } = useIdempotencyKey();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const isThere = agents.some(({ slug, status }) => slug === SLUG && status === "active");
  const parameters = useQuery({
    ...query("GET /agents/:slug/parameters", { params: { slug: SLUG } }),
    enabled: isThere,
  }).data?.parameters;
  const ask = useMutation({
    mutationFn: (name: string) =>
      call("POST /agents/:slug/run", {
        params: { slug: SLUG },
        body: { input: { [name]: question } },
        correlation: keyFor({ slug: SLUG, question }),
      }),
    onSuccess: ({ run: { run_id } }) => navigate({ to: "/runs/$run", params: { run: run_id } }),
  });
  const [first, ...more] = parameters ?? [];
  if (!isThere || first === undefined || more.length > 0) return null;
  return (
    <>
      <Button disabled={ask.isPending} onClick={() => ask.mutate(first.name)}>
        <AgentFlower slug={SLUG} size={FLOWER_PX.line} /> {t(words.ask)}
      </Button>
      {ask.error && <MutationError error={ask.error} />}
    </>
  );
}

const words = {
  ask: { en: "Ask librarian", uk: "Запитати librarian" },
} as const satisfies Record<string, Text>;
