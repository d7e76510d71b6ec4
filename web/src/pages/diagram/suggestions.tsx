import { type RefObject, useState } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type Suggestion, suggestionsFor } from "./completion.ts";

export interface TextCompletion {
  readonly found: readonly Suggestion[];
  readonly chosen: number;
  readonly field: string | undefined;
  /** Looks again, after the text of a field has changed. */
  readonly look: (field: HTMLTextAreaElement) => void;
  /** Tab takes the suggestion, arrows move, Escape hides them. Returns true if the key was used. */
  readonly onKey: (event: React.KeyboardEvent, field: HTMLTextAreaElement, onText: (text: string) => void) => boolean;
  readonly take: (index: number, field: HTMLTextAreaElement, onText: (text: string) => void) => void;
}

const NONE = { found: [], start: 0, chosen: 0, field: undefined } as const;

/** Completes tools and variables while typing. */
export function useCompletion(tools: readonly string[], bound: ReadonlySet<string>): TextCompletion {
  const [state, setState] = useState<{
    readonly found: readonly Suggestion[];
    readonly start: number;
    readonly chosen: number;
    readonly field: string | undefined;
  }>(NONE);
  const take = (index: number, field: HTMLTextAreaElement, onText: (text: string) => void): void => {
    const suggestion = state.found[index];
    if (!suggestion) return;
    const text = field.value.slice(0, state.start) + suggestion.text + field.value.slice(field.selectionStart);
    onText(text);
    setState(NONE);
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(state.start + suggestion.caret, state.start + suggestion.caret);
    });
  };
  return {
    ...state,
    look(field) {
      const { start, found } = suggestionsFor(field.value, field.selectionStart, { tools, variables: bound });
      setState({ found, start, chosen: 0, field: field.id.slice(2) });
    },
    onKey(event, field, onText) {
      const { found, chosen } = state;
      if (found.length === 0 || state.field !== field.id.slice(2)) return false;
      if (event.key === "Escape") setState(NONE);
      else if (event.key === "Tab" && !event.shiftKey) take(chosen, field, onText);
      else if (event.key === "ArrowDown") setState({ ...state, chosen: (chosen + 1) % found.length });
      else if (event.key === "ArrowUp") setState({ ...state, chosen: (chosen + found.length - 1) % found.length });
      else return false;
      return true;
    },
    take,
  };
}

/** The suggestions under the text. Typing goes on in the field; a click or Tab takes one. */
export function Suggestions(props: {
  readonly of: TextCompletion;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onText: (field: string, text: string) => void;
}) {
  const { of, form, onText } = props;
  const t = useT();
  const { found, chosen, field } = of;
  if (found.length === 0 || field === undefined) return null;
  return (
    <ul className="suggestions" aria-label={t(words.suggestions)}>
      {found.map(({ name, kind, text }, index) => (
        <li key={`${kind} ${name}`}>
          <button
            type="button"
            tabIndex={-1}
            className={index === chosen ? "chosen" : ""}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              const area = form.current?.querySelector<HTMLTextAreaElement>(`#t-${field}`);
              if (area) of.take(index, area, (now) => onText(field, now));
            }}
          >
            <span className="mono">{text}</span>
            <span className="meta">{t(words[kind])}</span>
            {index === chosen && <kbd aria-hidden="true">Tab</kbd>}
          </button>
        </li>
      ))}
    </ul>
  );
}

const words = {
  suggestions: { en: "Suggestions", uk: "Підказки" },
  tool: { en: "tool", uk: "інструмент" },
  variable: { en: "variable", uk: "змінна" },
} as const satisfies Record<string, Text>;
