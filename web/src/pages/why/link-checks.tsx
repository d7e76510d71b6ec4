import { CircleCheck, CircleDashed, CircleSlash2, CircleX } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

type StoryLink = NonNullable<AnswerOf<"GET /audit/story">["story"]>["links"][number];

const ICONS = { verified: CircleCheck, unchecked: CircleDashed, kept: CircleSlash2, mismatch: CircleX } as const;

/** Everything that was checked about one link. */
export function LinkChecks({ link, number }: { readonly link: StoryLink; readonly number: number }) {
  const t = useT();
  const held = link.checks.filter(({ mark }) => mark === "verified").length;
  return (
    <section className="why-checks" aria-live="polite">
      <h2>
        {t(words.link, number)}
        <span className="meta">{t(words.held, held, link.checks.length)}</span>
      </h2>
      <ul>
        {link.checks.map(({ mark, text }) => {
          const Icon = ICONS[mark];
          return (
            <li key={text.en} className={mark}>
              <Icon size={16} aria-hidden="true" />
              <span>
                <span className="hidden-visually">{t(words[mark])}: </span>
                {t(text)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const words = {
  link: { en: "Link {}", uk: "Ланка {}" },
  held: { en: "{} of {} checks hold", uk: "{} з {} перевірок виконано" },
  verified: { en: "Verified", uk: "Перевірено" },
  unchecked: { en: "Cannot be checked", uk: "Не можна перевірити" },
  kept: { en: "Kept with a reason", uk: "Лишено з причиною" },
  mismatch: { en: "Does not match", uk: "Не збігається" },
} as const satisfies Record<string, Text>;
