import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { toneOf } from "../../components/labels.ts";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SettingRow, SettingsSection } from "./section.tsx";

/** As often as processes announce themselves. */
const LOOK_MS = 10_000;

/** O-10: where the garden is kept, the engine of its runs, and the processes that serve it. They are set in garden.yaml. */
export function MachineSection() {
  const t = useT();
  const status = useQuery({ ...query("GET /status", {}), refetchInterval: LOOK_MS });
  return (
    <SettingsSection id="machines" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={status}>
        {({ store, remote, engine, peers }) => (
          <>
            <SettingRow name={t(words.store)} about={t(words.storeAbout)}>
              {store.kind === "s3" ? <code className="break">{store.place}</code> : t(words.folder)}
            </SettingRow>
            <SettingRow name={t(words.remote)} about={t(words.remoteAbout)}>
              {remote ? <code className="break">{remote.address}</code> : t(words.noRemote)}
            </SettingRow>
            <SettingRow name={t(words.engine)} about={t(words.engineAbout)}>
              {t(engineNames[engine.kind])} {engine.url !== undefined && <code className="break">{engine.url}</code>}
            </SettingRow>
            {peers.length === 0 && <Empty>{t(words.noPeers)}</Empty>}
            {peers.map((peer) => (
              <PeerRow key={peer.id} peer={peer} />
            ))}
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

interface ShownPeer {
  readonly role: keyof typeof roleNames;
  readonly version: string;
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly started_at: string;
  readonly age_s: number;
  readonly present: boolean;
  readonly running: number;
}

function PeerRow({ peer }: { readonly peer: ShownPeer }) {
  const t = useT();
  const { role, version, url, host, started_at, age_s, present, running } = peer;
  return (
    <SettingRow
      name={t(roleNames[role])}
      about={
        <>
          {t(words.version, version)} · {t(words.started)} <When at={started_at} />
        </>
      }
    >
      <span className={`state ${toneOf(present ? "ok" : "degraded")}`}>
        {t(present ? words.present : words.silent)}
      </span>{" "}
      <span className="meta">
        {t(words.seen, age_s)} · {t(words.running, running)}
      </span>
      {url !== undefined && (
        <div>
          <code className="break small">{url}</code> {host !== undefined && <span className="meta">{host}</span>}
        </div>
      )}
    </SettingRow>
  );
}

const roleNames = {
  all: { en: "Gateway and worker", uk: "Шлюз і виконавець" },
  gateway: { en: "Gateway", uk: "Шлюз" },
  worker: { en: "Worker", uk: "Виконавець" },
} as const satisfies Record<string, Text>;

const engineNames = {
  embedded: { en: "Embedded in every worker", uk: "Вбудований у кожного виконавця" },
  restate: { en: "Restate", uk: "Restate" },
  inngest: { en: "Inngest", uk: "Inngest" },
} as const satisfies Record<string, Text>;

const words = {
  title: { en: "Machines", uk: "Машини" },
  about: {
    en: "Set in garden.yaml and by “bloom move”; the same for every process.",
    uk: "Задають у garden.yaml і командою «bloom move»; однакове для всіх процесів.",
  },
  store: { en: "Store", uk: "Сховище" },
  storeAbout: { en: "Proposals, runs and contracts", uk: "Пропозиції, запуски й контракти" },
  folder: { en: "The garden's folder on this machine", uk: "Тека саду на цій машині" },
  remote: { en: "Shared remote", uk: "Спільний репозиторій" },
  remoteAbout: { en: "Decides what main is", uk: "Вирішує, що таке main" },
  noRemote: { en: "None: the repository of this machine decides", uk: "Немає: вирішує репозиторій цієї машини" },
  engine: { en: "Engine", uk: "Рушій" },
  engineAbout: { en: "Decides when a run is worked on", uk: "Вирішує, коли виконувати запуск" },
  noPeers: { en: "No process has announced itself yet", uk: "Жоден процес ще не озвався" },
  version: { en: "version {}", uk: "версія {}" },
  started: { en: "started", uk: "запущено" },
  present: { en: "present", uk: "на зв’язку" },
  silent: { en: "silent", uk: "мовчить" },
  seen: { en: "seen {} s ago", uk: "озвався {} с тому" },
  running: { en: "{} [run|runs] under way", uk: "{} [запуск виконується|запуски виконуються|запусків виконується]" },
} as const satisfies Record<string, Text>;
