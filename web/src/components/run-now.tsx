import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { JsonValue } from "../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../api/idempotency-key.ts";
import { query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Button } from "./form.tsx";
import { MutationError } from "./mutation-error.tsx";
import { RunInputFields, useRunInputs } from "./run-inputs.tsx";

/** Starts a run and opens its page. An agent whose diagram declares inputs is asked for them first. */
export function RunNow({ slug, status }: { readonly slug: string; readonly status: string }) {
  const t = useT();
  const [asks, setAsks] = useState(false);
  const { run, isPending, error } = useStartRun(slug);
  const parameters = useQuery({
    ...query("GET /agents/:slug/parameters", { params: { slug } }),
    enabled: status === "active",
  }).data?.parameters;
  if (status !== "active") return <p className="quiet small">{t(words.inactive)}</p>;
  const hasInputs = parameters !== undefined && parameters.length > 0;
  return (
    <div className="row">
      <Button disabled={isPending} onClick={() => (hasInputs ? setAsks(true) : run(undefined))}>
        <Play size={14} aria-hidden="true" />
        {t(words.run)}
      </Button>
      {!hasInputs && (
        <Button tone="ghost" onClick={() => setAsks(true)}>
          {t(words.withInput)}
        </Button>
      )}
      {error && !asks && <MutationError error={error} fate="repeat" />}
      {asks && <RunDialog slug={slug} onClose={() => setAsks(false)} />}
    </div>
  );
}

/** Asks for the inputs of a run, with those of an earlier run filled in, and starts it. */
export function RunDialog(props: {
  readonly slug: string;
  readonly first?: Readonly<Record<string, JsonValue>> | undefined;
  readonly onClose: () => void;
}) {
  const { slug, first, onClose } = props;
  const t = useT();
  const inputs = useRunInputs(slug, first === undefined ? `run.${slug}` : `again.${slug}`, first);
  const { run, isPending, error } = useStartRun(slug, inputs.clear);
  return (
    <ActionDialog
      title={t(words.title, slug)}
      action={{
        label: t(words.run),
        tone: "primary",
        isDisabled: isPending || !inputs.isRead,
        onConfirm: () => run(inputs.input()),
      }}
      error={error && <MutationError error={error} fate="repeat" />}
      onClose={onClose}
    >
      <RunInputFields of={inputs} />
    </ActionDialog>
  );
}

function useStartRun(slug: string, onStarted?: () => void) {
  const navigate = useNavigate();
  const { keyFor, reset } = useIdempotencyKey();
  const start = useMutation({
    mutationFn: (input: Record<string, JsonValue> | undefined) => {
      const body = input === undefined ? {} : { input };
      return call("POST /agents/:slug/run", { params: { slug }, body, correlation: keyFor(body) });
    },
    onSuccess: ({ run: { run_id } }) => {
      reset();
      onStarted?.();
      return navigate({ to: "/runs/$run", params: { run: run_id } });
    },
  });
  return { run: start.mutate, isPending: start.isPending, error: start.error };
}

const words = {
  run: { en: "Run now", uk: "Запустити" },
  withInput: { en: "Run with input …", uk: "Із вхідними даними …" },
  title: { en: "Run {}", uk: "Запустити {}" },
  inactive: { en: "Activate the agent to run it.", uk: "Запускається лише активний агент." },
} as const satisfies Record<string, Text>;
