import { type Text, useReader, useSay } from "../words/say.ts";
import { ago, dateTime } from "../words/time.ts";
import { agentStateWords, proposalStateWords, runStateWords, toneOf } from "./words.ts";

const wordsOf = { run: runStateWords, agent: agentStateWords, proposal: proposalStateWords } as const;

/** A state, in words and in colour. */
export function StateTag({ kind, state }: { readonly kind: keyof typeof wordsOf; readonly state: string }) {
  const say = useSay();
  const words: Text = wordsOf[kind][state] ?? { en: state, uk: state };
  return <span className={`tag ${toneOf(state)}`}>{say(words)}</span>;
}

/** When something was: roughly in words, exactly when pointed at. */
export function When({ at }: { readonly at: string }) {
  const { language } = useReader();
  return (
    <time dateTime={at} title={dateTime(at, language)}>
      {ago(at, language)}
    </time>
  );
}
