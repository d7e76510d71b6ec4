import { useQuery } from "@tanstack/react-query";
import { reading } from "../api/queries.ts";
import { Shown } from "../parts/state.tsx";
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
    </div>
  );
}

function Health() {
  const say = useSay();
  const health = useQuery(reading("GET /health", {}));
  return (
    <section className="card stack tight" aria-labelledby="health">
      <h2 id="health">{say(words.parts)}</h2>
      <Shown of={health}>
        {({ parts }) => (
          <dl className="facts">
            {Object.entries(parts).map(([name, { status, about, remarks }]) => (
              <Part key={name} name={say(partWords[name] ?? { en: name, uk: name })}>
                <span className={`tag ${status === "off" ? "" : toneOf(status)}`}>{say(statusWords[status])}</span>{" "}
                <span className="quiet">{about}</span>
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
  parts: { en: "How the garden is", uk: "Як почувається сад" },
  backup: { en: "Backup", uk: "Резервна копія" },
  backupHow: {
    en: "The garden is a folder with git in it. This makes one file of all of it, also while it is up:",
    uk: "Сад — це тека з git усередині. Ця команда робить із неї один файл, навіть коли сад працює:",
  },
} as const satisfies Record<string, Text>;
