import { MessageSquareText, Settings2, Sparkles, Terminal, Wrench } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import type { JsonValue } from "../../api/endpoints.gen.ts";
import { clockWithSeconds } from "../../i18n/day.ts";
import { number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { replyWords } from "../run/value-view.tsx";

type Entry = AnswerOf<"GET /sessions/:name/pending">["entries"][number];

interface ShownTrace {
  readonly agent: string;
  readonly entries: readonly Entry[];
  readonly truncated?: { readonly entries: number };
}

/** A trace, entry by entry: words of a model in serif, calls in mono, results quiet. Long texts are folded. */
export function TraceEntries({ trace, of }: { readonly trace: ShownTrace; readonly of: number }) {
  const t = useT();
  const { language } = usePreferences();
  const left = trace.truncated?.entries ?? 0;
  return (
    <>
      {of > 1 && <h3 className="trace-of">{t(words.traceOf, trace.agent)}</h3>}
      <ol className="trace">
        {trace.entries.map((entry, index) => {
          const { icon: Icon, tone } = LOOKS[entry.kind] ?? OTHER;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- entries of a trace keep their order
            <li key={index} className={`trace-entry ${tone}`}>
              <time dateTime={entry.at}>{entry.at === undefined ? "" : clockWithSeconds(entry.at, language)}</time>
              <Icon size={14} aria-hidden="true" />
              <div className="trace-said">
                <EntryText entry={entry} />
              </div>
              <span className="meta">{entry.step === undefined ? "" : t(words.step, entry.step)}</span>
            </li>
          );
        })}
      </ol>
      {left > 0 && <p className="commit-body quiet">{t(words.left, number(left, language))}</p>}
    </>
  );
}

const LOOKS: Readonly<Record<string, { readonly icon: typeof Wrench; readonly tone: string }>> = {
  model: { icon: Sparkles, tone: "model" },
  say: { icon: MessageSquareText, tone: "model" },
  tool: { icon: Wrench, tone: "tool" },
  call: { icon: Wrench, tone: "tool" },
  step: { icon: Settings2, tone: "own" },
};
const OTHER = { icon: Terminal, tone: "own" };

function EntryText({ entry: { kind, text } }: { readonly entry: Entry }) {
  if (kind === "model") return <Folded text={replyWords(parsed(text)) ?? text} className="trace-words" />;
  if (kind === "say") return <Folded text={text} className="trace-words" />;
  const [call, result] = text.split("\n→ ", 2);
  return (
    <>
      <Folded text={call!} className="trace-call" />
      {result !== undefined && <Folded text={result} className="trace-result" />}
    </>
  );
}

/** A text with more is folded after this much. */
const MOST_CHARS = 600;
const MOST_LINES = 10;

function Folded({ text, className }: { readonly text: string; readonly className: string }) {
  const t = useT();
  const { language } = usePreferences();
  const lines = text.split("\n");
  if (text.length <= MOST_CHARS && lines.length <= MOST_LINES) return <p className={className}>{text}</p>;
  const start = lines.slice(0, MOST_LINES).join("\n").slice(0, MOST_CHARS);
  return (
    <details className={`trace-folded ${className}`}>
      <summary>
        <span className="trace-start">{start}…</span>
        <span className="meta">{t(words.whole, number(text.length, language))}</span>
      </summary>
      <p>{text}</p>
    </details>
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const words = {
  traceOf: { en: "Trace of {}", uk: "Слід {}" },
  step: { en: "step {}", uk: "крок {}" },
  left: {
    en: "{} [entry|entries] did not fit and [is|are] only counted.",
    uk: "{} [запис|записи|записів] не вмістилися, їх лише пораховано.",
  },
  whole: { en: "all {} [character|characters]", uk: "усі {} [символ|символи|символів]" },
} as const satisfies Record<string, Text>;
