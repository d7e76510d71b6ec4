import type { Language, Text } from "../../../base/text.ts";
import { type Story, type StoryLink, type StoryMark, storyVerdict } from "../../../domain/why/story.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { drawDiagram } from "../../../drakon/draw/draw.ts";
import { STORY_STYLE } from "./story-style.ts";

/**
 * A story as one HTML file for people who have no access to the garden. It has no script, loads nothing, and its policy forbids both, so
 * that a word of a note cannot do anything. The times are those of `timeZone`.
 */
export function storyPage(story: Story, language: Language, timeZone: string): string {
  const day = (at: string): string =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : "uk-UA", { dateStyle: "long", timeZone }).format(
      new Date(at),
    );
  const time = (at: string): string =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : "uk-UA", {
      dateStyle: "medium",
      timeStyle: "medium",
      timeZone,
    }).format(new Date(at));
  const verdict = storyVerdict(story, language, day);
  const title = `${words.why[language]} ${story.subject.id}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STORY_STYLE}</style>
</head>
<body>
<main>
<p class="label">${escaped(words.question[language])} · ${escaped(story.subject.id)}</p>
${linesHtml(story)}
<p class="verdict ${verdict.mark}">${escaped(verdict.opening)} <b>${escaped(verdict.result)}</b></p>
<ol class="links">
${story.links.map((link) => linkHtml(link, language, time)).join("\n")}
</ol>
${diagramHtml(story, language)}
<footer>${escaped(words.about[language])} <span>${escaped(words.zone[language])} ${escaped(timeZone)}.</span></footer>
</main>
</body>
</html>
`;
}

const linesHtml = ({ lines, line }: Story): string =>
  lines
    .map(
      ({ number, text }) =>
        `<p class="line${number === line ? " on" : ""}"><span class="no">${number}</span><span>${escaped(text)}</span></p>`,
    )
    .join("\n");

function linkHtml(link: StoryLink, language: Language, time: (at: string) => string): string {
  const { title, at, words: said, detail, reason, kept, patch, mark, checks } = link;
  return `<li class="${mark}">
<p class="head"><b>${escaped(title[language])}</b><span class="mark">${escaped(markWords[mark][language])}</span></p>
${at === undefined ? "" : `<p class="meta"><time datetime="${escaped(at)}">${escaped(time(at))}</time></p>`}
${said === undefined ? "" : `<p class="words">“${escaped(said)}”</p>`}
${detail === undefined ? "" : `<p>${escaped(detail[language])}</p>`}
${patch === undefined ? "" : patchHtml(patch)}
${reason === undefined ? "" : `<p class="words">“${escaped(reason.text)}” <span class="meta">${escaped(words.reason[language].replace("{}", reason.by))}</span></p>`}
${kept === undefined ? "" : `<p class="words">“${escaped(kept.reason)}” <span class="meta">${escaped(words.kept[language].replace("{}", kept.by))}, <time datetime="${escaped(kept.at)}">${escaped(time(kept.at))}</time></span></p>`}
<ul class="checks">${checks.map((check) => `<li class="${check.mark}">${escaped(check.text[language])}</li>`).join("")}</ul>
</li>`;
}

const patchHtml = (patch: string): string =>
  `<pre>${patch
    .split("\n")
    .filter((row) => !/^(?:diff |index |--- |\+\+\+ |=====)/.test(row))
    .map((row) =>
      row.startsWith("+")
        ? `<ins>${escaped(row.slice(1))}</ins>`
        : row.startsWith("-")
          ? `<del>${escaped(row.slice(1))}</del>`
          : `<span>${escaped(row.startsWith("@@") ? "…" : row.slice(1))}</span>`,
    )
    .join("\n")}</pre>`;

/** The diagram that the run followed, with the icon of the step lit. */
function diagramHtml({ diagram }: Story, language: Language): string {
  if (!diagram) return "";
  const { svg } = drawDiagram(readDiagram(diagram.text).diagram, {
    language,
    authorColours: false,
    highlight: [diagram.icon],
    name: diagram.agent,
  });
  const caption = words.diagram[language].replace("{}", diagram.agent).replace("{}", diagram.version);
  return `<figure>${svg}<figcaption>${escaped(caption)}</figcaption></figure>`;
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign]!);

const markWords: Readonly<Record<StoryMark, Text>> = {
  verified: { en: "Verified", uk: "Перевірено" },
  unchecked: { en: "Cannot be checked", uk: "Не можна перевірити" },
  kept: { en: "Kept with a reason", uk: "Лишено з причиною" },
  mismatch: { en: "Does not match", uk: "Не збігається" },
};

const words = {
  why: { en: "Why:", uk: "Чому:" },
  question: { en: "Why is this here?", uk: "Чому це тут?" },
  kept: { en: "Kept by {}", uk: "Лишає {}" },
  reason: { en: "Reason given by {}, not verified", uk: "Причина, яку назвав {}, не перевірена" },
  diagram: {
    en: "Diagram of {}, logic {}; the icon of the step is lit.",
    uk: "Схема агента {}, логіка {}; ікону кроку виділено.",
  },
  about: {
    en: "Checked by Garden Bloom against git and its records when this file was made. The file has no script and loads nothing; it is not signed.",
    uk: "Перевірив Garden Bloom за git і своїми записами, коли створював цей файл. Файл не має скриптів і нічого не завантажує; він не підписаний.",
  },
  zone: { en: "Times are in", uk: "Час за поясом" },
} as const satisfies Record<string, Text>;
