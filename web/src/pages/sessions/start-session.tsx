import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Sprout } from "lucide-react";
import { useState } from "react";
import { isSlug } from "../../../../src/domain/contract/slug.ts";
import { peerSessionIn } from "../../../../src/domain/federation/peer-origin.ts";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button, TextField } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** A button that starts a session at main, or where another session is: as its sub-agent, or at one of another garden (`alice/scout`). */
export function StartSession({ from }: { readonly from?: string }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        <Sprout size={14} aria-hidden="true" />
        {t(from === undefined ? words.start : isPeer(from) ? words.startPeer : words.startSub)}
      </Button>
      {isOpen && <StartDialog {...(from !== undefined && { from })} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const isPeer = (name: string): boolean => peerSessionIn(name) !== undefined;

function StartDialog({ from, onClose }: { readonly from?: string; readonly onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [isEmpty, setIsEmpty] = useState(false);
  const [goal, setGoal] = useDraft(`session-goal.${from ?? ""}`);
  const start = useMutation({
    mutationFn: () =>
      call("POST /sessions", {
        body: { name, goal: goal.trim(), ...(from !== undefined && { from }), ...(isEmpty && { empty: true }) },
      }),
    onSuccess: async () => {
      setGoal(undefined);
      onClose();
      await invalidate(client, "/sessions", "/session-graph");
      return navigate({ to: "/sessions/$name", params: { name } });
    },
  });
  return (
    <ActionDialog
      title={from === undefined ? t(words.start) : t(isPeer(from) ? words.startAtPeer : words.startFrom, from)}
      reason={{ label: t(words.goal), text: goal, onChange: setGoal, isRequired: true }}
      action={{
        label: t(words.begin),
        tone: "primary",
        isDisabled: !isSlug(name) || start.isPending,
        onConfirm: () => start.mutate(),
      }}
      error={start.error && <MutationError error={start.error} />}
      onClose={onClose}
    >
      <p className="quiet">{t(from === undefined ? words.atMain : isPeer(from) ? words.atPeer : words.atOther)}</p>
      <TextField label={t(words.name)} value={name} onText={(text) => setName(text.trim())} maxLength={63} />
      <p className="meta">{t(words.nameRule)}</p>
      {from === undefined && (
        <label className="row">
          <input type="checkbox" checked={isEmpty} onChange={({ target }) => setIsEmpty(target.checked)} />
          {t(words.empty)}
        </label>
      )}
    </ActionDialog>
  );
}

const words = {
  start: { en: "Start a session", uk: "Почати сесію" },
  startSub: { en: "Start a sub-agent", uk: "Почати підагента" },
  startFrom: { en: "Start a sub-agent of {}", uk: "Почати підагента {}" },
  startPeer: { en: "Start a session from it…", uk: "Почати сесію з неї…" },
  startAtPeer: { en: "Start a session from {}", uk: "Почати сесію з {}" },
  begin: { en: "Start", uk: "Почати" },
  name: { en: "Name", uk: "Назва" },
  nameRule: {
    en: "Small Latin letters, digits and hyphens; the branch is agents/name.",
    uk: "Малі латинські літери, цифри й дефіси; гілка — agents/назва.",
  },
  goal: { en: "Goal", uk: "Мета" },
  empty: {
    en: "Without files: nothing of main leaves when it is published to other gardens",
    uk: "Без файлів: коли її оприлюднять для інших садів, нічого з main не піде",
  },
  atMain: {
    en: "A new branch that begins at main. A person or a program works on it; main stays as it is until a merge is approved.",
    uk: "Нова гілка від main. На ній працює людина чи програма; main не змінюється, доки злиття не схвалено.",
  },
  atOther: {
    en: "A new branch that begins where this session is. Its work is merged back into this session.",
    uk: "Нова гілка від поточного місця цієї сесії. Її роботу зливають назад у цю сесію.",
  },
  atPeer: {
    en: "A new branch of this garden that begins where the other garden’s session is. That session is never written to; a merge into main needs a grant.",
    uk: "Нова гілка цього саду від місця, де є сесія іншого саду. У ту сесію нічого не пишеться; для злиття в main потрібен дозвіл.",
  },
} as const satisfies Record<string, Text>;
