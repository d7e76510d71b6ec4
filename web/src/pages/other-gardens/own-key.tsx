import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { Empty } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow, SettingsSection } from "../settings/section.tsx";
import { CopyButton } from "../settings/shown-once.tsx";

/** The identity of this garden for others, or the button that makes it. */
export function OwnKeySection({ identity }: Pick<AnswerOf<"GET /federation">, "identity">) {
  const t = useT();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => call("POST /federation/identity", {}),
    onSettled: () => invalidate(client, "/federation"),
  });
  return (
    <SettingsSection
      id="own-key"
      title={t(words.title)}
      about={t(words.about)}
      action={
        identity === null && (
          <Button tone="small" disabled={make.isPending} onClick={() => make.mutate()}>
            <KeyRound size={14} aria-hidden="true" /> {t(words.make)}
          </Button>
        )
      }
    >
      {identity === null ? (
        <Empty>{t(words.none)}</Empty>
      ) : (
        <>
          <SettingRow
            name={t(words.fingerprint)}
            about={t(words.compare)}
            action={<CopyButton text={identity.fingerprint} />}
          >
            <code className="break">{identity.fingerprint}</code>
          </SettingRow>
          <SettingRow name={t(words.announced)} about={t(words.backup)}>
            <span className="meta">{t(words.announcements, identity.seq)}</span>
          </SettingRow>
        </>
      )}
      {make.error && <RowError error={make.error} />}
    </SettingsSection>
  );
}

const words = {
  title: { en: "This garden", uk: "Цей сад" },
  about: { en: "Others know it by its key.", uk: "Інші впізнають його за ключем." },
  none: {
    en: "This garden has no key yet, so others cannot follow it. Sessions that begin after the key is made can be published.",
    uk: "Цей сад ще не має ключа, тож інші не можуть за ним стежити. Оприлюднити можна сесії, які почнуться після того, як ключ буде створено.",
  },
  make: { en: "Make the key", uk: "Створити ключ" },
  fingerprint: { en: "Fingerprint", uk: "Відбиток ключа" },
  compare: {
    en: "Give it to other owners by another way than the address.",
    uk: "Передайте його іншим власникам не тим шляхом, що адресу.",
  },
  announced: { en: "Announcements", uk: "Оголошення" },
  backup: {
    en: "The key is in no backup: keep a copy of .bloom/keys/garden.",
    uk: "Ключа немає в резервних копіях: збережіть копію .bloom/keys/garden.",
  },
  announcements: { en: "{} [announcement|announcements] so far", uk: "Досі {} [оголошення|оголошення|оголошень]" },
} as const satisfies Record<string, Text>;
