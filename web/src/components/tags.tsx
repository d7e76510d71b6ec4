import { ago, dateTime } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { agentStateLabels, proposalStateLabels, runStateLabels, sessionStateLabels, toneOf } from "./labels.ts";

const wordsOf = {
  run: runStateLabels,
  agent: agentStateLabels,
  proposal: proposalStateLabels,
  session: sessionStateLabels,
} as const;

/** A state as a dot and a word. */
export function StateTag({ kind, state }: { readonly kind: keyof typeof wordsOf; readonly state: string }) {
  const t = useT();
  const words: Text = wordsOf[kind][state] ?? { en: state, uk: state };
  return <span className={`state ${toneOf(state)}`}>{t(words)}</span>;
}

/** A relative time, with the exact one as a tooltip. */
export function When({ at }: { readonly at: string }) {
  const { language } = usePreferences();
  return (
    <time dateTime={at} title={dateTime(at, language)}>
      {ago(at, language)}
    </time>
  );
}
