import type { Json } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { PASSED } from "../../../domain/run/passed-lines.ts";
import { numberedProcedures } from "../../../drakon/text/numbered-procedures.ts";
import type { AgentProcedure, ProcedurePart } from "./procedure.ts";

/** The body with numbered lines, then the diagrams that it may call, then an explanation of the numbers. */
export function wholeProcedure(body: string, { main, parts, language }: AgentProcedure): string {
  const called = parts.filter((part) => part !== main && !body.includes(part.pseudocode.trim()));
  const text = [body.trimEnd(), ...(called.length > 0 ? [CALLED[language]] : []), ...called.map(headed)].join("\n\n");
  return `${numberedProcedures(text).text}\n\n${NUMBERS[language]}\n`;
}

const headed = ({ pseudocode }: ProcedurePart): string => pseudocode.trimEnd();

/** The prose around the procedure, such as role and limits. The model gets it with every icon. */
export function proseOf(body: string): string {
  const lines = body.split("\n");
  const { procedures } = numberedProcedures(body);
  return lines
    .filter((_, index) => !procedures.some(({ first, last }) => index + 1 >= first && index + 1 <= last))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Names with a value in the contract: `read-notes(folder)` reads the folder of the contract (C-11). */
export const contextNames = ({ context }: Pick<Contract, "context">): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(context).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );

const CALLED: Text = { en: "## Procedures that can be called", uk: "## Процедури, які можна викликати" };

const NUMBERS: Text = {
  en: `## Numbered lines

Carry out the procedure line by line, exactly as it is written. With every tool call, say in \`${PASSED}\` which lines you passed since the last call, in order, and how you answered their questions.`,
  uk: `## Пронумеровані рядки

Виконуй процедуру рядок за рядком, точно як написано. З кожним викликом інструмента вказуй у \`${PASSED}\`, які рядки ти пройшов від попереднього виклику, по порядку, і як відповів на їхні питання.`,
};
