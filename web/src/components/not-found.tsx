import { Link } from "@tanstack/react-router";
import { type Text, useT } from "../i18n/use-t.ts";
import { EmptyState } from "./empty-state.tsx";
import { Flower } from "./flower.tsx";

/** An address of the app that leads nowhere. */
export function NotFound() {
  const t = useT();
  return (
    <EmptyState
      picture={<Flower of="404" size={150} look="draft" hasStem />}
      title={t(words.title)}
      action={
        <Link to="/" className="button">
          {t(words.today)}
        </Link>
      }
    >
      {t(words.why)}
    </EmptyState>
  );
}

const words = {
  title: { en: "Nothing grows here", uk: "Тут нічого не росте" },
  why: { en: "The app has no page at this address.", uk: "За цією адресою немає сторінки." },
  today: { en: "Go to Today", uk: "На «Сьогодні»" },
} as const satisfies Record<string, Text>;
