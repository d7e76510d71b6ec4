import {
  CircleDashed,
  FileCheck,
  GitCommitVertical,
  History,
  PenLine,
  ShieldCheck,
  ShieldEllipsis,
  ShieldX,
  Workflow,
} from "lucide-react";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { AuthorFace } from "../../components/author-face.tsx";
import { AgentLink, ProposalLink, RunLink, WhyPageLink } from "../../components/links.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { RepairStory } from "./repair-story.tsx";
import { StoryChange } from "./story-change.tsx";

type StoryLink = NonNullable<AnswerOf<"GET /audit/story">["story"]>["links"][number];

const MARKS = { verified: ShieldCheck, unchecked: CircleDashed, kept: ShieldEllipsis, mismatch: ShieldX } as const;

/** One link: when, who or what, what happened, and one line that says what was checked. */
export function StoryLinkRow(props: {
  readonly link: StoryLink;
  readonly isChosen: boolean;
  /** The next link does not match: the line is cut before it. */
  readonly isBeforeBreak: boolean;
  readonly onChoose: () => void;
}) {
  const { link, isChosen, isBeforeBreak, onChoose } = props;
  const t = useT();
  const { language } = usePreferences();
  const Mark = MARKS[link.mark];
  const [first] = link.checks;
  return (
    <li
      className={["story-link", link.mark, isChosen && "on", isBeforeBreak && "before-break"].filter(Boolean).join(" ")}
    >
      <span className="when">
        {link.at !== undefined ? (
          <time dateTime={link.at}>{dateTime(link.at, language)}</time>
        ) : (
          link.kind === "since" && t(words.since)
        )}
      </span>
      <span className="axis">
        <span className="dot">
          <StoryDot link={link} size={20} />
        </span>
      </span>
      <div className="told">
        <p className="head">
          <LinkTitle link={link}>{t(link.title)}</LinkTitle>
          <button type="button" className="mark" aria-pressed={isChosen} onClick={onChoose}>
            <Mark size={14} aria-hidden="true" />
            {t(words[link.mark])}
          </button>
        </p>
        {link.words !== undefined && <p className="reason break">“{link.words}”</p>}
        {link.detail !== undefined && <p className="small quiet break">{t(link.detail)}</p>}
        {link.patch !== undefined && <StoryChange patch={link.patch} />}
        {link.repair !== undefined && <RepairStory repair={link.repair} />}
        {link.kept !== undefined && (
          <p className="reason break">
            “{link.kept.reason}”{" "}
            <span className="meta">
              {t(words.keptBy, link.kept.by)}, <time dateTime={link.kept.at}>{dateTime(link.kept.at, language)}</time>
            </span>
          </p>
        )}
        {link.reason !== undefined && (
          <p className="small quiet break">
            “{link.reason.text}” <span className="meta">{t(words.reason, link.reason.by)}</span>
          </p>
        )}
        {first && (
          <p className="meta">
            {link.checks
              .slice(0, 3)
              .map(({ text }) => t(text))
              .join(" · ")}
          </p>
        )}
      </div>
    </li>
  );
}

const DOTS = { permission: FileCheck, step: Workflow, proposal: PenLine, since: History } as const;

/** The icon of what happened, or the face of who did it. */
export function StoryDot({ link: { kind, who }, size }: { readonly link: StoryLink; readonly size: number }) {
  const Icon = kind in DOTS ? DOTS[kind as keyof typeof DOTS] : who ? undefined : GitCommitVertical;
  if (Icon) return <Icon size={Math.min(size, 15)} aria-hidden="true" />;
  return <AuthorFace name={who!.name} isAgent={who!.isAgent} size={size} />;
}

function LinkTitle({ link: { target }, children }: { readonly link: StoryLink; readonly children: ReactNode }) {
  if (target?.kind === "run") return <RunLink run={target.id}>{children}</RunLink>;
  if (target?.kind === "proposal") return <ProposalLink id={target.id}>{children}</ProposalLink>;
  if (target?.kind === "commit") return <WhyPageLink subject={target.id}>{children}</WhyPageLink>;
  if (target?.kind === "agent")
    return (
      <AgentLink slug={target.id} search={{ tab: "contract" }}>
        {children}
      </AgentLink>
    );
  return <span>{children}</span>;
}

const words = {
  since: { en: "Since then", uk: "Відтоді" },
  verified: { en: "Verified", uk: "Перевірено" },
  unchecked: { en: "Cannot be checked", uk: "Не можна перевірити" },
  kept: { en: "Kept with a reason", uk: "Лишено з причиною" },
  mismatch: { en: "Does not match", uk: "Не збігається" },
  keptBy: { en: "Kept by {}", uk: "Лишає {}" },
  reason: { en: "Reason given by {}, not verified", uk: "Причина, яку назвав {}, не перевірена" },
} as const satisfies Record<string, Text>;
