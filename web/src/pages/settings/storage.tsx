import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { toneOf } from "../../components/labels.ts";
import { QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow, SettingsSection } from "./section.tsx";

/** The parts of the garden and their state; verification and packing. */
export function StorageSection() {
  const t = useT();
  const health = useQuery(query("GET /health", {}));
  const status = useQuery(query("GET /status", {}));
  return (
    <SettingsSection id="health" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={health}>
        {({ parts }) =>
          Object.entries(parts).map(([name, { status: state, about, remarks }]) => (
            <SettingRow
              key={name}
              name={t(partWords[name] ?? { en: name, uk: name })}
              about={t(partAbout[name] ?? { en: "", uk: "" })}
            >
              <span className={`state ${state === "off" ? "draft" : toneOf(state)}`}>{t(statusWords[state])}</span>{" "}
              <span className="meta">{counted(about, t)}</span>
              {remarks.map((remark) => (
                <p key={remark.en} className="meta">
                  {t(remark)}
                </p>
              ))}
            </SettingRow>
          ))
        }
      </QueryResult>
      {status.data && status.data.uncommitted.length > 0 && (
        <SettingRow name={t(words.uncommitted)} about={t(words.uncommittedWhy)}>
          <details>
            <summary>{t(words.files, status.data.uncommitted.length)}</summary>
            <ul className="plain-list small">
              {status.data.uncommitted.slice(0, MOST_FILES).map(({ path }) => (
                <li key={path}>
                  <code className="break">{path}</code>
                </li>
              ))}
            </ul>
          </details>
        </SettingRow>
      )}
      <VerifyRow />
      <PackRow />
    </SettingsSection>
  );
}

const MOST_FILES = 200;

/** Checks the whole garden, and rebuilds outdated indexes if there are any. */
function VerifyRow() {
  const t = useT();
  const verify = useMutation({ mutationFn: (repair: boolean) => call("POST /verify", { body: { repair } }) });
  const result = verify.data;
  return (
    <SettingRow
      name={t(words.verify)}
      about={t(words.verifyWhy)}
      action={
        <Button tone="small" disabled={verify.isPending} onClick={() => verify.mutate(false)}>
          {t(verify.isPending ? words.verifying : words.verifyNow)}
        </Button>
      }
    >
      <div role="status">
        {result && result.findings.length === 0 && (
          <span className="state good">{t(words.noProblems, result.checks)}</span>
        )}
        {result && result.repaired.length > 0 && <p className="meta">{t(words.repaired, result.repaired.length)}</p>}
      </div>
      {result && result.findings.length > 0 && (
        <div className="stack tight">
          <span className="state bad">{t(words.problems, result.findings.length)}</span>
          <ul className="plain-list small">
            {result.findings.map(({ rule, where, what, consequences }) => (
              <li key={`${rule} ${where} ${what.en}`}>
                <code className="break">{where}</code>: {t(what)}
                {consequences.length > 0 && <span className="meta"> {t(words.consequences, consequences.length)}</span>}
              </li>
            ))}
          </ul>
          <Button tone="small" disabled={verify.isPending} onClick={() => verify.mutate(true)}>
            {t(words.repair)}
          </Button>
        </div>
      )}
      {verify.error && <RowError error={verify.error} />}
    </SettingRow>
  );
}

function PackRow() {
  const t = useT();
  const toast = useToast();
  const pack = useMutation({
    mutationFn: () => call("POST /maintain", {}),
    onSuccess: () => toast(t(words.packed)),
  });
  return (
    <SettingRow
      name={t(words.pack)}
      about={t(words.packWhy)}
      action={
        <Button tone="small" disabled={pack.isPending} onClick={() => pack.mutate()}>
          {t(pack.isPending ? words.packing : words.packNow)}
        </Button>
      }
    >
      {pack.error && <RowError error={pack.error} />}
    </SettingRow>
  );
}

/** Translates the engine's figures, which the gateway sends as English text. */
function counted(about: string, t: Translate): string {
  const [, running, waiting] = /^\S+: running (\d+), waiting (\d+)$/.exec(about) ?? [];
  return running === undefined || waiting === undefined ? about : t(words.engine, running, waiting);
}

const partWords: Readonly<Record<string, Text>> = {
  store: { en: "Store", uk: "Сховище" },
  git: { en: "Git", uk: "Git" },
  remote: { en: "Shared remote", uk: "Спільний репозиторій" },
  engine: { en: "Engine", uk: "Рушій" },
  workers: { en: "Workers", uk: "Виконавці" },
  models: { en: "Models", uk: "Моделі" },
  reader: { en: "Search", uk: "Пошук" },
  agents: { en: "Agents", uk: "Агенти" },
  settings: { en: "Settings", uk: "Налаштування" },
};

const partAbout: Readonly<Record<string, Text>> = {
  store: { en: "Records of proposals, runs and memory", uk: "Записи пропозицій, запусків і пам’яті" },
  git: { en: "The history of every file", uk: "Історія кожного файлу" },
  remote: { en: "Where every machine of the garden pushes", uk: "Куди надсилає кожна машина саду" },
  engine: { en: "A run goes on after a restart", uk: "Після перезапуску запуск іде далі" },
  workers: { en: "Processes that carry out runs", uk: "Процеси, що виконують запуски" },
  models: { en: "Language models of the agents", uk: "Мовні моделі агентів" },
  reader: { en: "Index of the notes", uk: "Покажчик нотаток" },
  agents: { en: "Contracts that are in force", uk: "Контракти, що діють" },
  settings: { en: "The file garden.yaml", uk: "Файл garden.yaml" },
};

const statusWords = {
  ok: { en: "working", uk: "працює" },
  slow: { en: "slow", uk: "повільно" },
  degraded: { en: "not working", uk: "не працює" },
  off: { en: "off", uk: "вимкнено" },
} as const satisfies Record<string, Text>;

const words = {
  title: { en: "Health", uk: "Стан саду" },
  about: {
    en: "Whether each part of the garden works.",
    uk: "Чи працює кожна частина саду.",
  },
  engine: { en: "{} running, {} waiting", uk: "працює {}, чекає {}" },
  uncommitted: { en: "Uncommitted files", uk: "Незакомічені файли" },
  uncommittedWhy: { en: "Yours; proposals never overwrite them", uk: "Ваші; пропозиції їх ніколи не перезаписують" },
  files: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  verify: { en: "Check the whole garden", uk: "Перевірити весь сад" },
  verifyWhy: {
    en: "Contracts, logic, proposals, commits and runs against each other",
    uk: "Контракти, логіку, пропозиції, коміти й запуски між собою",
  },
  verifyNow: { en: "Check", uk: "Перевірити" },
  verifying: { en: "Checking …", uk: "Перевіряю …" },
  noProblems: {
    en: "No problems: {} [check|checks] passed",
    uk: "Порушень немає: пройдено {} [перевірку|перевірки|перевірок]",
  },
  problems: { en: "{} [problem|problems]", uk: "{} [порушення|порушення|порушень]" },
  consequences: {
    en: "and {} that [follows|follow] from it",
    uk: "і ще {}, що з цього [випливає|випливають|випливають]",
  },
  repair: { en: "Rebuild outdated indexes", uk: "Відновити списки, що відстали" },
  repaired: { en: "{} [index|indexes] rebuilt", uk: "Відновлено {} [список|списки|списків]" },
  pack: { en: "Pack the repository", uk: "Упакувати репозиторій" },
  packWhy: { en: "Smaller and faster; safe during writes", uk: "Менше й швидше; безпечно під час записів" },
  packNow: { en: "Pack", uk: "Упакувати" },
  packing: { en: "Packing …", uk: "Пакую …" },
  packed: { en: "Packed", uk: "Упаковано" },
} as const satisfies Record<string, Text>;
