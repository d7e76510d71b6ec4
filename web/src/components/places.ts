import {
  Activity,
  Flower2,
  GitCommitVertical,
  Inbox,
  type LucideIcon,
  MessageCircleQuestionMark,
  NotebookText,
  Settings,
  Sun,
} from "lucide-react";
import type { Text } from "../i18n/use-t.ts";

interface Place {
  /** Opens the place after `g`. */
  readonly key: string;
  readonly to: string;
  readonly name: Text;
  readonly icon: LucideIcon;
  /** Further paths that belong to the place. */
  readonly also?: readonly string[];
}

/** The seven places of the app. */
export const PLACES = [
  { key: "t", to: "/", name: { en: "Today", uk: "Сьогодні" }, icon: Sun },
  { key: "p", to: "/proposals", name: { en: "Review", uk: "Перегляд" }, icon: Inbox },
  { key: "a", to: "/agents", name: { en: "Agents", uk: "Агенти" }, icon: Flower2, also: ["/library"] },
  { key: "r", to: "/runs", name: { en: "Runs", uk: "Запуски" }, icon: Activity, also: ["/sessions", "/other-gardens"] },
  { key: "n", to: "/notes", name: { en: "Notes", uk: "Нотатки" }, icon: NotebookText },
  { key: "q", to: "/ask", name: { en: "Ask", uk: "Питання" }, icon: MessageCircleQuestionMark },
  { key: "w", to: "/why", name: { en: "Why", uk: "Чому" }, icon: GitCommitVertical },
] as const satisfies readonly Place[];

export const SETTINGS_PLACE = {
  key: "s",
  to: "/settings",
  name: { en: "Settings", uk: "Налаштування" },
  icon: Settings,
} as const satisfies Place;

/** The place that a path of the app belongs to. */
export const placeOf = (path: string): Place | undefined =>
  places.find(({ to, also = [] }) =>
    [to, ...also].some((root) => path === root || (root !== "/" && path.startsWith(`${root}/`))),
  );

const places: readonly Place[] = [...PLACES, SETTINGS_PLACE];
