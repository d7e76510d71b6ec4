import { useQuery } from "@tanstack/react-query";
import type { JsonValue } from "../api/endpoints.gen.ts";
import { query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { useDraft } from "./draft.ts";
import { Button, TextArea, TextField } from "./form.tsx";
import { inputKind, jsonOrText, typed } from "./input-kind.ts";

interface FreeInput {
  readonly name: string;
  readonly value: string;
}

export interface RunInputs {
  /** False while the declarations are read. */
  readonly isRead: boolean;
  readonly declared: readonly { readonly name: string; readonly remark?: string }[];
  readonly values: Readonly<Record<string, string>>;
  readonly free: readonly FreeInput[];
  readonly setValue: (name: string, text: string) => void;
  readonly setFree: (free: readonly FreeInput[]) => void;
  /** The inputs that were filled in, with their types; undefined without one. */
  readonly input: () => Record<string, JsonValue> | undefined;
  readonly clear: () => void;
}

/** The inputs of a run: those that the diagram declares, by name and type, and others. Kept in this browser until the run is started. */
export function useRunInputs(slug: string, draft: string, first: Readonly<Record<string, JsonValue>> = {}): RunInputs {
  const declared = useQuery(query("GET /agents/:slug/parameters", { params: { slug } })).data?.parameters;
  const [kept, keep] = useDraft(draft, "{}");
  const stored = (jsonOrText(kept) ?? {}) as { values?: Record<string, string>; free?: FreeInput[] };
  const isDeclared = (name: string): boolean => declared?.some((each) => each.name === name) === true;
  const values = { ...texts(first, isDeclared), ...stored.values };
  const others = Object.entries(texts(first, (name) => !isDeclared(name)));
  const free = stored.free ?? others.map(([name, value]) => ({ name, value }));
  const store = (now: { values: Readonly<Record<string, string>>; free: readonly FreeInput[] }): void =>
    keep(JSON.stringify(now));
  return {
    isRead: declared !== undefined,
    declared: declared ?? [],
    values,
    free,
    setValue: (name, text) => store({ values: { ...values, [name]: text }, free }),
    setFree: (now) => store({ values, free: now }),
    input() {
      const named = (declared ?? []).flatMap(({ name, remark }): [string, JsonValue][] => {
        const text = values[name] ?? "";
        return text.trim() === "" ? [] : [[name, typed(text, inputKind(remark))]];
      });
      const rest = free
        .filter(({ name }) => name.trim() !== "")
        .map(({ name, value }) => [name.trim(), jsonOrText(value)]);
      const all = [...named, ...rest];
      return all.length === 0 ? undefined : (Object.fromEntries(all) as Record<string, JsonValue>);
    },
    clear: () => keep(undefined),
  };
}

const texts = (from: Readonly<Record<string, JsonValue>>, fits: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => (fits(name) ? [[name, textOf(value)] as const] : [])),
  );

const textOf = (value: JsonValue): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value) && value.every((each) => typeof each === "string")
      ? value.join("\n")
      : JSON.stringify(value);

export function RunInputFields({ of }: { readonly of: RunInputs }) {
  const t = useT();
  const { declared, values, setValue, free, setFree } = of;
  return (
    <>
      {declared.map(({ name, remark }) => (
        <Declared
          key={name}
          name={name}
          remark={remark}
          value={values[name] ?? ""}
          onText={(text) => setValue(name, text)}
        />
      ))}
      {free.map(({ name, value }, index) => {
        const change = (more: Partial<FreeInput>): void =>
          setFree(free.map((each, at) => (at === index ? { ...each, ...more } : each)));
        return (
          // oxlint-disable-next-line react/no-array-index-key -- an input has no name at first
          <div key={index} className="two">
            <TextField label={t(words.name)} value={name} onText={(text) => change({ name: text })} />
            <TextField label={t(words.value)} value={value} onText={(text) => change({ value: text })} />
          </div>
        );
      })}
      <p>
        <Button tone="ghost small" onClick={() => setFree([...free, { name: "", value: "" }])}>
          {t(words.another)}
        </Button>
      </p>
    </>
  );
}

function Declared(props: {
  readonly name: string;
  readonly remark: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const { name, remark, value, onText } = props;
  const t = useT();
  const kind = inputKind(remark);
  const label = remark === undefined ? name : `${name} (${kind === "text" ? remark : t(kindNames[kind])})`;
  if (kind === "yes-no")
    return (
      <label className="labelled">
        <span>{label}</span>
        <select className="field" value={value} onChange={({ target }) => onText(target.value)}>
          <option value="">{t(words.unset)}</option>
          <option value="true">{t(words.yes)}</option>
          <option value="false">{t(words.no)}</option>
        </select>
      </label>
    );
  if (kind === "list") return <TextArea label={label} rows={3} value={value} onText={onText} />;
  return <TextField label={label} value={value} onText={onText} {...(kind === "number" && { inputMode: "decimal" })} />;
}

const kindNames = {
  number: { en: "number", uk: "число" },
  "yes-no": { en: "yes or no", uk: "так чи ні" },
  list: { en: "list, one per line", uk: "список, по одному в рядку" },
} as const satisfies Record<string, Text>;

const words = {
  name: { en: "Name", uk: "Назва" },
  value: { en: "Value", uk: "Значення" },
  another: { en: "Add input", uk: "Додати вхід" },
  unset: { en: "not set", uk: "не задано" },
  yes: { en: "yes", uk: "так" },
  no: { en: "no", uk: "ні" },
} as const satisfies Record<string, Text>;
