import { Link, useNavigate } from "@tanstack/react-router";
import { CircleDashed, ShieldCheck, ShieldEllipsis, ShieldX } from "lucide-react";
import { useMemo, useState } from "react";
import { type StoryMark, storyVerdict } from "../../../../src/domain/why/story.ts";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { AnswerOf } from "../../api/client.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { dayWithYear } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { LinkChecks } from "./link-checks.tsx";
import { StoryLinkRow } from "./story-link.tsx";

type Story = NonNullable<AnswerOf<"GET /audit/story">["story"]>;

export const MARK_ICONS = {
  verified: ShieldCheck,
  unchecked: CircleDashed,
  kept: ShieldEllipsis,
  mismatch: ShieldX,
} as const satisfies Record<StoryMark, unknown>;

/** The line, the verdict, the links from the wish to today, and the diagram with the icon of the step. */
export function StoryView({ story }: { readonly story: Story }) {
  const t = useT();
  const { language } = usePreferences();
  const verdict = storyVerdict(story, language, (at) => dayWithYear(at, language));
  const worst = story.links.findIndex(({ mark }) => mark === "mismatch");
  const step = story.links.findIndex(({ kind }) => kind === "step");
  const [chosen, setChosen] = useState(worst >= 0 ? worst : step >= 0 ? step : 0);
  const Icon = MARK_ICONS[verdict.mark];
  const link = story.links[chosen];
  return (
    <div className="why">
      <article className="why-story" data-scroll="">
        <p className="label">
          {t(words.question)}
          {story.line !== undefined && (
            <span className="meta why-keys">
              {" "}
              · <kbd>↑</kbd> <kbd>↓</kbd> {t(words.move)}
            </span>
          )}
        </p>
        <StoryLines story={story} />
        <div className={`verdict ${verdict.mark}`}>
          <Icon size={22} aria-hidden="true" />
          <p>
            {verdict.mark === "mismatch" ? (
              <>
                <b>{verdict.opening}</b> {verdict.result}{" "}
              </>
            ) : (
              <>
                {verdict.opening} <b>{verdict.result}</b>{" "}
              </>
            )}
            <span className="meta">{t(words.here)}</span>
          </p>
        </div>
        <ol className="story">
          {story.links.map((each, index) => (
            <StoryLinkRow
              // oxlint-disable-next-line no-array-index-key -- links keep their order
              key={index}
              link={each}
              isChosen={index === chosen}
              isBeforeBreak={story.links[index + 1]?.mark === "mismatch"}
              onChoose={() => setChosen(index)}
            />
          ))}
        </ol>
      </article>
      <aside className="why-side" data-scroll="" aria-label={t(words.side)}>
        {link && <LinkChecks link={link} number={chosen + 1} />}
        {story.diagram && <StepDiagram diagram={story.diagram} />}
      </aside>
    </div>
  );
}

/** The line with its neighbours; the arrow keys move to another line. */
function StoryLines({ story: { lines, line, path } }: { readonly story: Story }) {
  const navigate = useNavigate();
  const at = lines.findIndex(({ number }) => number === line);
  const go = (number: number | undefined): void => {
    if (number !== undefined) void navigate({ to: "/why", search: { subject: `${path}:${number}` }, replace: true });
  };
  useKeys(
    line === undefined ? {} : { ArrowUp: () => go(lines[at - 1]?.number), ArrowDown: () => go(lines[at + 1]?.number) },
  );
  return (
    <div className="why-lines">
      {lines.map(({ number, text }) => (
        <Link
          key={number}
          to="/why"
          search={{ subject: `${path}:${number}` }}
          replace
          className="why-line"
          aria-current={number === line ? "true" : undefined}
          activeProps={{}}
        >
          <span className="no">{number}</span>
          <span className={number === line ? "" : "cut"}>{text}</span>
        </Link>
      ))}
    </div>
  );
}

function StepDiagram({ diagram: { agent, version, text, icon } }: { readonly diagram: NonNullable<Story["diagram"]> }) {
  const t = useT();
  const diagram = useMemo(() => readDiagram(text).diagram, [text]);
  const highlight = useMemo(() => [icon], [icon]);
  return (
    <section className="why-diagram" aria-label={t(words.diagram)}>
      <h2>
        {t(words.diagram)} <span className="meta">{`${agent}, ${version}`}</span>
      </h2>
      <DiagramPicture diagram={diagram} highlight={highlight} name={agent} />
    </section>
  );
}

const words = {
  question: { en: "Why is this line here?", uk: "Чому цей рядок тут?" },
  move: { en: "another line", uk: "інший рядок" },
  here: { en: "on this machine, from git and the records", uk: "на цій машині, за git і записами" },
  side: { en: "The chosen link", uk: "Обрана ланка" },
  diagram: { en: "The step in the diagram", uk: "Крок на схемі" },
} as const satisfies Record<string, Text>;
