import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { storyFileName, storyLinkKinds } from "../../domain/why/story.ts";
import { tellStory } from "../../garden/insight/why/story.ts";
import { storyPage } from "../../garden/insight/why/story-page.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";

const mark = z.enum(["verified", "unchecked", "mismatch"]);
const link = z.object({
  kind: z.enum(storyLinkKinds),
  mark,
  checks: z.array(z.object({ mark, text: textShape })),
  title: textShape,
  at: z.string().optional(),
  who: z.object({ name: z.string(), isAgent: z.boolean() }).optional(),
  words: z.string().optional(),
  detail: textShape.optional(),
  /** The proposer's reason, which nobody can verify. */
  reason: z.object({ text: z.string(), by: z.string() }).optional(),
  patch: z.string().optional(),
  target: z.object({ kind: z.enum(["proposal", "run", "agent", "commit"]), id: z.string() }).optional(),
});
const query = z.strictObject({ subject: z.string().min(1).max(1000) });

export const storyRoutes: readonly Route[] = [
  route("GET /audit/story", {
    summary: {
      en: "the story of a line, path, commit or proposal, from the wish to today; every link says what was checked (P-11); `story` is absent for other subjects",
      uk: "історія рядка, шляху, коміту чи пропозиції, від бажання до сьогодні; кожна ланка каже, що перевірено (P-11); для іншого `story` немає",
    },
    allows: ["owner"],
    query,
    answer: z.object({
      story: z
        .object({
          subject: z.object({ kind: z.string(), asked: z.string(), id: z.string() }),
          path: z.string().optional(),
          line: z.int().optional(),
          lines: z.array(z.object({ number: z.int(), text: z.string() })),
          links: z.array(link),
          diagram: z.object({ agent: z.string(), version: z.string(), text: z.string(), icon: z.string() }).optional(),
          revertible: z.string().optional(),
        })
        .optional(),
    }),
    handle: async ({ garden, query: { subject } }) => ({ story: await tellStory(garden, subject) }),
  }),
  route("GET /audit/story/file", {
    summary: {
      en: "the same story as one HTML file that needs neither scripts nor a network, as a download",
      uk: "та сама історія одним файлом HTML, якому не потрібні ні скрипти, ні мережа, як завантаження",
    },
    allows: ["owner"],
    query,
    answer: "text/html",
    async handle({ garden, query: { subject }, language }) {
      const story = await tellStory(garden, subject);
      if (!story) throw noStory(subject);
      return new Response(storyPage(story, language, garden.config.schedule.timezone), {
        headers: {
          "Content-Type": "text/html; charset=UTF-8",
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(storyFileName(story))}`,
        },
      });
    },
  }),
];

const noStory = (subject: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no story of ${subject}`,
    uk: `історії ${subject} немає`,
    hint: {
      en: "Ask about a line (notes/a.md:3), a path, a commit or a proposal.",
      uk: "Запитуйте про рядок (notes/a.md:3), шлях, коміт або пропозицію.",
    },
    details: { subject },
  });
