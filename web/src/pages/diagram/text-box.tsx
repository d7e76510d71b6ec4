import { useContext, useEffect, useRef, useState } from "react";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import type { EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useDraft } from "../../components/draft.ts";
import { Button, Form } from "../../components/form.tsx";
import { ArrivedContext } from "../../components/use-arrived.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { TextPrompt } from "./command.ts";
import { type Interpretation, interpretText } from "./interpretation.ts";
import { Suggestions, useCompletion } from "./suggestions.tsx";

export interface TextBoxProps {
  /** The name of the stored draft. */
  readonly name: string;
  readonly prompt: TextPrompt;
  readonly at: Point;
  readonly bound: ReadonlySet<string>;
  /** The tools that the contract allows. */
  readonly tools: readonly string[];
  readonly onSend: (texts: Readonly<Record<string, string>>) => EditRefused | undefined;
  readonly onClose: () => void;
}

/** The texts of an icon, edited in place. Enter saves, Escape cancels; leaving the box saves what was typed. */
export function TextBox({ name, prompt, at, bound, tools, onSend, onClose }: TextBoxProps) {
  const t = useT();
  const first = JSON.stringify(Object.fromEntries(prompt.fields.map((each) => [each.name, each.now])));
  const [draft, setDraft] = useDraft(`${name}.text`, first);
  const [refusal, setRefusal] = useState<Text>();
  const form = useRef<HTMLFormElement>(null);
  const texts = textsIn(draft, first);
  const closed = useRef(false);
  const completion = useCompletion(tools, bound);
  const hasArrived = useContext(ArrivedContext);
  useEffect(() => {
    if (!hasArrived) return;
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.select();
  }, [hasArrived]);
  const leave = (): void => {
    if (closed.current) return;
    closed.current = true;
    setDraft(undefined);
    onClose();
  };
  const send = (): void => {
    if (closed.current) return;
    const refused = onSend(texts);
    if (refused) setRefusal(refused.reason);
    else leave();
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const field = event.target as HTMLElement;
    if (
      field instanceof HTMLTextAreaElement &&
      completion.onKey(event, field, (text) => change(field.id.slice(2), text))
    ) {
      event.preventDefault();
    } else if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      const { lines = 1 } = prompt.fields.find((each) => each.name === field.id.slice(2)) ?? {};
      if (lines > 1 && !event.ctrlKey && !event.metaKey) return;
      if (field.tagName === "BUTTON") return;
      event.preventDefault();
      send();
    }
  };
  const [main] = prompt.fields;
  const change = (field: string, text: string): void => {
    setRefusal(undefined);
    setDraft(JSON.stringify({ ...texts, [field]: text }));
  };
  return (
    <Form
      ref={form}
      className="diagram-text card stack tight"
      aria-label={t(prompt.title)}
      style={{ left: at.x, top: at.y }}
      onSubmit={send}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (currentTarget.contains(relatedTarget) || !document.hasFocus()) return;
        if (draft === first) leave();
        else send();
      }}
      onKeyDown={onKeyDown}
    >
      {prompt.fields.map(({ name: field, label, lines = 1 }) => (
        <label key={field} className="labelled">
          <span>{t(label)}</span>
          <textarea
            id={`t-${field}`}
            className="field"
            rows={Math.min(10, Math.max(lines, 1 + (texts[field] ?? "").split("\n").length))}
            value={texts[field] ?? ""}
            aria-describedby={field === main?.name ? "t-read" : undefined}
            onChange={({ target }) => {
              change(field, target.value);
              completion.look(target);
            }}
          />
        </label>
      ))}
      <Suggestions of={completion} form={form} onText={change} />
      <InterpretationNote of={main && interpretText(texts[main.name] ?? "", prompt.reads, bound)} />
      {refusal && (
        <p className="warning" role="alert">
          {t(words.refused)} {t(refusal)}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button primary">
          {t(prompt.isNew ? words.insert : words.save)} <kbd>↵</kbd>
        </button>
        <Button onClick={leave}>{t(words.cancel)}</Button>
      </div>
    </Form>
  );
}

/** Says whether the text is computed or sent to a model, and what is wrong with a formula. */
function InterpretationNote({ of }: { readonly of: Interpretation | undefined }) {
  const t = useT();
  const problem = of?.problem;
  return (
    <div id="t-read" className="small quiet" aria-live="polite">
      {of && (
        <p>
          {t(of.kind === "formal" ? words.formal : words.inWords)}
          {of.unbound.length > 0 && ` ${t(words.unbound, of.unbound.join(", "))}`}
        </p>
      )}
      {problem && <p className="warning">{t(words.problem, problem.line, problem.column, t(problem.message))}</p>}
    </div>
  );
}

function textsIn(kept: string, first: string): Record<string, string> {
  try {
    return { ...(JSON.parse(first) as Record<string, string>), ...(JSON.parse(kept) as Record<string, string>) };
  } catch {
    return JSON.parse(first) as Record<string, string>;
  }
}

const words = {
  formal: { en: "Computed as a formula.", uk: "Обчислюється як формула." },
  inWords: { en: "Sent to the model as text.", uk: "Читається як слова, для моделі." },
  unbound: { en: "No value is set for: {}.", uk: "Ніщо не надає значення: {}." },
  problem: { en: "Not a formula (line {}, column {}): {}", uk: "Не формула (рядок {}, місце {}): {}" },
  refused: { en: "Not possible:", uk: "Цього не можна зробити:" },
  insert: { en: "Insert", uk: "Вставити" },
  save: { en: "Done", uk: "Готово" },
  cancel: { en: "Cancel", uk: "Назад" },
} as const satisfies Record<string, Text>;
