import type { Text } from "../../i18n/use-t.ts";
import { settingGroups } from "./values.ts";

/** The sections of the settings, in the page's order. */
export const sectionLinks: readonly { readonly id: string; readonly name: Text }[] = [
  { id: "models", name: { en: "Models and keys", uk: "Моделі й ключі" } },
  { id: "notify", name: { en: "Notifications", uk: "Сповіщення" } },
  { id: "devices", name: { en: "Devices", uk: "Пристрої" } },
  { id: "rules", name: { en: "Auto-approve rules", uk: "Правила схвалення" } },
  { id: "zones", name: { en: "Guests", uk: "Гості" } },
  { id: "webhooks", name: { en: "Webhooks", uk: "Вебхуки" } },
  { id: "tokens", name: { en: "Tokens and sessions", uk: "Токени й сеанси" } },
  ...settingGroups.map(({ id, title }) => ({ id, name: title })),
  { id: "remotes", name: { en: "Remotes", uk: "Віддалені репозиторії" } },
  { id: "health", name: { en: "Health", uk: "Стан саду" } },
  { id: "backups", name: { en: "Backup", uk: "Резервна копія" } },
  { id: "appearance", name: { en: "Language and theme", uk: "Мова й тема" } },
];
