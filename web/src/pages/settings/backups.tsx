import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { byteSize } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow, SettingsSection } from "./section.tsx";

/** Backups in the garden's own folder: make one, download one. */
export function BackupSection() {
  const t = useT();
  const { language } = usePreferences();
  const toast = useToast();
  const client = useQueryClient();
  const backups = useQuery(query("GET /backups", {}));
  const make = useMutation({
    mutationFn: () => call("POST /backups", {}),
    onSuccess: ({ name }) => toast(t(words.made, name)),
    onSettled: () => invalidate(client, "/backups"),
  });
  return (
    <SettingsSection
      id="backups"
      title={t(words.title)}
      about={t(words.about)}
      action={
        <Button tone="small" disabled={make.isPending} onClick={() => make.mutate()}>
          {t(make.isPending ? words.making : words.make)}
        </Button>
      }
    >
      {make.error && <RowError error={make.error} />}
      <QueryResult of={backups}>
        {({ backups: list }) =>
          list.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            list.map(({ name, bytes, made_at }) => (
              <SettingRow
                key={name}
                name={<When at={made_at} />}
                about={byteSize(bytes, language)}
                action={
                  <a className="button small" href={`/backups/${encodeURIComponent(name)}`} download={name}>
                    <Download size={14} aria-hidden="true" /> {t(words.download)}
                  </a>
                }
              >
                <code className="break small">{name}</code>
              </SettingRow>
            ))
          )
        }
      </QueryResult>
      <SettingRow name={t(words.elsewhere)} about={t(words.elsewhereWhy)}>
        <code>bloom backup /mnt/usb</code>
      </SettingRow>
      <SettingRow name={t(words.restore)} about={t(words.restoreWhy)}>
        <code>bloom restore FILE DIR</code>
      </SettingRow>
    </SettingsSection>
  );
}

const words = {
  title: { en: "Backup", uk: "Резервна копія" },
  about: {
    en: "One file with git, store and uncommitted files. No keys, no secrets.",
    uk: "Один файл: git, сховище й незакомічене. Без ключів і секретів.",
  },
  make: { en: "Back up now", uk: "Зробити копію" },
  making: { en: "Writing …", uk: "Записую …" },
  made: { en: "Wrote {}", uk: "Записано {}" },
  none: { en: "No backups in this garden yet", uk: "У цьому саду ще немає копій" },
  download: { en: "Download", uk: "Завантажити" },
  elsewhere: { en: "To another disk", uk: "На інший диск" },
  elsewhereWhy: {
    en: "On the machine of the garden; also while it is running",
    uk: "На машині саду; навіть коли він працює",
  },
  restore: { en: "Restore", uk: "Відновити" },
  restoreWhy: {
    en: "Into an empty folder; every digest is checked",
    uk: "У порожню теку; кожну контрольну суму перевірено",
  },
} as const satisfies Record<string, Text>;
