import { useQueries, useQuery } from "@tanstack/react-query";
import { query } from "../api/queries.ts";
import { FactRow } from "../components/fact-row.tsx";
import { Button } from "../components/form.tsx";
import { useGuideState } from "../components/guide-state.ts";
import { toneOf } from "../components/labels.ts";
import { Loading, QueryResult } from "../components/query-result.tsx";
import { type Text, type Translate, useT } from "../i18n/use-t.ts";
import { AllSettings } from "./settings/all-settings.tsx";
import { ModelSection } from "./settings/models.tsx";
import { NotifySettings } from "./settings/notify.tsx";
import { RuleSettings } from "./settings/rules.tsx";
import { TokenSettings } from "./settings/tokens.tsx";
import { WebhookSettings } from "./settings/webhooks.tsx";
import { ZoneSettings } from "./settings/zones.tsx";
import "../style/agents.css";
import "../style/page-parts.css";

/** Health, automatic approval, tokens, guest zones, webhooks and backup. */
export function SettingsPage() {
  const t = useT();
  // Each section has its own query. Waiting for all of them keeps the page from shifting.
  const parts = useQueries({
    queries: [
      query("GET /settings/rules", {}),
      query("GET /settings/zones", {}),
      query("GET /settings/webhooks", {}),
      query("GET /settings/notify", {}),
      query("GET /notify", {}),
      query("GET /tokens", {}),
      query("GET /models", {}),
      query("GET /settings", {}),
    ],
  });
  if (parts.some(({ isPending }) => isPending)) {
    return (
      <div className="stack">
        <h1>{t(words.title)}</h1>
        <Loading />
      </div>
    );
  }
  return (
    <div className="stack">
      <h1>{t(words.title)}</h1>
      <Health />
      <ModelSection />
      <RuleSettings />
      <TokenSettings />
      <ZoneSettings />
      <WebhookSettings />
      <NotifySettings />
      <AllSettings />
      <section className="card stack tight" aria-labelledby="backup">
        <h2 id="backup">{t(words.backup)}</h2>
        <p className="quiet">{t(words.backupHow)}</p>
        <pre className="value">bloom backup /mnt/usb</pre>
      </section>
      <FirstSteps />
    </div>
  );
}

/** Shows a hidden guide again. Steps that are done stay done. */
function FirstSteps() {
  const t = useT();
  const [{ isOff }, note] = useGuideState();
  return (
    <section className="card stack tight" aria-labelledby="first-steps">
      <h2 id="first-steps">{t(words.guide)}</h2>
      <p className="quiet">{t(isOff ? words.guideOff : words.guideOn)}</p>
      {isOff && (
        <p>
          <Button onClick={() => note({ isOff: false, hasWatched: false, hasSeen: false })}>
            {t(words.guideBack)}
          </Button>
        </p>
      )}
    </section>
  );
}

function Health() {
  const t = useT();
  const health = useQuery(query("GET /health", {}));
  return (
    <section className="card stack tight health" aria-labelledby="health">
      <h2 id="health">{t(words.parts)}</h2>
      <QueryResult of={health}>
        {({ parts }) => (
          <dl className="facts">
            {Object.entries(parts).map(([name, { status, about, remarks }]) => (
              <FactRow key={name} name={t(partWords[name] ?? { en: name, uk: name })}>
                <span className={`tag ${status === "off" ? "" : toneOf(status)}`}>{t(statusWords[status])}</span>{" "}
                <span className="quiet">{counted(about, t)}</span>
                {remarks.map((remark) => (
                  <p key={remark.en} className="quiet small">
                    {t(remark)}
                  </p>
                ))}
              </FactRow>
            ))}
          </dl>
        )}
      </QueryResult>
    </section>
  );
}

/** Translates the engine's figures, which the gateway sends as English text. */
function counted(about: string, t: Translate): string {
  const [, running, waiting] = /^running (\d+), waiting (\d+)$/.exec(about) ?? [];
  return running === undefined || waiting === undefined ? about : t(words.engine, running, waiting);
}

const partWords: Readonly<Record<string, Text>> = {
  store: { en: "Store", uk: "Сховище" },
  git: { en: "Git", uk: "Git" },
  engine: { en: "Runs", uk: "Запуски" },
  models: { en: "Models", uk: "Моделі" },
  reader: { en: "Search", uk: "Пошук" },
  agents: { en: "Agents", uk: "Агенти" },
  settings: { en: "garden.yaml", uk: "garden.yaml" },
};

const statusWords = {
  ok: { en: "working", uk: "працює" },
  degraded: { en: "not working", uk: "не працює" },
  off: { en: "off", uk: "вимкнено" },
} as const satisfies Record<string, Text>;

const words = {
  title: { en: "Settings", uk: "Налаштування" },
  engine: { en: "running {}, waiting {}", uk: "працює {}, чекає {}" },
  parts: { en: "Health", uk: "Як почувається сад" },
  backup: { en: "Backup", uk: "Резервна копія" },
  backupHow: {
    en: "The garden is a folder with a git repository. This command writes it as one file into the folder you name, also while it is running:",
    uk: "Сад — це тека з git усередині. Ця команда записує його одним файлом у названу теку, навіть коли сад працює:",
  },
  guide: { en: "Guide", uk: "Підказки" },
  guideOff: { en: "The guide of the demo garden is hidden.", uk: "Підказки демонстраційного саду сховано." },
  guideOn: {
    en: "In the demo garden, the guide is shown above every page until you hide it.",
    uk: "У демонстраційному саду підказки стоять над кожною сторінкою, доки ви їх не сховаєте.",
  },
  guideBack: { en: "Show the guide again", uk: "Показати підказки знову" },
} as const satisfies Record<string, Text>;
