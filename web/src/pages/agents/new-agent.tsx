import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button, TextArea, TextField } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** Creates an agent as a draft and opens its contract (C-6). Nothing runs before it is activated. */
export function NewAgent() {
  const t = useT();
  const { language } = usePreferences();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [slug, setSlug] = useState("");
  const [description, setDescription] = useState("");
  const [kind, setKind] = useState<"template" | "prose">("template");
  const create = useMutation({
    mutationFn: () =>
      call("POST /agents", {
        body: {
          slug: slug.trim(),
          language,
          from: { kind },
          ...(description.trim() !== "" && { description: description.trim() }),
        },
      }),
    onSuccess: async (made) => {
      await invalidate(client, "/agents");
      await navigate({ to: "/agents/$slug", params: { slug: made.slug }, search: { tab: "contract" } });
    },
  });
  return (
    <>
      <Button tone="primary" onClick={() => setIsOpen(true)}>
        {t(words.title)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.title)}
          action={{
            label: t(words.create),
            tone: "primary",
            isDisabled: slug.trim() === "" || create.isPending,
            onConfirm: () => create.mutate(),
          }}
          error={create.error && <Failed error={create.error} />}
          onClose={() => setIsOpen(false)}
        >
          <TextField label={t(words.slug)} value={slug} maxLength={63} autoComplete="off" onText={setSlug} />
          <TextArea label={t(words.purpose)} rows={2} maxLength={2000} value={description} onText={setDescription} />
          <fieldset className="stack tight">
            <legend>{t(words.kind)}</legend>
            {(["template", "prose"] as const).map((each) => (
              <label key={each} className="row">
                <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
                {t(words[each])}
              </label>
            ))}
          </fieldset>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  title: { en: "New agent", uk: "Новий агент" },
  create: { en: "Create draft", uk: "Створити чернетку" },
  slug: { en: "Name (Latin letters, digits, hyphens)", uk: "Назва (латинські літери, цифри, дефіси)" },
  purpose: { en: "Purpose", uk: "Призначення" },
  kind: { en: "Instructions", uk: "Інструкції" },
  template: { en: "A diagram that can be edited", uk: "Діаграма, яку можна змінювати" },
  prose: { en: "Text", uk: "Текст" },
} as const satisfies Record<string, Text>;
