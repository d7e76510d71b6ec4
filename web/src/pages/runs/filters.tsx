import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Run } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The filters of the list, as its address has them. */
export interface RunSearch {
  readonly agent?: string;
  readonly version?: string;
  readonly outcome?: string;
  readonly trigger?: Run["trigger"];
  readonly text?: string;
}

/** Filters that state their value: "Outcome all". A set one can be taken off. */
export function RunFilters({ search, seen }: { readonly search: RunSearch; readonly seen: readonly Run[] }) {
  const t = useT();
  const navigate = useNavigate();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const versions = useQuery({
    ...query("GET /logic/:agentId/versions", { params: { agentId: search.agent ?? "" } }),
    enabled: search.agent !== undefined,
    retry: false,
  }).data?.versions.map(({ version }) => version);
  const known = versions ?? [...new Set(seen.flatMap(({ logic_version }) => logic_version ?? []))].toSorted();
  const set = (name: keyof RunSearch, value: string | undefined): void => {
    const { [name]: _before, ...rest } = search;
    const now = { ...rest, ...(value !== undefined && { [name]: value }) };
    // Versions belong to an agent.
    if (name === "agent" && "version" in now) delete (now as { version?: string }).version;
    void navigate({ to: "/runs", search: now, replace: true });
  };
  return (
    <div className="filters" role="group" aria-label={t(words.filters)}>
      <Filter
        name={t(words.agent)}
        all={t(words.allAgents, agents.length)}
        value={search.agent}
        options={agents.map(({ slug }) => [slug, slug])}
        onChoose={(value) => set("agent", value)}
      />
      <Filter
        name={t(words.version)}
        all={t(words.all)}
        value={search.version}
        options={known.map((version) => [version, version])}
        onChoose={(value) => set("version", value)}
      />
      <Filter
        name={t(words.outcome)}
        all={t(words.all)}
        value={search.outcome}
        options={Object.entries(outcomes).map(([value, name]) => [value, t(name)])}
        onChoose={(value) => set("outcome", value)}
      />
      <Filter
        name={t(words.trigger)}
        all={t(words.anything)}
        value={search.trigger}
        options={Object.entries(triggers).map(([value, name]) => [value, t(name)])}
        onChoose={(value) => set("trigger", value)}
      />
      <TextFilter value={search.text ?? ""} onText={(text) => set("text", text === "" ? undefined : text)} />
    </div>
  );
}

function Filter(props: {
  readonly name: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string | undefined) => void;
}) {
  const { name, all, value, options, onChoose } = props;
  const t = useT();
  const isListed = value === undefined || options.some(([each]) => each === value);
  return (
    <span className={value === undefined ? "filter" : "filter set"}>
      <label>
        <span>{name}</span>
        <select
          aria-label={name}
          value={value ?? ""}
          onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
        >
          <option value="">{all}</option>
          {!isListed && <option value={value}>{value}</option>}
          {options.map(([each, shown]) => (
            <option key={each} value={each}>
              {shown}
            </option>
          ))}
        </select>
      </label>
      {value !== undefined && (
        <button type="button" aria-label={t(words.remove, name)} onClick={() => onChoose(undefined)}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

/** Time without typing before the list is asked again. */
const PAUSE_MS = 250;

function TextFilter({ value, onText }: { readonly value: string; readonly onText: (text: string) => void }) {
  const t = useT();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onText(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onText]);
  useKeys({ "/": () => document.querySelector<HTMLInputElement>("#run-text")?.focus() });
  return (
    <label className="filter-text">
      <Search size={15} aria-hidden="true" />
      <input
        id="run-text"
        type="search"
        aria-label={t(words.text)}
        placeholder={t(words.text)}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

const outcomes: Readonly<Record<string, Text>> = {
  running: { en: "running", uk: "працює" },
  waiting: { en: "needs you", uk: "чекає на вас" },
  effects: { en: "proposed changes", uk: "є пропозиції" },
  noop: { en: "nothing to do", uk: "без змін" },
  failed: { en: "failed", uk: "невдача" },
  cancelled: { en: "cancelled", uk: "скасовано" },
};

const triggers: Readonly<Record<Run["trigger"], Text>> = {
  manual: { en: "a person", uk: "людина" },
  cron: { en: "the schedule", uk: "розклад" },
  event: { en: "an event", uk: "подія" },
  agent: { en: "an agent", uk: "агент" },
};

const words = {
  filters: { en: "Filters", uk: "Фільтри" },
  agent: { en: "Agent", uk: "Агент" },
  allAgents: { en: "all {}", uk: "усі {}" },
  version: { en: "Version", uk: "Версія" },
  outcome: { en: "Outcome", uk: "Підсумок" },
  trigger: { en: "Started by", uk: "Що запустило" },
  all: { en: "all", uk: "усі" },
  anything: { en: "anything", uk: "будь-що" },
  remove: { en: "Remove the filter {}", uk: "Зняти фільтр {}" },
  text: { en: "Input or outcome", uk: "Вхід чи підсумок" },
} as const satisfies Record<string, Text>;
