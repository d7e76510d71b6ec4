import type { ReactNode } from "react";
import type { JsonValue } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Items of a list, fields of an object and characters of a text that are shown; all of it is in Raw. */
const MAX_ITEMS = 30;
const MAX_TEXT = 4000;

/** A value for a person: text as text, a list as numbered items, an object as names and values. */
export function ValueView({ value }: { readonly value: JsonValue | undefined }) {
  const t = useT();
  const shown = replyWords(value) ?? value;
  if (shown === undefined || shown === null || shown === "") return <p className="faint small">{t(words.nothing)}</p>;
  if (Array.isArray(shown)) return <Items items={shown} />;
  if (typeof shown === "object") return <Fields of={shown as Readonly<Record<string, JsonValue>>} />;
  return <LongText text={String(shown)} />;
}

function Items({ items }: { readonly items: readonly JsonValue[] }) {
  const t = useT();
  if (items.length === 0) return <p className="faint small">{t(words.empty)}</p>;
  return (
    <>
      <ol className="payload-items">
        {items.slice(0, MAX_ITEMS).map((item, index) => {
          const { title, rest } = itemParts(item);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- items of a recorded value
            <li key={index}>
              <span className="payload-number">{index + 1}</span>
              <div>
                <p className="payload-title break">{title}</p>
                {rest !== "" && <p className="meta break">{rest}</p>}
              </div>
            </li>
          );
        })}
      </ol>
      {items.length > MAX_ITEMS && <p className="meta">{t(words.more, items.length - MAX_ITEMS)}</p>}
    </>
  );
}

/** Members that name an item best. */
const TITLES = ["text", "quote", "title", "name", "target", "path", "slug", "question"] as const;

function itemParts(item: JsonValue): { readonly title: string; readonly rest: string } {
  if (typeof item !== "object" || item === null) return { title: String(item), rest: "" };
  if (Array.isArray(item)) return { title: short(item), rest: "" };
  const record = item as Readonly<Record<string, JsonValue>>;
  const name = TITLES.find((each) => typeof record[each] === "string");
  const others = Object.entries(record).filter(([key, value]) => key !== name && value !== null && value !== "");
  return {
    title: name === undefined ? short(item) : short(record[name]!),
    rest: name === undefined ? "" : others.map(([key, value]) => `${key} ${short(value)}`).join(" · "),
  };
}

function Fields({ of }: { readonly of: Readonly<Record<string, JsonValue>> }) {
  const t = useT();
  const entries = Object.entries(of);
  if (entries.length === 0) return <p className="faint small">{t(words.nothing)}</p>;
  return (
    <dl className="payload-fields">
      {entries.slice(0, MAX_ITEMS).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="break">{field(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function field(value: JsonValue): ReactNode {
  if (value === null || value === "") return <span className="faint">–</span>;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ") || "–";
  if (typeof value !== "object") return <LongText text={String(value)} />;
  return <pre className="value">{JSON.stringify(value, null, 2).slice(0, MAX_TEXT)}</pre>;
}

const LongText = ({ text }: { readonly text: string }) => (
  <div className="payload-text break">{text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}</div>
);

const short = (value: JsonValue): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
};

/** A reply of a model: what it said and which tools it called, without the rest of the record. */
export function replyWords(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { content } = value as { readonly content?: JsonValue };
  if (!Array.isArray(content)) return undefined;
  const parts = content as readonly Readonly<Record<string, JsonValue>>[];
  const lines = parts.flatMap(({ text, tool, input }) => [
    ...(typeof text === "string" && text !== "" ? [text] : []),
    ...(typeof tool === "string" ? [`→ ${tool}${input === undefined ? "" : ` ${short(input)}`}`] : []),
  ]);
  return lines.length === 0 ? undefined : lines.join("\n");
}

const words = {
  nothing: { en: "Nothing", uk: "Нічого" },
  empty: { en: "An empty list", uk: "Порожній список" },
  more: { en: "and {} more; all of them are in Raw", uk: "і ще {}; усі — у «Як записано»" },
} as const satisfies Record<string, Text>;
