import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { WhyPageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { StoryChange } from "../why/story-change.tsx";
import { StoryDot } from "../why/story-link.tsx";
import { UndoLink } from "../why/undo-link.tsx";
import "../../style/why.css";

type Story = NonNullable<AnswerOf<"GET /audit/story">["story"]>;

/** The story of one line in short: newest link first. */
export function LineStory({ path, line }: { readonly path: string; readonly line: number }) {
  const t = useT();
  const navigate = useNavigate();
  const subject = `${path}:${line}`;
  const found = useQuery(query("GET /audit/story", { query: { subject } }));
  useKeys({ w: () => void navigate({ to: "/why", search: { subject } }) });
  return (
    <section aria-labelledby="why-line">
      <h2 id="why-line">
        {t(words.why)}
        <span className="count">
          <kbd>w</kbd>
        </span>
      </h2>
      <QueryResult of={found}>
        {({ story }) =>
          story && (
            <>
              <ShortStory story={story} />
              <p className="row">
                {story.revertible !== undefined && <UndoLink id={story.revertible} />}
                <WhyPageLink subject={subject} className="button small ghost">
                  {t(words.whole)}
                </WhyPageLink>
              </p>
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function ShortStory({ story: { links } }: { readonly story: Story }) {
  const t = useT();
  const { language } = usePreferences();
  return (
    <ol className="short-story">
      {links
        .filter(({ kind }) => kind !== "since")
        .toReversed()
        .map((link) => (
          <li key={link.kind} className={link.mark}>
            <span className="axis">
              <StoryDot link={link} size={18} />
            </span>
            <div>
              <p>{t(link.title)}</p>
              {link.patch !== undefined && <StoryChange patch={link.patch} />}
              {link.reason !== undefined && <p className="reason">“{link.reason.text}”</p>}
              <p className="meta">
                {link.mark !== "verified" && <b>{t(words[link.mark])} · </b>}
                {link.reason !== undefined
                  ? t(words.reason, link.reason.by)
                  : link.at === undefined
                    ? t(link.checks[0]!.text)
                    : dateTime(link.at, language)}
              </p>
            </div>
          </li>
        ))}
    </ol>
  );
}

const words = {
  why: { en: "Why this line", uk: "Чому цей рядок такий" },
  whole: { en: "Whole story", uk: "Уся історія" },
  reason: { en: "Reason given by {}, not verified", uk: "Причина, яку назвав {}, не перевірена" },
  unchecked: { en: "Cannot be checked", uk: "Не можна перевірити" },
  kept: { en: "Kept with a reason", uk: "Лишено з причиною" },
  mismatch: { en: "Does not match", uk: "Не збігається" },
} as const satisfies Record<string, Text>;
