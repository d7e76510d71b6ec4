import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, type RequestOf } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { TextArea, TextField } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { useFreeSlug } from "./free-slug.ts";

export type NewAgentWay =
  | { readonly kind: "drawing" | "pseudocode" | "file" }
  | { readonly kind: "prose"; readonly purpose: string };

type Source = NonNullable<RequestOf<"POST /agents">["body"]["from"]>;

/** Asks for the rest that an agent needs which is not from a template, creates the draft and opens the place to go on. */
export function NewAgentDialog({ way, onClose }: { readonly way: NewAgentWay; readonly onClose: () => void }) {
  const t = useT();
  const { language } = usePreferences();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [purpose, setPurpose] = useState(way.kind === "prose" ? way.purpose : "");
  const [procedure, setProcedure] = useState<string>(t(words.firstProcedure));
  const [file, setFile] = useState<{ readonly text: string; readonly slug: string }>();
  const free = useFreeSlug(file?.slug ?? "my-agent");
  const [typed, setTyped] = useState<string>();
  const slug = (typed ?? free).trim();
  const source: Source | undefined =
    way.kind === "pseudocode"
      ? { kind: "pseudocode", text: procedure }
      : way.kind === "file"
        ? file && { kind: "file", text: file.text }
        : { kind: way.kind };
  const create = useMutation({
    mutationFn: () =>
      call("POST /agents", {
        body: {
          slug,
          language,
          from: source!,
          ...(purpose.trim() !== "" && { description: purpose.trim() }),
        },
      }),
    onSuccess: async (made) => {
      await invalidate(client, "/agents");
      await (way.kind === "drawing"
        ? navigate({ to: "/agents/$slug/diagram", params: { slug: made.slug } })
        : navigate({ to: "/agents/$slug", params: { slug: made.slug }, search: { tab: "contract" } }));
    },
  });
  return (
    <ActionDialog
      title={t(words[way.kind])}
      action={{
        label: t(words.create),
        tone: "primary",
        isDisabled: slug === "" || !source || create.isPending,
        onConfirm: () => create.mutate(),
      }}
      error={create.error && <Failed error={create.error} />}
      onClose={onClose}
    >
      <p className="quiet">{t(about[way.kind])}</p>
      {way.kind === "file" && <PackageFile onFile={setFile} />}
      {way.kind === "pseudocode" && (
        <TextArea
          className="field mono"
          label={t(words.procedure)}
          rows={12}
          value={procedure}
          spellCheck={false}
          onText={setProcedure}
        />
      )}
      {(way.kind === "prose" || way.kind === "drawing") && (
        <TextArea label={t(words.purpose)} rows={2} maxLength={500} value={purpose} onText={setPurpose} />
      )}
      <TextField label={t(words.slug)} value={typed ?? free} maxLength={63} autoComplete="off" onText={setTyped} />
    </ActionDialog>
  );
}

function PackageFile({ onFile }: { readonly onFile: (file: { text: string; slug: string }) => void }) {
  const t = useT();
  return (
    <label className="labelled">
      <span>{t(words.chooseFile)}</span>
      <input
        className="field"
        type="file"
        accept=".json,application/json"
        onChange={({ target }) => {
          void target.files?.[0]?.text().then((text) => onFile({ text, slug: slugIn(text) }));
        }}
      />
    </label>
  );
}

/** The slug that the file names; the gateway checks the rest. */
function slugIn(text: string): string {
  try {
    const { slug } = JSON.parse(text) as { readonly slug?: unknown };
    return typeof slug === "string" && slug !== "" ? slug : "my-agent";
  } catch {
    return "my-agent";
  }
}

const about: Readonly<Record<NewAgentWay["kind"], Text>> = {
  prose: {
    en: "The draft is a contract in words. It needs a language model; choose one on the next page.",
    uk: "Чернетка — контракт словами. Їй потрібна мовна модель: виберіть її на наступній сторінці.",
  },
  drawing: {
    en: "The draft has an empty diagram. The editor opens next.",
    uk: "Чернетка має порожню діаграму. Далі відкриється редактор.",
  },
  pseudocode: {
    en: "The diagram is drawn from the procedure; tools and permissions are taken from what it calls.",
    uk: "Діаграму буде накреслено з процедури; інструменти й дозволи беруться з того, що вона викликає.",
  },
  file: {
    en: "A file that another garden exported. It comes in as a draft; nothing runs before you activate it.",
    uk: "Файл, експортований з іншого саду. Він стане чернеткою; нічого не запуститься, доки ви не активуєте.",
  },
};

const words = {
  prose: { en: "Draft in words", uk: "Чернетка словами" },
  drawing: { en: "Start with an empty diagram", uk: "Почати з порожньої діаграми" },
  pseudocode: { en: "Draw from pseudocode", uk: "Накреслити з псевдокоду" },
  file: { en: "Import an agent", uk: "Імпортувати агента" },
  create: { en: "Create draft", uk: "Створити чернетку" },
  slug: { en: "Name (Latin letters, digits, hyphens)", uk: "Назва (латинські літери, цифри, дефіси)" },
  purpose: { en: "Purpose", uk: "Призначення" },
  procedure: { en: "Procedure", uk: "Процедура" },
  chooseFile: { en: "Exported file", uk: "Експортований файл" },
  firstProcedure: {
    en: 'BEGIN "New procedure"\n\n  notes ← read-notes()\n\n  FOR EACH note IN notes\n    create-proposal(type: "propose-tag", note: note.slug, tags: ["seen"])\n\nEND\n',
    uk: 'ПОЧАТОК "Нова процедура"\n\n  нотатки ← read-notes()\n\n  ДЛЯ КОЖНОГО нотатка З нотатки\n    create-proposal(тип: "propose-tag", нотатка: нотатка.slug, теги: ["переглянуто"])\n\nКІНЕЦЬ\n',
  },
} as const satisfies Record<string, Text>;
