import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { StepCard } from "../../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { RunInputFields, useRunInputs } from "../../components/run-inputs.tsx";
import { stepLabel } from "../../components/step-names.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** O-7: a fork shares the journal up to a step and continues alone, with other inputs if wanted. */
export function ForkDialog(props: {
  readonly run: string;
  readonly slug: string;
  /** The last common step; without it, one of `steps` is chosen. */
  readonly at?: number;
  readonly steps?: readonly StepCard[];
  readonly onClose: () => void;
}) {
  const { run, slug, steps = [], onClose } = props;
  const t = useT();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(props.at ?? steps.at(0)?.position ?? 1);
  const inputs = useRunInputs(slug, `fork.${run}.${chosen}`);
  const { keyFor, reset } = useIdempotencyKey();
  const fork = useMutation({
    mutationFn: () => {
      const set = inputs.input();
      const body = { at: chosen, ...(set && { set }) };
      return call("POST /runs/:run/fork", { params: { run }, body, correlation: keyFor([run, body]) });
    },
    onSuccess: ({ run: made }) => {
      reset();
      inputs.clear();
      onClose();
      return navigate({ to: "/runs/$run", params: { run: made.run_id } });
    },
  });
  return (
    <ActionDialog
      title={props.at === undefined ? t(words.title) : t(words.titleAt, chosen)}
      action={{ label: t(words.fork), tone: "primary", isDisabled: fork.isPending, onConfirm: () => fork.mutate() }}
      error={fork.error && <MutationError error={fork.error} fate="repeat" />}
      onClose={onClose}
    >
      <p className="quiet">{t(words.about)}</p>
      {props.at === undefined && (
        <label className="labelled">
          <span>{t(words.lastStep)}</span>
          <select className="field" value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {steps.map(({ position, name, gist }) => (
              <option key={position} value={position}>
                {position} · {stepLabel(name, t)} · {gist}
              </option>
            ))}
          </select>
        </label>
      )}
      <p className="meta">{t(words.inputs)}</p>
      <RunInputFields of={inputs} />
    </ActionDialog>
  );
}

const words = {
  title: { en: "Fork from a step", uk: "Відгалузити з кроку" },
  titleAt: { en: "Fork at step {}?", uk: "Відгалузити на кроці {}?" },
  about: {
    en: "The fork shares everything up to this step and continues alone. Its proposals are marked and need your approval.",
    uk: "Копія має все до цього кроку й далі йде сама. Її пропозиції позначено, і вони чекають на вас.",
  },
  lastStep: { en: "Last common step", uk: "Останній спільний крок" },
  inputs: {
    en: "Inputs that change from there on. An empty one stays as it was.",
    uk: "Входи, що звідти інші. Порожній лишається, як був.",
  },
  fork: { en: "Fork here", uk: "Відгалузити тут" },
} as const satisfies Record<string, Text>;
