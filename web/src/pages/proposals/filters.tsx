import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { query } from "../../api/queries.ts";
import { actionLabels } from "../../components/labels.ts";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The filter of pending proposals, as it is in the address. What is left out does not filter. */
export interface Filter {
  readonly agent?: string;
  readonly action?: string;
  readonly run?: string;
  readonly text?: string;
}

const TYPING_MS = 250;

/** Fields for the filter. `/` moves to the search field. */
export function Filters({ filter, onFilter }: { readonly filter: Filter; readonly onFilter: (next: Filter) => void }) {
  const t = useT();
  const agents = useQuery(query("GET /agents", {})).data?.agents ?? [];
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const choose = (name: keyof Filter, value: string): void => {
    const { [name]: _, ...others } = filter;
    onFilter(value === "" ? others : { ...others, [name]: value });
  };
  return (
    <div className="row filters" role="search">
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
      <SearchField fieldRef={field} text={filter.text ?? ""} onText={(value) => choose("text", value)} />
      {filter.run !== undefined && (
        <button type="button" className="button small" onClick={() => choose("run", "")}>
          {t(words.run)} <code>{filter.run}</code> <span aria-hidden="true">×</span>
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
    <label className="row">
      <span className="quiet small">{label}</span>
      <select className="field narrow" value={value} onChange={({ target }) => onChoose(target.value)}>
        <option value="">{t(words.all)}</option>
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

/** Filters a moment after the last key, not at each one. */
function SearchField(props: {
  readonly fieldRef: React.RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const { fieldRef, text, onText } = props;
  const t = useT();
  const [typed, setTyped] = useState(text);
  const report = useRef(onText);
  report.current = onText;
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => report.current(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <input
      ref={fieldRef}
      type="search"
      className="field narrow"
      aria-label={t(words.text)}
      placeholder={t(words.text)}
      maxLength={200}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}

const words = {
  agent: { en: "Agent", uk: "Агент" },
  kind: { en: "Kind", uk: "Вид" },
  all: { en: "all", uk: "усі" },
  text: { en: "Search proposals", uk: "Пошук у пропозиціях" },
  run: { en: "Run", uk: "Запуск" },
  clear: { en: "clear the filter", uk: "зняти фільтр" },
} as const satisfies Record<string, Text>;
