import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { useRemoteNames } from "../other-gardens/publish.tsx";

type BehaviourShown = AnswerOf<"POST /library/publish">;

/** Publishes the behaviour of one of our agents. Nothing leaves before every byte of it was shown and confirmed. */
export function PublishBehaviour({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const [picked, setPicked] = useState<string>();
  const [name, setName] = useState("");
  const agent = picked ?? agents[0]?.slug;
  const wish = { agent: agent ?? "", ...(name.trim() !== "" && { name: name.trim() }) };
  const preview = useMutation({ mutationFn: () => call("POST /library/publish", { body: wish }) });
  if (preview.data) return <ConfirmPublish wish={wish} shown={preview.data} onClose={onClose} />;
  return (
    <ActionDialog
      title={t(words.title)}
      action={{
        label: t(words.show),
        tone: "primary",
        isDisabled: agent === undefined || preview.isPending,
        onConfirm: () => preview.mutate(),
      }}
      error={preview.error && <MutationError error={preview.error} />}
      onClose={onClose}
    >
      <p className="meta">{t(words.about)}</p>
      <label className="labelled">
        <span>{t(words.agent)}</span>
        <select className="field" value={agent} onChange={({ target }) => setPicked(target.value)}>
          {agents.map(({ slug }) => (
            <option key={slug}>{slug}</option>
          ))}
        </select>
      </label>
      <label className="labelled">
        <span>{t(words.name)}</span>
        <input className="field" maxLength={120} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
    </ActionDialog>
  );
}

function ConfirmPublish(props: {
  readonly wish: { readonly agent: string; readonly name?: string };
  readonly shown: BehaviourShown;
  readonly onClose: () => void;
}) {
  const { wish, shown, onClose } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const remotes = useRemoteNames();
  const [chosen, setChosen] = useState("");
  const to = remotes.includes(chosen) ? chosen : remotes[0];
  const send = useMutation({
    mutationFn: () =>
      call("POST /library/publish", {
        body: { ...wish, publish: { digest: shown.digest, ...(to !== undefined && { to }) } },
      }),
    onSuccess: ({ published }) => {
      toast(t(words.done, shown.name, published?.seq ?? 0));
      onClose();
      return invalidate(client, "/library", "/federation");
    },
  });
  return (
    <ActionDialog
      title={t(words.leaves, shown.name)}
      action={{
        label: t(words.send),
        tone: "primary",
        isDisabled: send.isPending,
        onConfirm: () => send.mutate(),
      }}
      error={send.error && <MutationError error={send.error} />}
      onClose={onClose}
    >
      <p className="meta">{t(words.runs, shown.runs.replayable, shown.runs.verdict_only)}</p>
      {shown.warnings.map((warning) => (
        <p key={warning.en} className="warning">
          {t(warning)}
        </p>
      ))}
      {[...shown.files, ...shown.besides].map(({ path, text }) => (
        <details key={path} className="leaving-file" open={text.length < SHORT}>
          <summary>
            <code className="break">{path.split("/").at(-1)}</code>{" "}
            <span className="meta">{t(words.bytes, new TextEncoder().encode(text).length)}</span>
          </summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reached by the keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </details>
      ))}
      {remotes.length > 0 && (
        <label className="labelled">
          <span>{t(words.to)}</span>
          <select className="field" value={to} onChange={({ target }) => setChosen(target.value)}>
            {remotes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      <p className="meta">
        {t(words.digest)} <code className="break">{shown.digest}</code>
      </p>
    </ActionDialog>
  );
}

/** Longer files are folded, with their size. */
const SHORT = 4000;

const words = {
  title: { en: "Publish one of ours", uk: "Оприлюднити одну з наших" },
  about: {
    en: "The logic leaves with its figures and the decisions of recorded runs, without texts of this garden. You see every byte first.",
    uk: "Логіка йде з числами й рішеннями записаних запусків, без текстів цього саду. Спершу ви побачите кожен байт.",
  },
  agent: { en: "Behaviour of", uk: "Поведінка агента" },
  name: { en: "Name for others", uk: "Назва для інших" },
  show: { en: "Show what would leave", uk: "Показати, що піде назовні" },
  leaves: { en: "“{}” as it would leave", uk: "«{}» — те, що піде назовні" },
  runs: {
    en: "{} [run|runs] with decisions, {} with a verdict only",
    uk: "Запусків із рішеннями: {}, лише з вироком: {}",
  },
  bytes: { en: "{} [byte|bytes]", uk: "{} [байт|байти|байтів]" },
  to: { en: "Public repository", uk: "Публічний репозиторій" },
  digest: { en: "Digest of exactly this:", uk: "Відбиток саме цього:" },
  send: { en: "Publish exactly this", uk: "Оприлюднити саме це" },
  done: { en: "“{}” is published as announcement {}", uk: "«{}» оприлюднено оголошенням {}" },
} as const satisfies Record<string, Text>;
