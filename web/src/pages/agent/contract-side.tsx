import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { frontField, withFrontField } from "../../../../src/domain/contract/front-edit.ts";
import type { AnswerOf } from "../../api/client.ts";
import { Button } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { checkTitles } from "./check-titles.ts";
import type { ContractAnswer } from "./contract-answer.ts";

type Tool = AnswerOf<"GET /tools">["tools"][number];

/** The activation checks, the tools with their arguments, and what the agent may propose. */
export function ContractSide(props: {
  readonly text: string;
  readonly checks: ContractAnswer["checks"];
  readonly tools: readonly Tool[];
  readonly onText: (text: string | undefined) => void;
}) {
  const { text, checks, tools, onText } = props;
  const t = useT();
  const [showsAll, setShowsAll] = useState(false);
  const granted = listIn(text, "tools");
  const outputs = listIn(text, "safe_outputs");
  const left = checks.filter(({ result }) => result === "fail").length;
  const usable = tools.filter(({ name }) => granted.includes(name)).flatMap(({ serves }) => serves);
  const shown = tools.filter(({ name }) => showsAll || granted.includes(name));
  const toggle = (field: "tools" | "safe_outputs", list: readonly string[], name: string): void =>
    onText(withFrontField(text, [field], list.includes(name) ? list.filter((each) => each !== name) : [...list, name]));
  return (
    <aside className="contract-side" aria-label={t(words.side)}>
      <section className="stack tight" aria-labelledby="activation-checks">
        <p className="row between">
          <b id="activation-checks">{t(words.checks)}</b>
          <span className="meta">{left === 0 ? t(words.passed) : t(words.left, left)}</span>
        </p>
        <ul className="check-list">
          {checks.map(({ id, result, words: said }) => {
            const Icon = result === "fail" ? CircleX : result === "warning" ? CircleAlert : CircleCheck;
            return (
              <li key={id} className={result} title={t(said)}>
                <Icon size={15} aria-label={t(results[result])} />
                <span>
                  {t(checkTitles[id])}
                  {(result === "fail" || result === "warning") && <span className="meta told">{t(said)}</span>}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
      <section className="stack tight" aria-labelledby="contract-tools">
        <p className="row between">
          <b id="contract-tools">{t(words.tools)}</b>
          <span className="meta">{t(words.some, granted.length, tools.length)}</span>
        </p>
        {shown.map(({ name, signature, about }) => (
          <label key={name} className="tool-choice">
            <input type="checkbox" checked={granted.includes(name)} onChange={() => toggle("tools", granted, name)} />
            <span>
              <code>{signature.replace(", …", ",\u00a0…")}</code>
              <span className="meta">{t(about)}</span>
            </span>
          </label>
        ))}
        <p>
          <Button tone="quiet small" onClick={() => setShowsAll(!showsAll)}>
            {t(showsAll ? words.fewer : words.all)}
          </Button>
        </p>
      </section>
      <section className="stack tight" aria-labelledby="contract-outputs">
        <b id="contract-outputs">{t(words.proposes)}</b>
        {[...new Set([...usable, ...outputs])].map((action) => (
          <label key={action} className="tool-choice">
            <input
              type="checkbox"
              checked={outputs.includes(action)}
              onChange={() => toggle("safe_outputs", outputs, action)}
            />
            <span>{t(actionLabels[action] ?? { en: action, uk: action })}</span>
          </label>
        ))}
      </section>
    </aside>
  );
}

function listIn(text: string, field: string): readonly string[] {
  const found = frontField(text, [field]);
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

const results = {
  pass: { en: "passed", uk: "пройдено" },
  warning: { en: "warning", uk: "застереження" },
  fail: { en: "failed", uk: "не пройдено" },
  skipped: { en: "skipped", uk: "пропущено" },
} as const satisfies Record<string, Text>;

const words = {
  side: { en: "Checks and tools", uk: "Перевірки й інструменти" },
  checks: { en: "Activation checks", uk: "Перевірки перед активацією" },
  passed: { en: "all passed", uk: "усі пройдено" },
  left: { en: "{} left", uk: "лишилося {}" },
  tools: { en: "Tools", uk: "Інструменти" },
  some: { en: "{} of {}", uk: "{} з {}" },
  all: { en: "All tools", uk: "Усі інструменти" },
  fewer: { en: "Granted tools only", uk: "Лише надані" },
  proposes: { en: "May propose", uk: "Може пропонувати" },
} as const satisfies Record<string, Text>;
