import { type Text, useSay } from "../words/say.ts";
import { Happened } from "./today/happened.tsx";
import { Running } from "./today/running.tsx";
import { Waiting } from "./today/waiting.tsx";
import "../style/today.css";

/** What waits for the owner, what runs now, and what happened since they last looked. */
export function Today() {
  const say = useSay();
  return (
    <div className="stack">
      <h1>{say(words.title)}</h1>
      <div className="today">
        <section className="card stack tight" aria-labelledby="waiting">
          <h2 id="waiting">{say(words.waiting)}</h2>
          <Waiting />
        </section>
        <section className="card stack tight" aria-labelledby="running">
          <h2 id="running">{say(words.running)}</h2>
          <Running />
        </section>
        <Happened />
      </div>
    </div>
  );
}

const words = {
  title: { en: "Today", uk: "Сьогодні" },
  waiting: { en: "Waits for you", uk: "Чекає на вас" },
  running: { en: "Runs now", uk: "Працює зараз" },
} as const satisfies Record<string, Text>;
