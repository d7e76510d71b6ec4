import { useQueries, useQuery } from "@tanstack/react-query";
import { reading } from "../api/queries.ts";
import { useGuided } from "../parts/guided.ts";
import { Loading, Shown } from "../parts/state.tsx";
import { toneOf } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";
import { Rules } from "./settings/rules.tsx";
import { Tokens } from "./settings/tokens.tsx";
import { Webhooks } from "./settings/webhooks.tsx";
import { Zones } from "./settings/zones.tsx";
import "../style/agents.css";
import "../style/proposals.css";

/** Who may do what without asking, who else may come in, and how the parts of the garden are. */
export function Settings() {
  const say = useSay();
  // Each part reads for itself; together they come at once, and nothing moves under the hand.
  const parts = useQueries({
    queries: [
      reading("GET /settings/rules", {}),
      reading("GET /settings/zones", {}),
      reading("GET /settings/webhooks", {}),
      reading("GET /tokens", {}),
    ],
  });
  if (parts.some(({ isPending }) => isPending)) {
    return (
      <div className="stack">
        <h1>{say(words.title)}</h1>
        <Loading />
      </div>
    );
  }
  return (
    <div className="stack">
      <h1>{say(words.title)}</h1>
      <Health />
      <Rules />
      <Tokens />
      <Zones />
      <Webhooks />
      <section className="card stack tight" aria-labelledby="backup">
        <h2 id="backup">{say(words.backup)}</h2>
        <p className="quiet">{say(words.backupHow)}</p>
        <pre className="value">bloom backup garden.tar</pre>
      </section>
      <FirstSteps />
    </div>
  );
}

/** The guide can be brought back, from its beginning; what the garden knows to be done stays done. */
function FirstSteps() {
  const say = useSay();
  const [{ isOff }, note] = useGuided();
  return (
    <section className="card stack tight" aria-labelledby="first-steps">
      <h2 id="first-steps">{say(words.guide)}</h2>
      <p className="quiet">{say(isOff ? words.guideOff : words.guideOn)}</p>
      {isOff && (
        <p>
          <button
            type="button"
            className="button"
            onClick={() => note({ isOff: false, hasWatched: false, hasSeen: false })}
          >
            {say(words.guideBack)}
          </button>
        </p>
      )}
    </section>
  );
}

function Health() {
  const say = useSay();
  const health = useQuery(reading("GET /health", {}));
  return (
    <section className="card stack tight health" aria-labelledby="health">
      <h2 id="health">{say(words.parts)}</h2>
      <Shown of={health}>
        {({ parts }) => (
          <dl className="facts">
            {Object.entries(parts).map(([name, { status, about, remarks }]) => (
              <Part key={name} name={say(partWords[name] ?? { en: name, uk: name })}>
                <span className={`tag ${status === "off" ? "" : toneOf(status)}`}>{say(statusWords[status])}</span>{" "}
                <span className="quiet">{counted(about, say)}</span>
                {remarks.map((remark) => (
                  <p key={remark.en} className="quiet small">
                    {say(remark)}
                  </p>
                ))}
              </Part>
            ))}
          </dl>
        )}
      </Shown>
    </section>
  );
}

/** The engine tells its figures in words of the interface; here they are the reader's. */
function counted(about: string, say: ReturnType<typeof useSay>): string {
  const [, running, waiting] = /^running (\d+), waiting (\d+)$/.exec(about) ?? [];
  return running === undefined || waiting === undefined ? about : say(words.engine, running, waiting);
}

const Part = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const partWords: Readonly<Record<string, Text>> = {
  store: { en: "Store", uk: "Сховище" },
  git: { en: "Git", uk: "Git" },
  engine: { en: "Runs", uk: "Запуски" },
  models: { en: "Models", uk: "Моделі" },
  reader: { en: "Reader", uk: "Читач" },
};

const statusWords = {
  ok: { en: "works", uk: "працює" },
  degraded: { en: "does not work", uk: "не працює" },
  off: { en: "off", uk: "вимкнено" },
} as const satisfies Record<string, Text>;

const words = {
  title: { en: "Settings", uk: "Налаштування" },
  engine: { en: "running {}, waiting {}", uk: "працює {}, чекає {}" },
  parts: { en: "How the garden is", uk: "Як почувається сад" },
  backup: { en: "Backup", uk: "Резервна копія" },
  backupHow: {
    en: "The garden is a folder with git in it. This makes one file of all of it, also while it is up:",
    uk: "Сад — це тека з git усередині. Ця команда робить із неї один файл, навіть коли сад працює:",
  },
  guide: { en: "Guide", uk: "Підказки" },
  guideOff: {
    en: "The guide of the demo garden is hidden.",
    uk: "Підказки демонстраційного саду сховано.",
  },
  guideOn: {
    en: "In the demo garden, the guide stands above every page until you hide it.",
    uk: "У демонстраційному саду підказки стоять над кожною сторінкою, доки ви їх не сховаєте.",
  },
  guideBack: { en: "Show the guide again", uk: "Показати підказки знову" },
} as const satisfies Record<string, Text>;
