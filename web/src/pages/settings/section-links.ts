import {
  Archive,
  Bell,
  Cable,
  Gauge,
  GitBranch,
  GraduationCap,
  HeartPulse,
  Key,
  Languages,
  type LucideIcon,
  Network,
  Plug,
  ScrollText,
  Server,
  Smartphone,
  Sprout,
  Ticket,
  Users,
} from "lucide-react";
import type { Text } from "../../i18n/use-t.ts";
import { settingGroups } from "./values.ts";

const groupIcons: Readonly<Record<string, LucideIcon>> = { limits: Gauge, learning: GraduationCap, retention: Network };

/** The sections of the settings, in the page's order. */
export const sectionLinks: readonly { readonly id: string; readonly name: Text; readonly icon: LucideIcon }[] = [
  { id: "models", icon: Key, name: { en: "Models and keys", uk: "Моделі й ключі" } },
  { id: "notify", icon: Bell, name: { en: "Notifications", uk: "Сповіщення" } },
  { id: "devices", icon: Smartphone, name: { en: "Devices", uk: "Пристрої" } },
  { id: "rules", icon: ScrollText, name: { en: "Auto-approve rules", uk: "Правила схвалення" } },
  { id: "zones", icon: Users, name: { en: "Guests", uk: "Гості" } },
  { id: "webhooks", icon: Cable, name: { en: "Webhooks", uk: "Вебхуки" } },
  { id: "tokens", icon: Ticket, name: { en: "Tokens and sessions", uk: "Токени й сеанси" } },
  { id: "programs", icon: Plug, name: { en: "Connected programs", uk: "Приєднані програми" } },
  ...settingGroups.map(({ id, title }) => ({ id, name: title, icon: groupIcons[id] ?? Sprout })),
  { id: "remotes", icon: GitBranch, name: { en: "Remotes", uk: "Віддалені репозиторії" } },
  { id: "machines", icon: Server, name: { en: "Machines", uk: "Машини" } },
  { id: "health", icon: HeartPulse, name: { en: "Health", uk: "Стан саду" } },
  { id: "backups", icon: Archive, name: { en: "Backup", uk: "Резервна копія" } },
  { id: "appearance", icon: Languages, name: { en: "Language and theme", uk: "Мова й тема" } },
];
