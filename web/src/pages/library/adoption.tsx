import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { LibraryDetail } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Replays a behaviour on the recorded runs of an agent, and proposes it for that agent. Both execute nothing. */
export function AdoptActions(props: {
  readonly detail: LibraryDetail;
  readonly agent: string;
  readonly isFollowed: boolean;
}) {
  const { detail, agent, isFollowed } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const replay = useMutation({
    mutationFn: () => call("POST /library/:id/replay", { params: { id: detail.id }, body: { agent } }),
    onSuccess: ({ replay: { runs } }) => {
      toast(t(words.replayed, runs.same + runs.better + runs.worse + runs.unknown, agent));
      return invalidate(client, "/library");
    },
  });
  return (
    <>
      <div className="row">
        {!isFollowed && (
          <Button tone="primary" disabled={detail.state !== "sound"} onClick={() => setIsAsking(true)}>
            {t(words.adopt, agent)}
          </Button>
        )}
        <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
          {t(replay.isPending ? words.replaying : words.replay, agent)}
        </Button>
      </div>
      {replay.error && <MutationError error={replay.error} />}
      {isAsking && <AdoptDialog detail={detail} agent={agent} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function AdoptDialog(props: { readonly detail: LibraryDetail; readonly agent: string; readonly onClose: () => void }) {
  const { detail, agent, onClose } = props;
  const t = useT();
  const navigate = useNavigate();
  const client = useQueryClient();
  const adopt = useMutation({
    mutationFn: () => call("POST /library/:id/adopt", { params: { id: detail.id }, body: { agent } }),
    onSuccess: async ({ proposal }) => {
      onClose();
      await invalidate(client, "/library", "/proposals");
      await navigate({ to: "/proposals/$id", params: { id: proposal.proposal_id } });
    },
  });
  return (
    <ActionDialog
      title={t(words.title, detail.name, agent)}
      action={{
        label: t(words.propose),
        tone: "primary",
        isDisabled: adopt.isPending,
        onConfirm: () => adopt.mutate(),
      }}
      error={adopt.error && <MutationError error={adopt.error} />}
      onClose={onClose}
    >
      <ol className="adoption-steps">
        <li>{t(words.stepEvidence)}</li>
        <li>{t(words.stepRuns, agent)}</li>
        <li>{t(words.stepProposal, agent)}</li>
      </ol>
      <p className="meta">{t(words.quiet, detail.garden ?? t(words.sender))}</p>
    </ActionDialog>
  );
}

const words = {
  adopt: { en: "Propose for {}…", uk: "Запропонувати для {}…" },
  replay: { en: "Replay on runs of {}", uk: "Відтворити на запусках {}" },
  replaying: { en: "Replaying on runs of {} …", uk: "Відтворюю на запусках {} …" },
  replayed: { en: "Replayed on {} recorded [run|runs] of {}", uk: "Відтворено на записаних запусках: {} ({})" },
  title: { en: "Propose “{}” for {}", uk: "Запропонувати «{}» для {}" },
  propose: { en: "Replay and propose", uk: "Відтворити й запропонувати" },
  stepEvidence: {
    en: "Its evidence is replayed here. If it does not hold, it is refused.",
    uk: "Її докази відтворюють тут. Якщо вони не сходяться, її відхиляють.",
  },
  stepRuns: {
    en: "The recorded runs of {} are replayed on it. No tool and no model is called.",
    uk: "На ній відтворюють записані запуски {}. Жодного інструмента чи моделі не викликають.",
  },
  stepProposal: {
    en: "You get a proposal in Review: a new version of the logic of {}, with a report. Nothing runs before you approve it.",
    uk: "У Перегляді з’являється пропозиція: нова версія логіки {}, зі звітом. До вашого схвалення нічого не запускається.",
  },
  quiet: { en: "{} is not told.", uk: "{} про це не дізнається." },
  sender: { en: "The sender", uk: "Відправник" },
} as const satisfies Record<string, Text>;
