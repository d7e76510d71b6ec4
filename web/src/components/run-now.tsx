import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { JsonValue } from "../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../api/idempotency-key.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { useDraft } from "./draft.ts";
import { Button, TextField } from "./form.tsx";
import { MutationError } from "./mutation-error.tsx";

interface Field {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Starts a run, with input if wanted, and opens its page. */
export function RunNow({ slug, status }: { readonly slug: string; readonly status: string }) {
  const t = useT();
  const navigate = useNavigate();
  const [kept, keep] = useDraft(`run.${slug}`, "[]");
  const fields = fieldsIn(kept);
  const setFields = (now: readonly Field[]): void => keep(JSON.stringify(now));
  const [asks, setAsks] = useState(false);
  const { keyFor, reset } = useIdempotencyKey();
  const run = useMutation({
    mutationFn: (given: readonly Field[]) => {
      const named = given.filter(({ name }) => name.trim() !== "");
      const input = Object.fromEntries(named.map(({ name, value }) => [name.trim(), jsonOrText(value)]));
      const body = named.length === 0 ? {} : { input };
      return call("POST /agents/:slug/run", { params: { slug }, body, correlation: keyFor(body) });
    },
    onSuccess: ({ run: { run_id } }, given) => {
      reset();
      if (given.length > 0) keep(undefined);
      return navigate({ to: "/runs/$run", params: { run: run_id } });
    },
  });
  if (status !== "active") return <p className="quiet small">{t(words.inactive)}</p>;
  const change = (id: number, more: Partial<Field>): void =>
    setFields(fields.map((field) => (field.id === id ? { ...field, ...more } : field)));
  const error = run.error && <MutationError error={run.error} fate="repeat" />;
  return (
    <div className="row">
      <Button disabled={run.isPending} onClick={() => run.mutate([])}>
        {t(words.run)}
      </Button>
      <Button tone="quiet" onClick={() => setAsks(true)}>
        {t(words.withInput)}
      </Button>
      {!asks && error}
      {asks && (
        <ActionDialog
          title={t(words.title, slug)}
          action={{
            label: t(words.run),
            tone: "primary",
            isDisabled: run.isPending,
            onConfirm: () => run.mutate(fields),
          }}
          error={error}
          onClose={() => setAsks(false)}
        >
          {fields.map(({ id, name, value }) => (
            <div key={id} className="two">
              <TextField label={t(words.name)} value={name} onText={(text) => change(id, { name: text })} />
              <TextField label={t(words.value)} value={value} onText={(text) => change(id, { value: text })} />
            </div>
          ))}
          <p>
            <Button tone="quiet" onClick={() => setFields([...fields, { id: fields.length, name: "", value: "" }])}>
              {t(words.another)}
            </Button>
          </p>
        </ActionDialog>
      )}
    </div>
  );
}

/** The stored fields, or one empty field. */
function fieldsIn(kept: string): readonly Field[] {
  const fields = jsonOrText(kept);
  return Array.isArray(fields) && fields.length > 0 ? fields : [{ id: 0, name: "", value: "" }];
}

/** Parses JSON; any other text is returned as it is. */
export function jsonOrText(value: string): JsonValue {
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}

const words = {
  run: { en: "Run now", uk: "Запустити" },
  withInput: { en: "Run with input …", uk: "із вхідними даними …" },
  title: { en: "Run {} with input", uk: "Запустити {} із вхідними даними" },
  name: { en: "Name", uk: "Назва" },
  value: { en: "Value", uk: "Значення" },
  another: { en: "Add input", uk: "Ще одне" },
  inactive: { en: "Activate the agent to run it.", uk: "Запускається лише активний агент." },
} as const satisfies Record<string, Text>;
