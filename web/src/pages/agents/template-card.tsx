import { Eye, PenLine } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import { Flower } from "../../components/flower.tsx";
import { actionLabels } from "../../components/labels.ts";
import { compactNumber, money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

export type Template = AnswerOf<"GET /agent-templates">["templates"][number];

const CARD_FLOWER_PX = 44;

/** A template: purpose, what it reads, what it may propose, the price of a run. */
export function TemplateCard(props: {
  readonly template: Template;
  readonly hue: number | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { template, hue, isChosen, onChoose } = props;
  const t = useT();
  const proposes = template.safe_outputs.map((action) => t(actionLabels[action] ?? { en: action, uk: action }));
  return (
    <li>
      <button type="button" className="template" aria-pressed={isChosen} onClick={onChoose}>
        <span className="row between">
          <Flower of={template.id} size={CARD_FLOWER_PX} hue={hue} />
          {isChosen && <span className="state wait">{t(words.chosen)}</span>}
        </span>
        <strong className="serif">{t(template.name)}</strong>
        <span className="template-purpose">{t(template.purpose)}</span>
        <span className="template-facts">
          <span title={t(words.reads)}>
            <Eye size={13} aria-label={t(words.reads)} />
            {t(template.reads)}
          </span>
          <span title={t(words.proposes)}>
            <PenLine size={13} aria-label={t(words.proposes)} />
            {proposes.join(", ")}
          </span>
          <RunPrice template={template} />
        </span>
      </button>
    </li>
  );
}

/** Free without a language model; else by the owner's prices, or the tokens of an ordinary run. */
export function RunPrice({ template: { cost, tokens, model } }: { readonly template: Template }) {
  const t = useT();
  const { language } = usePreferences();
  if (!tokens) return <span className="template-price">{t(words.free)}</span>;
  return (
    <span className="template-price" title={model}>
      {cost
        ? money(cost.amount, cost.currency, language)
        : t(words.tokens, compactNumber(tokens.input + tokens.output, language))}
    </span>
  );
}

const words = {
  chosen: { en: "Selected", uk: "Вибрано" },
  reads: { en: "Reads", uk: "Читає" },
  proposes: { en: "May propose", uk: "Може пропонувати" },
  free: { en: "free", uk: "безкоштовно" },
  tokens: { en: "≈ {} tokens", uk: "≈ {} токенів" },
} as const satisfies Record<string, Text>;
