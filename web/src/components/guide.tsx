import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps, useRouter, useRouterState } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useEffect } from "react";
import { query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { AgentFlower } from "./agent-flower.tsx";
import { FLOWER_PX } from "./flower.tsx";
import { Button } from "./form.tsx";
import { type GuideState, useGuideState } from "./guide-state.ts";

/** The demo agent that runs without an API key and always finds something. */
const AGENT = "gardener";
/** The demo garden has all of these. A garden of a person's own may have a gardener, but then the guide's sentences are not true. */
const DEMO_AGENTS = [AGENT, "archivist", "librarian", "test-echo"];

/**
 * The first steps of a new owner: run, watch, decide, see the commit. Progress is derived from the garden's data and the pages visited.
 * A card on Today and one line above every other page, until it is dismissed. On a phone it is on Today only.
 */
export function Guide() {
  const [guided, note] = useGuideState();
  const agents = useQuery({ ...query("GET /agents", {}), enabled: !guided.isOff }).data?.agents;
  const active = agents?.filter(({ status }) => status === "active").map(({ slug }) => slug) ?? [];
  const isDemo = DEMO_AGENTS.every((slug) => active.includes(slug));
  if (guided.isOff || !isDemo) return null;
  return <Card guided={guided} note={note} />;
}

const STEPS = ["run", "watch", "decide", "commit"] as const;

function Card({ guided, note }: { readonly guided: GuideState; readonly note: (more: Partial<GuideState>) => void }) {
  const t = useT();
  const run = useQuery(query("GET /runs", { query: { agent: AGENT, limit: "1" } })).data?.runs[0];
  const applied = useQuery(
    query("GET /proposals/history", { query: { agent: AGENT, status: "applied", limit: "20" } }),
  ).data?.proposals.find(({ git_commit }) => git_commit !== undefined);
  // Not a comment: that is an object in the store, so there would be no commit to see.
  const waits = useQuery(query("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals.find(
    ({ source, action }) => source.identity === AGENT && action === "propose-edit",
  );
  const router = useRouter();
  const location = useRouterState({ select: (state) => state.location });
  const { subject } = location.search as { subject?: unknown };
  const isEnded = run?.finished_at !== undefined;
  const hasWatched = guided.hasWatched || (isEnded && location.pathname === `/runs/${run.run_id}`);
  const hasSeen =
    guided.hasSeen || (applied !== undefined && location.pathname === "/why" && subject === applied.git_commit);
  useEffect(() => {
    if (hasWatched !== guided.hasWatched || hasSeen !== guided.hasSeen) note({ hasWatched, hasSeen });
  }, [hasWatched, hasSeen, guided, note]);
  const isDone = [run !== undefined, hasWatched, applied !== undefined, hasSeen];
  // A later step that is done makes the earlier ones unnecessary.
  const at = isDone.lastIndexOf(true) + 1;
  const toAgent = { to: "/agents/$slug", params: { slug: AGENT } } as const;
  const links: Readonly<Record<(typeof STEPS)[number], LinkProps | undefined>> = {
    run: toAgent,
    watch: run && { to: "/runs/$run", params: { run: run.run_id } },
    // After everything was rejected, the agent can be run again.
    decide: waits ? { to: "/proposals/$id", params: { id: waits.id } } : isEnded ? toAgent : undefined,
    commit: applied?.git_commit === undefined ? undefined : { to: "/why", search: { subject: applied.git_commit } },
  };
  const step = STEPS[at];
  const link = step && links[step];
  const isThere = link !== undefined && router.buildLocation(link as never).pathname === location.pathname;
  const isOver = step === "decide" && isEnded && !waits;
  const sentence = step === "watch" && isEnded ? words.ran : step && words.long[step];
  return (
    <aside className={location.pathname === "/" ? "guide card" : "guide line"} aria-labelledby="guide">
      <AgentFlower slug={AGENT} size={FLOWER_PX.head} />
      <div className="guide-text">
        <h2 id="guide">{t(words.title)}</h2>
        <ol>
          {STEPS.map((each, index) => (
            <li key={each} className={index < at ? "done" : undefined} aria-current={index === at ? "step" : undefined}>
              <span className="mark" aria-hidden="true">
                {index < at ? <Check size={12} strokeWidth={3} /> : index + 1}
              </span>
              {t(words.short[each])}
              {index < at && <span className="hidden-visually"> ({t(words.past)})</span>}
            </li>
          ))}
        </ol>
        <p role="status">{t(sentence === undefined ? words.end : isOver ? words.over : sentence)}</p>
      </div>
      <div className="row">
        {link && !isThere && (
          <Link {...link} className="button primary">
            {t(words.go)}
          </Link>
        )}
        <Button tone="ghost" onClick={() => note({ isOff: true })}>
          {t(step === undefined ? words.done : words.dismiss)}
        </Button>
      </div>
    </aside>
  );
}

const words = {
  title: { en: "First steps", uk: "Перші кроки" },
  dismiss: { en: "Hide the guide", uk: "Сховати підказки" },
  done: { en: "Done", uk: "Готово" },
  go: { en: "Go there", uk: "Перейти туди" },
  past: { en: "done", uk: "зроблено" },
  short: {
    run: { en: "Run an agent", uk: "Запустити агента" },
    watch: { en: "Watch it", uk: "Подивитися" },
    decide: { en: "Decide", uk: "Вирішити" },
    commit: { en: "See the commit", uk: "Побачити коміт" },
  },
  long: {
    run: {
      en: "An agent of this garden looks for broken links. Press “Run now” on its page.",
      uk: "Один з агентів саду шукає посилання, що нікуди не ведуть. На його сторінці натисніть «Запустити».",
    },
    watch: {
      en: "It is running. Watch its path through the diagram; it changes nothing by itself.",
      uk: "Він працює. Подивіться, яким шляхом діаграми він іде; сам він нічого не змінює.",
    },
    decide: {
      en: "It proposed changes. Read one of them, and approve it if you agree.",
      uk: "Він дещо запропонував. Прочитайте, що саме зміниться, і схваліть, якщо згодні.",
    },
    commit: {
      en: "Your approval is a commit in git. See where it came from, step by step.",
      uk: "Ваше схвалення — це коміт у git. Подивіться, звідки він узявся, ланка за ланкою.",
    },
  },
  ran: {
    en: "It has run. See which path it took through the diagram; it changed nothing by itself.",
    uk: "Він уже попрацював. Подивіться, яким шляхом діаграми він ішов; сам він нічого не змінив.",
  },
  over: {
    en: "None of its proposals is waiting. Run it again to get new ones.",
    uk: "Від нього вже нічого не чекає. Запустіть його ще раз, щоб було що схвалити.",
  },
  end: {
    en: "That’s all: agents propose, you decide, git remembers. Press ? for keyboard shortcuts.",
    uk: "Оце й усе: агенти пропонують, ви вирішуєте, git пам’ятає. Клавіша ? покаже всі клавіші.",
  },
} as const satisfies Record<string, Text | Record<string, Text>>;
