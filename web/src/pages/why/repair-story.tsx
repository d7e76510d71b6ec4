import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PenLine } from "lucide-react";
import { useState } from "react";
import type { StoryRepair } from "../../../../src/domain/why/story.ts";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button, Form, TextArea } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The two ways out of a story that breaks: propose the words that were approved, or keep the others with a recorded reason. */
export function RepairStory({ repair: { commit, proposable } }: { readonly repair: StoryRepair }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isKeeping, setKeeping] = useState(false);
  const propose = useMutation({
    mutationFn: () => call("POST /audit/commits/:commit/approved", { params: { commit }, body: {} }),
    onSuccess: async ({ proposal }) => {
      toast(t(words.proposed));
      await invalidate(client, "/proposals");
      await navigate({ to: "/proposals/$id", params: { id: proposal.id } });
    },
  });
  return (
    <div className="repair-story stack tight">
      <div className="row">
        {proposable && (
          <Button tone="small" disabled={propose.isPending} onClick={() => propose.mutate()}>
            <PenLine size={14} aria-hidden="true" />
            {t(words.propose)}
          </Button>
        )}
        <Button tone="small ghost" aria-expanded={isKeeping} onClick={() => setKeeping(!isKeeping)}>
          {t(words.keep)}
        </Button>
      </div>
      {propose.error && <Failed error={propose.error} />}
      {isKeeping && <KeepForm commit={commit} onCancel={() => setKeeping(false)} />}
    </div>
  );
}

function KeepForm({ commit, onCancel }: { readonly commit: string; readonly onCancel: () => void }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const keep = useMutation({
    mutationFn: () => call("POST /audit/commits/:commit/keep", { params: { commit }, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      toast(t(words.kept));
      await invalidate(client, "/audit");
    },
  });
  return (
    <Form className="stack tight" onSubmit={() => keep.mutate()}>
      <TextArea label={t(words.reason)} rows={2} maxLength={1000} autoFocus value={reason} onText={setReason} />
      <p className="meta">{t(words.follows)}</p>
      <div className="row">
        <button type="submit" className="button small primary" disabled={reason.trim() === "" || keep.isPending}>
          {t(words.doKeep)}
        </button>
        <Button tone="small ghost" onClick={onCancel}>
          {t(words.cancel)}
        </Button>
      </div>
      {keep.error && <Failed error={keep.error} />}
    </Form>
  );
}

const words = {
  propose: { en: "Propose the approved words", uk: "Запропонувати схвалені слова" },
  proposed: { en: "The approved words are proposed", uk: "Схвалені слова запропоновано" },
  keep: { en: "Keep these, with a reason…", uk: "Лишити ці, з причиною…" },
  reason: { en: "Reason to keep them", uk: "Чому їх лишити" },
  follows: {
    en: "The reason is recorded with your name and ends the warning. It cannot be changed later.",
    uk: "Причину буде записано з вашим іменем, попередження зникне. Змінити її потім не можна.",
  },
  doKeep: { en: "Keep these words", uk: "Лишити ці слова" },
  kept: { en: "The words are kept with your reason", uk: "Слова лишено з вашою причиною" },
  cancel: { en: "Cancel", uk: "Скасувати" },
} as const satisfies Record<string, Text>;
