import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Form } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow } from "./section.tsx";

/** RFC 8292: whom a push service may write to about trouble. An e-mail address is typed without `mailto:`. */
export function PushContact({
  contact,
  save,
}: {
  readonly contact: string | undefined;
  readonly save: (contact: string | undefined) => Promise<void>;
}) {
  const t = useT();
  const saved = contact?.replace(/^mailto:/, "") ?? "";
  const [typed, setTyped] = useState<string>();
  const change = useMutation({
    mutationFn: (text: string) => save(text === "" ? undefined : text.startsWith("https:") ? text : `mailto:${text}`),
    onSuccess: () => setTyped(undefined),
  });
  return (
    <SettingRow name={t(words.name)} about={t(words.about)}>
      <Form className="row" onSubmit={() => change.mutate((typed ?? saved).trim())}>
        <input
          className="field"
          aria-label={t(words.name)}
          placeholder={t(words.usual)}
          maxLength={290}
          value={typed ?? saved}
          onChange={({ target }) => setTyped(target.value)}
        />
        {typed !== undefined && typed.trim() !== saved && (
          <>
            <button type="submit" className="button primary small" disabled={change.isPending}>
              {t(words.save)}
            </button>
            <Button tone="ghost small" onClick={() => setTyped(undefined)}>
              {t(words.cancel)}
            </Button>
          </>
        )}
      </Form>
      {change.error && <RowError error={change.error} />}
    </SettingRow>
  );
}

const words = {
  name: { en: "Contact for push services", uk: "Адреса для служб сповіщень" },
  about: {
    en: "They may write there about trouble with your messages.",
    uk: "Туди вони можуть написати про проблеми з повідомленнями.",
  },
  usual: { en: "your e-mail address in git", uk: "ваша адреса в git" },
  save: { en: "Save", uk: "Зберегти" },
  cancel: { en: "Cancel", uk: "Скасувати" },
} as const satisfies Record<string, Text>;
