import type { Text } from "../../base/text.ts";

/** Messages for YAML that cannot be read: what was found, and what is expected. */
export const OTHER_VALUE: Text = { en: "another value", uk: "тут щось інше" };
export const TOO_MANY_ALIASES: [Text, Text] = [
  {
    en: "too many aliases, or an alias without an anchor above it",
    uk: "забагато псевдонімів або псевдонім, що не вказує на щось вище",
  },
  { en: "the values written out", uk: "значення, записані повністю" },
];
export const NESTED_TOO_DEEPLY: [Text, Text] = [
  { en: "groups nested too deeply", uk: "завелика вкладеність" },
  { en: "a few levels at most", uk: "не більше кількох рівнів" },
];
export const OTHER_YAML_ERROR: [Text, Text] = [
  { en: "invalid YAML", uk: "це не читається як YAML" },
  { en: "lines of the form `key: value`", uk: "рядки виду `ключ: значення`" },
];
export const yamlErrors: Readonly<Record<string, [found: Text, expected: Text] | undefined>> = {
  DUPLICATE_KEY: [
    { en: "a duplicate key", uk: "ключ, що стоїть тут двічі" },
    { en: "each key once", uk: "кожен ключ один раз" },
  ],
  TAB_AS_INDENT: [
    { en: "a tab at the beginning of a line", uk: "табуляція на початку рядка" },
    { en: "spaces", uk: "пробіли" },
  ],
  BAD_INDENT: [
    { en: "a line that is indented differently from its neighbours", uk: "рядок з іншим відступом, ніж у сусідніх" },
    { en: "the same number of spaces for the same level", uk: "однакова кількість пробілів на одному рівні" },
  ],
  MISSING_CHAR: [
    { en: "a quotation mark, bracket or colon is missing", uk: "бракує лапки, дужки або двокрапки" },
    { en: "a closing one on the same level", uk: "закрити її на тому самому рівні" },
  ],
  MULTIPLE_DOCS: [
    { en: "a second document (`---`)", uk: "другий документ (`---`)" },
    { en: "one document per file", uk: "один документ у файлі" },
  ],
};
