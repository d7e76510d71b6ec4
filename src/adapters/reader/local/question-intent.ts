import type { Language } from "../../../base/text.ts";
import { stemOf, termsIn } from "../../../domain/search/words.ts";
import { type AnswerKind, answerKindOf, isCount } from "./answer-kind.ts";

/** The kind of answer: a summary, tags, or quotes about something. */
export type Wanted = "gist" | "tags" | "answer";

export interface QuestionIntent {
  readonly wants: Wanted;
  /** Stems of the question, without words like "tell" or "explain". */
  readonly terms: readonly string[];
  readonly language: Language;
  /** The kind of value that an answer must hold. */
  readonly kind: AnswerKind;
  /** The counted thing in "how many N", as a stem. */
  readonly counted: string | undefined;
  /** Requested number of pieces: the upper end of `3-5 тегів`. Only digits are recognized. */
  readonly count: number | undefined;
}

const TAGS =
  /(?<!\p{L})(?:тег(?:и|ів|ами|ах|у|а)?|міт(?:ки|ок|ку)|ключов\p{L}+ сл(?:ова|ів)|tags?|keywords?|key ?words?)(?!\p{L})/iu;
const GIST =
  /резюм|підсум|стисл|узагальн|конспект|коротк\p{L}+ (?:зміст|виклад|опис)|основн\p{L}+ (?:тез|думк|іде)|про що (?:ц|й)|summar|overview|\bgist\b|outline|main (?:idea|point|thesis)|tl;?dr|key points/iu;

/** A question about tags or summaries is no request for them. */
const ASKS =
  /^\s*(?:how|where|when|why|who|can|do|does|is|are|what (?:is|are|does|do)(?! (?:the |this |it )?(?:main|key|summary|gist|note|text|tags))|як(?!\p{L})|де(?!\p{L})|коли|чому|хто|що таке|чи(?!\p{L}))/iu;

export function intentOf(question: string): QuestionIntent {
  const wants: Wanted = ASKS.test(question)
    ? "answer"
    : TAGS.test(question)
      ? "tags"
      : GIST.test(question)
        ? "gist"
        : "answer";
  const terms = termsIn(question.replaceAll(/\d+\s*[-–—]\s*\d+/g, " ").replaceAll(MEASURE, " "));
  const stopWords = wants === "answer" ? ASKING : ORDERING;
  return {
    wants,
    terms: [...new Set(terms)].filter((term) => !stopWords.has(term) && !(wants !== "answer" && /^\d+$/.test(term))),
    counted: wants === "answer" && isCount(question) ? terms.find((term) => !stopWords.has(term)) : undefined,
    kind: wants === "answer" ? answerKindOf(question) : "any",
    language: /[а-яєіїґ]/i.test(question) ? "uk" : "en",
    count: countIn(question),
  };
}

/** "How long" asks for a number; "long" is no word of the topic. */
const MEASURE = /\bhow (?:many|much|long|old|tall|big|large|far|high|deep|wide|fast|often|heavy)\b/giu;

const MOST_PIECES = 10;

function countIn(question: string): number | undefined {
  const [, from, to] = /(?<![\d.,])(\d{1,2})(?:\s*[-–—]\s*(\d{1,2}))?\s+(?=\p{L})/u.exec(question) ?? [];
  const count = Number(to ?? from);
  return count >= 1 && count <= MOST_PIECES ? count : undefined;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean).map(stemOf));

/** Words that only express a request. */
const ASKING_WORDS = `
  розкажи розкажіть поясни поясніть опиши опишіть знайди знайдіть скажи скажіть покажи відповідай відповідь дай назви перелічи напиши
  джерело джерела джерелами джерелах питання будь ласка відомо відомий знаємо каже кажуть сказано йдеться мова існує бувають буває
  tell explain describe find say show answer give name list write please source sources question known know does mean means
`;
const ASKING = stems(ASKING_WORDS);

/** Words of requests for a summary or tags that say nothing about the topic. */
const ORDERING = stems(`
  ${ASKING_WORDS}
  створи створіть зроби зробіть склади складіть підготуй запропонуй запропонуйте вибери визнач сформулюй включи включіть додай вкажи
  структуроване структурований структурована коротке коротко короткий стисле стислий стисло повне основна основну основні основний
  головна головну головні головне ключові ключових ключове поняття понять теза тезу тези думка думку думки ідея ідею ідеї зв'язки зв'язків
  зв'язок тема теми темами тем темам резюме підсумок підсумуй узагальни узагальнення конспект зміст виклад опис текст тексту тексті
  нотатка нотатки нотатці нотатку нотаток документ документа стаття статті запис запису основа основі тег теги тегів мітки міток слово слова
  слів речення реченнях реченнями пункт пункти пунктах абзац українською англійською мовою кілька декілька
  create make propose suggest choose pick include add structured short brief concise summary summarise summarize overview outline
  gist main key point points thesis idea ideas concept concepts link links topic topics text note notes document article content
  based basis tag tags keyword keywords word words sentence sentences paragraph bullet english ukrainian several
`);
