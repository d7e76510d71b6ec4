import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SettingsSection } from "./section.tsx";
import { ValueRow } from "./value-row.tsx";
import { type SettingGroup, settingIn } from "./values.ts";

/** A group of settings with one value each. */
export function ValueSection({ group }: { readonly group: SettingGroup }) {
  const t = useT();
  const settings = useQuery(query("GET /settings", {}));
  return (
    <SettingsSection id={group.id} title={t(group.title)} about={t(group.about)}>
      <QueryResult of={settings}>
        {({ settings: current }) =>
          group.values.map((setting) => (
            <ValueRow key={setting.key} setting={setting} value={settingIn(current, setting.key)} />
          ))
        }
      </QueryResult>
    </SettingsSection>
  );
}

/** Tells of a `garden.yaml` that was refused. */
export function RefusedSettings() {
  const t = useT();
  const trouble = useQuery(query("GET /settings", {})).data?.trouble;
  if (!trouble) return null;
  return (
    <p className="alert bad" role="alert">
      <span>
        {t(trouble)} {t(words.before)}
      </span>
    </p>
  );
}

const words = {
  before: {
    en: "Until the file is corrected, the settings from before stay in force.",
    uk: "Доки файл не виправлено, діють попередні налаштування.",
  },
} as const satisfies Record<string, Text>;
