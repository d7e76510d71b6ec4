import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { reading } from "../../api/queries.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import { When } from "../../parts/tags.tsx";
import { nameOf } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";
import { useLooked } from "./looked.ts";
import { type Line, linesOf, newlyProposed, type Place, type Told } from "./told.ts";

/** What happened since the reader last looked, a line for each thing; no more than a screen of it at first. */
export function Happened() {
  const say = useSay();
  const { from, shown, seen } = useLooked();
  const read = useQuery(reading("GET /audit", { query: { after: from, last: "true", limit: String(MOST) } }));
  const newest = read.data?.records.at(-1)?.key;
  useEffect(() => {
    if (newest !== undefined) shown(newest);
  }, [newest, shown]);
  return (
    <section className="card stack tight" aria-labelledby="happened">
      <div className="row between">
        <h2 id="happened">{say(words.title)}</h2>
        {seen && (
          <button type="button" className="button quiet small" onClick={seen}>
            {say(words.seen)}
          </button>
        )}
      </div>
      <Shown of={read}>
        {({ records, left_out }) => (
          <>
            <Lines records={records} />
            {left_out && <p className="quiet small">{say(words.leftOut, MOST)}</p>}
          </>
        )}
      </Shown>
    </section>
  );
}

/** After a long absence, or on a busy day, the last of it is told: the rest is history, and is found by asking why. */
const MOST = 500;

const FIRST = 10;

function Lines({ records }: { readonly records: readonly Told[] }) {
  const say = useSay();
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => linesOf(records), [records]);
  const proposed = useMemo(() => [...newlyProposed(records)], [records]);
  if (lines.length === 0 && proposed.length === 0) return <Empty>{say(words.nothing)}</Empty>;
  const first = isWhole ? lines : lines.slice(0, FIRST);
  return (
    <>
      <ul className="stack tight happened">
        {proposed.map(([by, count]) => (
          <li key={by}>
            <span className="tag wait">{say(words.proposed)}</span>
            <span>{say(words.from, nameOf(by, say), count)}</span>
          </li>
        ))}
        {first.map((line) => (
          <Happening key={line.id} line={line} />
        ))}
      </ul>
      {lines.length > first.length && (
        <p>
          <button type="button" className="button quiet" onClick={() => setIsWhole(true)}>
            {say(words.more, lines.length - first.length)}
          </button>
        </p>
      )}
    </>
  );
}

function Happening({ line: { state, tone, what, place, by, at } }: { readonly line: Line }) {
  const say = useSay();
  return (
    <li>
      <span className={`tag ${tone}`}>{say(state)}</span>
      <span className="break">
        <At place={place}>{what}</At>{" "}
        <span className="quiet small">
          {by !== what && `${nameOf(by, say)} · `}
          <When at={at} />
        </span>
      </span>
    </li>
  );
}

function At({ place, children }: { readonly place: Place | undefined; readonly children: ReactNode }) {
  if (place?.to === "proposal")
    return (
      <Link to="/proposals/$id" params={{ id: place.id }}>
        {children}
      </Link>
    );
  if (place?.to === "run")
    return (
      <Link to="/runs/$run" params={{ run: place.id }}>
        {children}
      </Link>
    );
  if (place?.to === "agent")
    return (
      <Link to="/agents/$slug" params={{ slug: place.id }}>
        {children}
      </Link>
    );
  if (place?.to === "settings") return <Link to="/settings">{children}</Link>;
  return children;
}

const words = {
  title: { en: "Since you last looked", uk: "Відколи ви дивилися востаннє" },
  seen: { en: "I have seen this", uk: "Я це бачу" },
  nothing: {
    en: "Nothing new. What agents and people do will be told here.",
    uk: "Нічого нового. Тут буде видно, що роблять агенти й люди.",
  },
  proposed: { en: "proposed", uk: "запропоновано" },
  from: { en: "{}: {}, to be decided", uk: "{}: {}, чекає рішення" },
  more: { en: "{} more", uk: "Ще {}" },
  leftOut: {
    en: "More happened than the last {} records tell. What was before is found by asking why.",
    uk: "Сталося більше, ніж в останніх {} записах. Давніше можна знайти, запитавши «чому».",
  },
} as const satisfies Record<string, Text>;
