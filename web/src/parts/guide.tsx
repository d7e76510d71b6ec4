import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { reading } from "../api/queries.ts";
import { type Text, useSay } from "../words/say.ts";
import { type Guided, useGuided } from "./guided.ts";

/** The agent of the demo garden that can be run without a key and always finds something. */
const AGENT = "gardener";

/**
 * The first steps of a new owner: run, watch, decide, see the commit. Each is noticed by itself, in what the garden tells or where
 * the reader goes; the card stands above every page, says one thing at a time, and goes away for good when told to.
 */
export function Guide() {
  const [guided, note] = useGuided();
  const agents = useQuery({ ...reading("GET /agents", {}), enabled: !guided.isOff }).data?.agents;
  const isDemo = agents?.some(({ slug, status }) => slug === AGENT && status === "active") ?? false;
  if (guided.isOff || !isDemo) return null;
  return <Card guided={guided} note={note} />;
}

const STEPS = ["run", "watch", "decide", "commit"] as const;

function Card({ guided, note }: { readonly guided: Guided; readonly note: (more: Partial<Guided>) => void }) {
  const say = useSay();
  const run = useQuery(reading("GET /runs", { query: { agent: AGENT, limit: "1" } })).data?.runs[0];
  const applied = useQuery(
    reading("GET /proposals/history", { query: { agent: AGENT, status: "applied", limit: "20" } }),
  ).data?.proposals.find(({ git_commit }) => git_commit !== undefined);
  // A comment is an object of the store: there would be no commit to see in the end.
  const waits = useQuery(reading("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals.find(
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
  // Who decided without watching has no need to be sent back.
  const at = isDone.lastIndexOf(true) + 1;
  const toAgent = { to: "/agents/$slug", params: { slug: AGENT } } as const;
  const ways: Readonly<Record<(typeof STEPS)[number], LinkProps | undefined>> = {
    run: toAgent,
    watch: run && { to: "/runs/$run", params: { run: run.run_id } },
    // Who turned everything down may let it look once more.
    decide: waits ? { to: "/proposals/$id", params: { id: waits.id } } : isEnded ? toAgent : undefined,
    commit: applied?.git_commit === undefined ? undefined : { to: "/why", search: { subject: applied.git_commit } },
  };
  const step = STEPS[at];
  const way = step && ways[step];
  // Who is there already needs no way.
  const isThere = way !== undefined && router.buildLocation(way as never).pathname === location.pathname;
  const isOver = step === "decide" && isEnded && !waits;
  return (
    <aside className="guide card stack tight" aria-labelledby="guide">
      <div className="row between">
        <h2 id="guide">{say(words.title)}</h2>
        <button type="button" className="button quiet small" onClick={() => note({ isOff: true })}>
          {say(step === undefined ? words.done : words.dismiss)}
        </button>
      </div>
      <ol className="row">
        {STEPS.map((each, index) => (
          <li key={each} className={index < at ? "tag good" : "tag"} aria-current={index === at ? "step" : undefined}>
            {index < at ? "✓" : `${index + 1}.`} {say(words.short[each])}
            {index < at && <span className="hidden-visually"> ({say(words.past)})</span>}
          </li>
        ))}
      </ol>
      <div className="row between" role="status">
        <p>{say(step === undefined ? words.end : isOver ? words.over : words.long[step])}</p>
        {way && !isThere && (
          <Link {...way} className="button">
            {say(words.go)}
          </Link>
        )}
      </div>
    </aside>
  );
}

const words = {
  title: { en: "First steps", uk: "Перші кроки" },
  dismiss: { en: "Hide the guide", uk: "Сховати підказки" },
  done: { en: "Done", uk: "Готово" },
  go: { en: "Take me there", uk: "Перейти туди" },
  past: { en: "done", uk: "зроблено" },
  short: {
    run: { en: "run", uk: "запустити" },
    watch: { en: "watch", uk: "подивитися" },
    decide: { en: "decide", uk: "вирішити" },
    commit: { en: "see the commit", uk: "побачити коміт" },
  },
  long: {
    run: {
      en: "An agent of this garden looks for links that lead nowhere. Press “Run now” on its page.",
      uk: "Один з агентів саду шукає посилання, що нікуди не ведуть. На його сторінці натисніть «Запустити».",
    },
    watch: {
      en: "It works now. See which way it takes through its diagram; it changes nothing by itself.",
      uk: "Він працює. Подивіться, яким шляхом діаграми він іде; сам він нічого не змінює.",
    },
    decide: {
      en: "It made suggestions. Read what one of them would change, and approve it if you agree.",
      uk: "Він дещо запропонував. Прочитайте, що саме зміниться, і схваліть, якщо згодні.",
    },
    commit: {
      en: "Your approval is a commit in git. See where it came from, link by link.",
      uk: "Ваше схвалення — це коміт у git. Подивіться, звідки він узявся, ланка за ланкою.",
    },
  },
  over: {
    en: "Nothing of it waits any more. Run it again to have something to approve.",
    uk: "Від нього вже нічого не чекає. Запустіть його ще раз, щоб було що схвалити.",
  },
  end: {
    en: "That is all there is to it: agents propose, you decide, git remembers. Press ? for the keys.",
    uk: "Оце й усе: агенти пропонують, ви вирішуєте, git пам'ятає. Клавіша ? покаже всі клавіші.",
  },
} as const satisfies Record<string, Text | Record<string, Text>>;
