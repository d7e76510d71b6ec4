import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { BehaviourSuggestion } from "../../api/endpoints.gen.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RateFigure } from "./rate-figure.tsx";
import { replayedRate } from "./replayed-rate.ts";
import "../../style/agent-health.css";
import "../../style/agents.css";
import "../../style/library.css";

/** Options of `useQuery` for behaviours of other gardens that do better. */
export const suggestionsQuery = () => query("GET /library/suggestions", {});

/** Behaviours that do better than an agent's own. Each can be looked at or dismissed with a reason; nothing is adopted here. */
export function SuggestionList({ agent }: { readonly agent?: string }) {
  const t = useT();
  const open = (useQuery(suggestionsQuery()).data?.open ?? []).filter(
    (one) => agent === undefined || one.agent === agent,
  );
  const [dismissed, setDismissed] = useState<BehaviourSuggestion>();
  if (open.length === 0) return null;
  return (
    <section className="behaviour-suggestions" aria-labelledby="behaviour-suggestions">
      <h2 id="behaviour-suggestions">{t(words.title)}</h2>
      <ul className="plain-list">
        {open.map((one) => (
          <SuggestionItem key={one.id} suggestion={one} onDismiss={() => setDismissed(one)} />
        ))}
      </ul>
      {dismissed && <DismissDialog suggestion={dismissed} onClose={() => setDismissed(undefined)} />}
    </section>
  );
}

function SuggestionItem(props: { readonly suggestion: BehaviourSuggestion; readonly onDismiss: () => void }) {
  const { suggestion, onDismiss } = props;
  const t = useT();
  const { name, garden, their_version, agent, version, theirs, ours, replay, reasons } = suggestion;
  return (
    <li className="behaviour-suggestion">
      <p>
        {t(reasons.includes("figures") ? words.byFigures : words.byReplay, name, garden, their_version, agent, version)}
      </p>
      <RateFigure label={t(words.theirs)} figures={shown(theirs)} />
      <RateFigure label={`${agent} ${version}`} figures={shown(ours)} />
      {replay && <RateFigure label={t(words.replayed)} figures={replayedRate(replay)} isHollow />}
      <div className="row">
        <Link to="/library" search={{ id: suggestion.entry, agent }} className="button small">
          {t(words.look)}
        </Link>
        <Button tone="small ghost" aria-label={t(words.dismissOne, name)} onClick={onDismiss}>
          {t(words.dismiss)}
        </Button>
      </div>
    </li>
  );
}

const shown = ({ good, judgedRuns, good_rate, good_interval }: BehaviourSuggestion["theirs"]) => ({
  good,
  judged: judgedRuns,
  rate: good_rate,
  interval: good_interval,
});

function DismissDialog(props: { readonly suggestion: BehaviourSuggestion; readonly onClose: () => void }) {
  const { suggestion, onClose } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const dismiss = useMutation({
    mutationFn: () =>
      call("POST /library/suggestions/:id/dismiss", { params: { id: suggestion.id }, body: { reason } }),
    onSuccess: () => {
      toast(t(words.done, suggestion.name, suggestion.their_version));
      onClose();
      return invalidate(client, "/library");
    },
  });
  return (
    <ActionDialog
      title={t(words.dismissOne, suggestion.name)}
      reason={{ label: t(words.reason), text: reason, onChange: setReason, isRequired: true }}
      action={{
        label: t(words.dismiss),
        tone: "primary",
        isDisabled: dismiss.isPending,
        onConfirm: () => dismiss.mutate(),
      }}
      error={dismiss.error && <MutationError error={dismiss.error} />}
      onClose={onClose}
    >
      <p className="meta">{t(words.about, suggestion.their_version)}</p>
    </ActionDialog>
  );
}

const words = {
  title: { en: "Better elsewhere", uk: "Деінде краще" },
  byFigures: {
    en: "“{}” of {} ({}) does better than {} {}: the intervals do not overlap.",
    uk: "«{}» саду {} ({}) справляється краще, ніж {} {}: інтервали не перетинаються.",
  },
  byReplay: {
    en: "“{}” of {} ({}) would have done better on our runs than {} {}, beyond chance.",
    uk: "«{}» саду {} ({}) на наших запусках справилася б краще, ніж {} {}, понад випадковість.",
  },
  theirs: { en: "Theirs", uk: "У них" },
  replayed: { en: "Replayed", uk: "Відтворено" },
  look: { en: "Look at it", uk: "Подивитися" },
  dismiss: { en: "Dismiss…", uk: "Відхилити…" },
  dismissOne: { en: "Dismiss “{}”", uk: "Відхилити «{}»" },
  reason: { en: "Reason", uk: "Причина" },
  about: {
    en: "{} is not suggested again. A new version of it may be.",
    uk: "{} більше не радитимемо. Нову версію — можливо.",
  },
  done: { en: "{} {} is no longer suggested", uk: "{} {} більше не радимо" },
} as const satisfies Record<string, Text>;
