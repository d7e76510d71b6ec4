import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { keptWords, MAX_KEEP_REASON } from "../../domain/why/kept-words.ts";
import { storyFileName, storyLinkKinds, storyMarks } from "../../domain/why/story.ts";
import { keepWords } from "../../garden/insight/why/kept-words.ts";
import { proposeApproved } from "../../garden/insight/why/propose-approved.ts";
import { tellStory } from "../../garden/insight/why/story.ts";
import { storyPage } from "../../garden/insight/why/story-page.ts";
import { proposalAnswer } from "../proposal-shapes.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";

const mark = z.enum(storyMarks);
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
  /** Set if the commit does not match its proposal. `proposable`: the approved words are known. */
  repair: z.object({ commit: z.string(), proposable: z.boolean() }).optional(),
  /** The owner's reason to keep it all the same. */
  kept: z.object({ by: z.string(), at: z.string(), reason: z.string() }).optional(),
  target: z.object({ kind: z.enum(["proposal", "run", "agent", "commit"]), id: z.string() }).optional(),
});
const params = z.object({ commit: z.string().max(64) });
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
  route("POST /audit/commits/:commit/approved", {
    summary: {
      en: "proposes the words that were approved where a commit holds others, merged with the changes since (P-11)",
      uk: "пропонує схвалені слова там, де коміт має інші, поєднані з пізнішими змінами (P-11)",
    },
    allows: ["owner"],
    params,
    status: 201,
    body: z.strictObject({ reason: z.string().max(MAX_KEEP_REASON).optional() }),
    answer: z.object({ proposal: proposalAnswer }),
    async handle({ garden, params: { commit }, body: { reason }, identity: by }) {
      const received = await proposeApproved(garden, { commit, by, reason });
      if (received.kind === "refused") throw received.failure;
      return { proposal: received.proposal };
    },
  }),
  route("POST /audit/commits/:commit/keep", {
    summary: {
      en: "keeps a commit that does not match its proposal, for a recorded reason: `why` and `verify` then show the reason in place of a warning (P-11); the first reason stays",
      uk: "лишає коміт, що не збігається зі своєю пропозицією, із записаною причиною: `why` і `verify` показують її замість попередження (P-11); перша причина лишається",
    },
    allows: ["owner"],
    params,
    body: z.strictObject({ reason: z.string().min(1).max(MAX_KEEP_REASON) }),
    answer: z.object({ kept: keptWords.omit({ op: true }) }),
    async handle({ garden, params: { commit }, body: { reason }, identity: by }) {
      const { op: _, ...kept } = await keepWords(garden, { commit, by, reason });
      return { kept };
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
