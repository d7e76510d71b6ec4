import { useId, useState } from "react";
import { Button, Form } from "../../components/form.tsx";
import { Segments } from "../../components/segments.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow } from "./section.tsx";
import { useSetting } from "./use-setting.ts";
import type { SettingValue } from "./values.ts";

/** A setting with one value. Typing shows Save; a choice is saved at once. */
export function ValueRow({ setting, value }: { readonly setting: SettingValue; readonly value: unknown }) {
  const t = useT();
  const change = useSetting();
  const { key, name, effect, field } = setting;
  const saved = textOf(value);
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const save = (next: unknown): void =>
    change.mutate({ key, value: next, before: value }, { onSuccess: () => setTyped(undefined) });
  const text = typed ?? saved;
  const label = <label htmlFor={id}>{t(name)}</label>;
  if (field.kind === "choice") {
    return (
      <SettingRow name={t(name)} about={t(effect)}>
        <Segments
          label={t(name)}
          value={saved}
          options={field.options.map((option) => ({ value: option.value, name: t(option.name) }))}
          onChoose={save}
        />
        {change.error && <RowError error={change.error} />}
      </SettingRow>
    );
  }
  const shared = { id, className: "field", value: text, "aria-describedby": `${id}-effect` };
  return (
    <SettingRow name={label} about={<span id={`${id}-effect`}>{t(effect)}</span>}>
      <Form className="row" onSubmit={() => typed !== undefined && save(parsed(text, field))}>
        {field.kind === "lines" ? (
          <textarea
            {...shared}
            rows={Math.min(8, Math.max(2, text.split("\n").length))}
            placeholder={field.example}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <input
            {...shared}
            type={field.kind === "number" ? "number" : "text"}
            {...(field.kind === "number" && { min: 0, step: field.step ?? 1, placeholder: String(field.usual ?? "") })}
            {...(field.kind === "text" && field.suggestions && { list: `${id}-list` })}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        {field.kind === "text" && field.suggestions && (
          <datalist id={`${id}-list`}>
            {field.suggestions().map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        )}
        {field.kind === "number" && field.unit && <span className="meta">{t(field.unit)}</span>}
        {typed !== undefined && typed !== saved && (
          <>
            <button type="submit" className="button primary small" disabled={change.isPending}>
              {t(words.save)}
            </button>
            <Button tone="ghost small" onClick={() => setTyped(undefined)}>
              {t(words.cancel)}
            </Button>
          </>
        )}
      </Form>
      {change.error && <RowError error={change.error} />}
    </SettingRow>
  );
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join("\n") : typeof value === "string" || typeof value === "number" ? `${value}` : "";

/** The typed text as a value; undefined, so the usual one, for an empty field. */
function parsed(text: string, field: SettingValue["field"]): unknown {
  if (field.kind === "lines") return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (text.trim() === "") return undefined;
  return field.kind === "number" ? Number(text) : text.trim();
}

const words = {
  save: { en: "Save", uk: "Зберегти" },
  cancel: { en: "Cancel", uk: "Скасувати" },
} as const satisfies Record<string, Text>;
