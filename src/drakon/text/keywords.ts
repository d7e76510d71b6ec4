import type { Text } from "../../base/text.ts";

/**
 * The keywords of pseudocode. The parser accepts both languages at once and never guesses the language; therefore a text that
 * looks like a keyword of either is quoted in both.
 */

/** The first words of lines. The colon is written but optional when read. */
export const statementWords = {
  begin: { uk: "ПОЧАТОК", en: "BEGIN" },
  end: { uk: "КІНЕЦЬ", en: "END" },
  description: { uk: "ОПИС:", en: "DESCRIPTION:" },
  params: { uk: "ПАРАМЕТРИ:", en: "PARAMETERS:" },
  branch: { uk: "ГІЛКА", en: "BRANCH" },

  if: { uk: "ЯКЩО", en: "IF" },
  elseIf: { uk: "ІНАКШЕ ЯКЩО", en: "ELSE IF" },
  else: { uk: "ІНАКШЕ", en: "ELSE" },
  endIf: { uk: "КІНЕЦЬ ЯКЩО", en: "END IF" },
  select: { uk: "ВИБІР", en: "SELECT" },
  case: { uk: "ВАРІАНТ", en: "CASE" },
  otherwise: { uk: "ІНШЕ", en: "OTHERWISE" },
  endSelect: { uk: "КІНЕЦЬ ВИБОРУ", en: "END SELECT" },
  forEach: { uk: "ДЛЯ КОЖНОГО", en: "FOR EACH" },
  for: { uk: "ДЛЯ", en: "FOR" },
  cycle: { uk: "ЦИКЛ:", en: "LOOP:" },
  repeat: { uk: "ПОВТОРЮВАТИ", en: "REPEAT" },
  endLoop: { uk: "КІНЕЦЬ ЦИКЛУ", en: "END LOOP" },
  parallel: { uk: "ПАРАЛЕЛЬНО", en: "PARALLEL" },
  process: { uk: "ПРОЦЕС", en: "PROCESS" },
  endParallel: { uk: "КІНЕЦЬ ПАРАЛЕЛЬНОГО", en: "END PARALLEL" },
  block: { uk: "БЛОК", en: "BLOCK" },
  endBlock: { uk: "КІНЕЦЬ БЛОКУ", en: "END BLOCK" },
  nothing: { uk: "НІЧОГО", en: "NOTHING" },

  note: { uk: "КОМЕНТАР:", en: "NOTE:" },
  call: { uk: "ВИКЛИКАТИ", en: "CALL" },
  input: { uk: "ВВЕСТИ", en: "INPUT" },
  output: { uk: "ВИВЕСТИ", en: "OUTPUT" },
  receive: { uk: "ОТРИМАТИ", en: "RECEIVE" },
  send: { uk: "НАДІСЛАТИ", en: "SEND" },
  control: { uk: "КЕРУВАТИ ПРОЦЕСОМ", en: "CONTROL PROCESS" },
  shelf: { uk: "ПОЛИЦЯ", en: "SHELF" },
  timer: { uk: "ТАЙМЕР", en: "TIMER" },
  pause: { uk: "ПАУЗА", en: "PAUSE" },
  openPeriod: { uk: "ВІДКРИТИ ПЕРІОД", en: "OPEN PERIOD" },
  closePeriod: { uk: "ЗАКРИТИ ПЕРІОД", en: "CLOSE PERIOD" },
  image: { uk: "ЗОБРАЖЕННЯ", en: "IMAGE" },
  event: { uk: "ПОДІЯ", en: "EVENT" },
  icon: { uk: "ІКОНА", en: "ICON" },
} as const satisfies Record<string, Text>;

export type StatementWord = keyof typeof statementWords;

/** Spellings that are read but never written. */
export const statementVariants: Readonly<Partial<Record<StatementWord, readonly string[]>>> = {
  elseIf: ["ІНАКШЕ, ЯКЩО", "ELSEIF", "ELSIF", "ELIF"],
  otherwise: ["ІНАКШИЙ ВАРІАНТ", "DEFAULT"],
  forEach: [
    "ДЛЯ КОЖНОЇ",
    "ДЛЯ КОЖНЕ",
    "ДЛЯ КОЖЕН",
    "ДЛЯ КОЖНИЙ",
    "ДЛЯ КОЖНА",
    "ДЛЯ КОЖНИХ",
    "ДЛЯ ВСІХ",
    "ДЛЯ УСІХ",
    "FOR ALL",
  ],
  repeat: ["ПОВТОРЮЙ", "ПОВТОРИТИ"],
  endIf: ["ENDIF"],
  endLoop: ["КІНЕЦЬ ДЛЯ", "КІНЕЦЬ ПОВТОРЕННЯ", "END FOR", "END REPEAT"],
  endSelect: ["КІНЕЦЬ ВИБІР"],
  endParallel: ["КІНЕЦЬ ПАРАЛЕЛЬНО"],
  note: ["ПРИМІТКА", "COMMENT"],
  call: ["ВИКЛИК"],
};

/** Icon types with their own keyword. An action is a plain line; any other type is `ІКОНА "тип"`. */
export const kindWords = {
  comment: "note",
  insertion: "call",
  simpleinput: "input",
  simpleoutput: "output",
  input: "receive",
  output: "send",
  process: "control",
  shelf: "shelf",
  timer: "timer",
  pause: "pause",
  ctrlstart: "openPeriod",
  ctrlend: "closePeriod",
  "drakon-image": "image",
  event: "event",
} as const satisfies Record<string, StatementWord>;

/** Icon types with an upper text, written as `upper / lower`. */
export const twoStoreys: ReadonlySet<string> = new Set(["shelf", "process", "input", "output"]);

/** The words after an arrow. */
export const exitWords = {
  breakLoop: { uk: "ПЕРЕРВАТИ ЦИКЛ", en: "BREAK LOOP" },
  break: { uk: "ПЕРЕРВАТИ", en: "BREAK" },
  nextOfLoop: { uk: "НАСТУПНА ЦИКЛУ", en: "NEXT OF LOOP" },
  next: { uk: "НАСТУПНА", en: "NEXT" },
  leave: { uk: "ВИЙТИ З БЛОКУ", en: "LEAVE BLOCK" },
  end: { uk: "КІНЕЦЬ", en: "END" },
  branch: { uk: "ГІЛКА", en: "BRANCH" },
} as const satisfies Record<string, Text>;

export type ExitWord = keyof typeof exitWords;

export const exitVariants: Readonly<Partial<Record<ExitWord, readonly string[]>>> = {
  break: ["ПЕРЕРВИ", "ВИЙТИ", "EXIT"],
  next: ["НАСТУПНИЙ", "НАСТУПНЕ", "НАСТУПНІ", "ДАЛІ", "CONTINUE"],
  end: ["ЗАВЕРШИТИ", "RETURN", "STOP"],
};

/** Words inside a line, always in capitals: in lower case they belong to the text. */
export const inlineWords = {
  of: { uk: "З", en: "IN" },
  not: { uk: "НЕ", en: "NOT" },
  and: { uk: "І", en: "AND" },
  or: { uk: "АБО", en: "OR" },
  thus: { uk: "ТО", en: "THEN" },
  duration: { uk: "ТРИВАЛІСТЬ", en: "DURATION" },
  loop: { uk: "ЦИКЛ", en: "LOOP" },
} as const satisfies Record<string, Text>;

type InlineWord = keyof typeof inlineWords;

const inlineVariants: Readonly<Partial<Record<InlineWord, readonly string[]>>> = {
  of: ["ІЗ", "ЗІ", "В", "У", "СЕРЕД", "OF", "FROM"],
  and: ["ТА", "Й"],
};

export const ARROW = "→";
/** Spellings of the arrow. */
export const ARROWS = [ARROW, "->"] as const;

/** All spellings of an inline word. */
export const spellings = (word: InlineWord): readonly string[] => [
  ...Object.values(inlineWords[word]),
  ...(inlineVariants[word] ?? []),
];
