import { useQuery } from "@tanstack/react-query";
import { ListFilter, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { query } from "../../api/queries.ts";
import { actionLabels } from "../../components/labels.ts";
import { SearchField } from "../../components/search-field.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The filter of pending proposals, as it is in the address. What is left out does not filter. */
export interface Filter {
  readonly agent?: string;
  readonly action?: string;
  readonly run?: string;
  readonly text?: string;
}

/** The search field, which `/` moves to, and behind a button the agent and the kind. */
export function Filters(props: {
  readonly filter: Filter;
  readonly onFilter: (next: Filter) => void;
  /** Beside the field. */
  readonly children?: ReactNode;
}) {
  const { filter, onFilter, children } = props;
  const t = useT();
  const [isOpen, setIsOpen] = useState(filter.agent !== undefined || filter.action !== undefined);
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const choose = (name: keyof Filter, value: string): void => {
    const { [name]: _, ...others } = filter;
    onFilter(value === "" ? others : { ...others, [name]: value });
  };
  const chosen = [filter.agent, filter.action].filter((each) => each !== undefined).length;
  return (
    <div className="filters" role="search">
      <div className="filter-line">
        <SearchField
          field={field}
          label={t(words.text)}
          hint={t(words.short)}
          maxLength={200}
          text={filter.text ?? ""}
          onText={(value) => choose("text", value)}
        />
        <button
          type="button"
          className={`button icon small ghost ${chosen > 0 ? "set" : ""}`}
          aria-expanded={isOpen}
          aria-label={t(words.filters)}
          title={t(words.filters)}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ListFilter size={16} aria-hidden="true" />
        </button>
        {children}
      </div>
      {isOpen && (
        <div className="filter-line">
          <Choice
            label={t(words.agent)}
            value={filter.agent}
            options={agents.map(({ slug, name }) => [slug, name])}
            onChoose={(value) => choose("agent", value)}
          />
          <Choice
            label={t(words.kind)}
            value={filter.action}
            options={Object.entries(actionLabels).map(([action, name]) => [action, t(name)])}
            onChoose={(value) => choose("action", value)}
          />
        </div>
      )}
      {filter.run !== undefined && (
        <button type="button" className="filter-chip" onClick={() => choose("run", "")}>
          {t(words.run)} <code>{filter.run}</code> <X size={12} aria-hidden="true" />
          <span className="hidden-visually"> ({t(words.clear)})</span>
        </button>
      )}
    </div>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}) {
  const { label, value = "", options, onChoose } = props;
  const t = useT();
  const isListed = value === "" || options.some(([each]) => each === value);
  return (
    <label className="filter-choice">
      <span className="hidden-visually">{label}</span>
      <select className="field" value={value} onChange={({ target }) => onChoose(target.value)}>
        <option value="">
          {label}: {t(words.all)}
        </option>
        {!isListed && <option value={value}>{value}</option>}
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const words = {
  agent: { en: "Agent", uk: "Агент" },
  kind: { en: "Kind", uk: "Вид" },
  all: { en: "all", uk: "усі" },
  short: { en: "Filter", uk: "Фільтр" },
  filters: { en: "Filter by agent and kind", uk: "Фільтр за агентом і видом" },
  text: { en: "Search proposals", uk: "Пошук у пропозиціях" },
  run: { en: "Run", uk: "Запуск" },
  clear: { en: "clear the filter", uk: "зняти фільтр" },
} as const satisfies Record<string, Text>;
