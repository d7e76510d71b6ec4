import { didYouMean } from "../../../../src/base/did-you-mean.ts";
import { frontField, withFrontField } from "../../../../src/domain/contract/front-edit.ts";
import type { AnswerOf } from "../../api/client.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { ContractAnswer } from "./contract-answer.ts";

type Tools = AnswerOf<"GET /tools">["tools"];

/** A remark at a line of the contract, with repairs that give the repaired text. */
export interface ContractNote {
  readonly line: number;
  readonly tone: "bad" | "warn";
  readonly words: Text;
  readonly repairs: readonly { readonly label: Text; readonly text: string | undefined }[];
}

/** The gateway's problems, and tools that the body names without having them. */
export function contractNotes(
  text: string,
  problems: ContractAnswer["problems"],
  tools: Tools,
): readonly ContractNote[] {
  const found = problems.map((problem) => problemNote(text, problem));
  return [...found, ...missingTools(text, tools)].toSorted((a, b) => a.line - b.line);
}

function problemNote(text: string, problem: ContractAnswer["problems"][number]): ContractNote {
  const { line, field, found, expected, suggestion } = problem;
  const say = (language: "uk" | "en", wanted: string): string =>
    `${field === "" ? "" : `${field}: `}${found[language]}; ${wanted}`;
  const lines = text.split("\n");
  const repaired =
    suggestion === undefined
      ? undefined
      : lines.with(line - 1, withWord(lines[line - 1] ?? "", field, suggestion)).join("\n");
  return {
    line,
    tone: "bad",
    words: {
      en: say("en", suggestion === undefined ? `expected ${expected.en}` : `did you mean “${suggestion}”?`),
      uk: say(
        "uk",
        suggestion === undefined ? `потрібно: ${expected.uk}` : `можливо, малося на увазі «${suggestion}»?`,
      ),
    },
    repairs:
      suggestion === undefined || repaired === text
        ? []
        : [{ label: { en: `Change to ${suggestion}`, uk: `Замінити на ${suggestion}` }, text: repaired }],
  };
}

/** Replaces the misspelt name in a line: the last part of the field, or the word that is nearest to the suggestion. */
function withWord(line: string, field: string, suggestion: string): string {
  const name = field.split(".").at(-1) ?? "";
  if (name !== "" && line.includes(name) && name !== suggestion) return line.replace(name, suggestion);
  const words = line.match(/[\p{L}\p{N}_/.-]+/gu) ?? [];
  const meant = didYouMean(suggestion, words);
  return meant === undefined ? line : line.replace(meant, suggestion);
}

/** A tool that the instructions call and the contract does not grant: the agent would stop there. */
function missingTools(text: string, tools: Tools): ContractNote[] {
  const granted = frontField(text, ["tools"]);
  if (!Array.isArray(granted) || tools.length === 0) return [];
  const isKnown = new Set(tools.map(({ name }) => name));
  const end = text.indexOf("\n---", 3);
  const seen = new Set<string>(granted as string[]);
  return text.split("\n").flatMap((content, index) => {
    const isBody = end >= 0 && text.split("\n").slice(0, index).join("\n").length > end;
    if (!isBody) return [];
    return [...content.matchAll(/[a-z]+(?:-[a-z]+)+(?=[`(])|\btoday(?=\()/g)].flatMap(([name]) => {
      if (!isKnown.has(name) || seen.has(name)) return [];
      seen.add(name);
      return [
        {
          line: index + 1,
          tone: "warn" as const,
          words: {
            en: `${name} is not granted. The agent would stop here.`,
            uk: `${name} не надано. Агент тут зупинився б.`,
          },
          repairs: [
            {
              label: { en: `Grant ${name}`, uk: `Надати ${name}` },
              text: withFrontField(text, ["tools"], [...(granted as string[]), name]),
            },
          ],
        },
      ];
    });
  });
}
