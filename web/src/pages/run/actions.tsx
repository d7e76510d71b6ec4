import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, GitFork, RotateCw } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { JsonValue, StepCard } from "../../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { RunDialog } from "../../components/run-now.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ForkDialog } from "./fork.tsx";

export function CancelRun({ run }: { readonly run: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [why, setWhy] = useDraft(`cancel.${run}`);
  const cancel = useMutation({
    mutationFn: () =>
      call("POST /runs/:run/cancel", { params: { run }, body: why.trim() === "" ? {} : { why: why.trim() } }),
    onSuccess: () => {
      setIsOpen(false);
      setWhy(undefined);
      toast(t(words.cancelling));
      return invalidate(client, "/runs");
    },
    onError: () => void invalidate(client, "/runs"),
  });
  return (
    <>
      <Button tone="ghost danger small" onClick={() => setIsOpen(true)}>
        {t(words.cancel)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.cancelAsk)}
          reason={{ label: t(words.cancelWhy), text: why, onChange: setWhy, isRequired: false }}
          action={{
            label: t(words.cancel),
            tone: "danger",
            isDisabled: cancel.isPending,
            onConfirm: () => cancel.mutate(),
          }}
          error={cancel.error && <MutationError error={cancel.error} />}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** O-3a: a held run continues as another run under the current logic version, if its recorded steps take the same path there. */
export function MoveRun({ run, to }: { readonly run: string; readonly to: string }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { keyFor, reset } = useIdempotencyKey();
  const move = useMutation({
    mutationFn: () => call("POST /runs/:run/move", { params: { run }, body: {}, correlation: keyFor([run, "move"]) }),
    onSuccess: async ({ run: made }) => {
      reset();
      await invalidate(client, "/runs");
      return navigate({ to: "/runs/$run", params: { run: made.run_id } });
    },
  });
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        <ArrowUpRight size={14} aria-hidden="true" />
        {t(words.move, to)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.moveAsk, to)}
          action={{
            label: t(words.move, to),
            tone: "primary",
            isDisabled: move.isPending,
            onConfirm: () => move.mutate(),
          }}
          error={move.error && <MutationError error={move.error} fate="repeat" />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.moveAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** Starts another run, with the inputs of this one filled in. */
export function RunAgain({ slug, input }: { readonly slug: string; readonly input: unknown }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const isRecord = typeof input === "object" && input !== null && !Array.isArray(input);
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        <RotateCw size={14} aria-hidden="true" />
        {t(words.again)}
      </Button>
      {isOpen && (
        <RunDialog
          slug={slug}
          first={isRecord ? (input as Readonly<Record<string, JsonValue>>) : {}}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

export function ForkRun(props: { readonly run: string; readonly slug: string; readonly steps: readonly StepCard[] }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  if (props.steps.length === 0) return null;
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        <GitFork size={14} aria-hidden="true" />
        {t(words.fork)}
      </Button>
      {isOpen && <ForkDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const words = {
  move: { en: "Move to {}", uk: "Перенести на {}" },
  moveAsk: { en: "Move this run to {}?", uk: "Перенести цей запуск на {}?" },
  moveAbout: {
    en: "A new run continues from the recorded steps under the current logic version and asks the question again; this one ends. It is refused if the steps take another path there.",
    uk: "Новий запуск продовжить від записаних кроків за поточною версією логіки й поставить запитання знову, а цей завершиться. Якщо шлях там інший, нічого не станеться.",
  },
  cancel: { en: "Cancel run", uk: "Скасувати запуск" },
  cancelAsk: { en: "Cancel this run?", uk: "Скасувати цей запуск?" },
  cancelWhy: { en: "Reason (optional)", uk: "Чому (за бажанням)" },
  cancelling: { en: "Cancelling the run.", uk: "Запуск скасовується." },
  again: { en: "Run again", uk: "Запустити ще раз" },
  fork: { en: "Fork from a step", uk: "Відгалузити з кроку" },
} as const satisfies Record<string, Text>;
