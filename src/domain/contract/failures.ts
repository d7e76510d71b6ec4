import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { type AgentState, agentMoves } from "./agent-state.ts";

export const invalidAgentMove = (slug: string, from: AgentState, to: AgentState | "deleted"): Failure =>
  new Failure("INVALID_AGENT_TRANSITION", {
    en: `the agent ${slug} is ${from} and cannot become ${to}`,
    uk: `агент ${slug} має стан ${from} і не може стати ${to}`,
    hint: {
      en: `From ${from} it can become: ${agentMoves[from].join(", ")}.`,
      uk: `Зі стану ${from} можна перейти в: ${agentMoves[from].join(", ")}.`,
    },
    details: { agent: slug, from, to },
  });

export function wrongCronField(
  {
    name,
    from,
    to,
    names,
  }: { readonly name: Text; readonly from: number; readonly to: number; readonly names?: readonly string[] },
  found: string,
): Text {
  const example = names ? `, ${names[1]}` : "";
  return {
    en: `for the ${name.en} ${from}–${to}${example}, *, a range a-b, a list a,b or a step */n, not ${JSON.stringify(found)}`,
    uk: `для поля «${name.uk}» ${from}–${to}${example}, *, проміжок a-b, список a,b або крок */n, а не ${JSON.stringify(found)}`,
  };
}

export const CRON_NEVER: Text = {
  en: "a day that one of these months has: this schedule never runs",
  uk: "день, який є хоча б в одному з цих місяців: такий розклад ніколи не настане",
};

export const foundQuoted = (text: string): Text => {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return { en: `found ${shown}`, uk: `знайдено ${shown}` };
};

export const foundTwice = (name: string): Text => ({
  en: `found ${JSON.stringify(name)} twice`,
  uk: `знайдено ${JSON.stringify(name)} двічі`,
});
export const EACH_NAME_ONCE: Text = { en: "each name once", uk: "кожну назву один раз" };
export const EMPTY_LIST: Text = { en: "an empty list", uk: "порожній список" };
export const MARK_OUTSIDE_QUOTES: Text = {
  en: "the mark is outside the quotes, where YAML reads it as a comment",
  uk: "позначка стоїть поза лапками, де YAML вважає її коментарем",
};
export const markInQuotes = (file: string): Text => ({
  en: `"${file} # modified manually"`,
  uk: `"${file} # modified manually"`,
});
